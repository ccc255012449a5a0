import AppStoreModel
import AppStoreSigning

/// What signed data says about access and revenue, derived a second time and as simply as possible.
///
/// It reads the payloads themselves and shares no code with the server's core.
struct EvidenceOracle {
    private struct Transaction {
        let signedAt: Int64
        let original: String
        let start: Int64
        let end: Int64?
        let isRevoked: Bool
        let price: Int64
    }

    private struct Renewal {
        let signedAt: Int64
        let renews: Bool
        let graceEnd: Int64?
    }

    /// How long a subscription that should renew keeps access.
    private static let leeway: Int64 = 2 * .hour

    private var transactions: [String: Transaction] = [:]
    private var renewals: [String: Renewal] = [:]

    /// The revenue of all known transactions, thousandths of the currency unit.
    ///
    /// Nil while two paid periods of a subscription overlap: then Apple pays the rest of the first one back, and no
    /// payload says how much. Here that happens when a new purchase is known before the refund of the period.
    var revenue: Int64? {
        guard !hasOverlap else { return nil }
        return transactions.values.reduce(0) { $0 + ($1.isRevoked ? 0 : $1.price) }
    }

    private var hasOverlap: Bool {
        let paid = transactions.values.filter { !$0.isRevoked && $0.end != nil }
        return Dictionary(grouping: paid, by: \.original).values.contains { periods in
            let inOrder = periods.sorted { $0.start < $1.start }
            return zip(inOrder, inOrder.dropFirst()).contains { $1.start < $0.end ?? 0 }
        }
    }

    /// Takes a stored input: a notification, a transaction or a renewal record.
    mutating func take(_ signed: [UInt8]) throws {
        let payload = try UnverifiedJWS.payload(of: signed)
        let data = payload["data"]?.objectValue ?? JSONObject()
        for inner in ["signedTransactionInfo", "signedRenewalInfo"] {
            guard let text = data[inner]?.stringValue else { continue }
            take(try UnverifiedJWS.payload(of: Array(text.utf8)))
        }
        take(payload)
    }

    private mutating func take(_ payload: JSONObject) {
        guard let original = payload["originalTransactionId"]?.stringValue else { return }
        let signedAt = payload["signedDate"]?.integerValue ?? 0
        if let id = payload["transactionId"]?.stringValue {
            guard transactions[id].map({ $0.signedAt < signedAt }) ?? true else { return }
            transactions[id] = Transaction(
                signedAt: signedAt,
                original: original,
                start: payload["purchaseDate"]?.integerValue ?? 0,
                end: payload["expiresDate"]?.integerValue,
                isRevoked: payload["revocationDate"] != nil,
                price: payload["price"]?.integerValue ?? 0
            )
        } else if let status = payload["autoRenewStatus"]?.integerValue {
            guard renewals[original].map({ $0.signedAt < signedAt }) ?? true else { return }
            renewals[original] = Renewal(
                signedAt: signedAt,
                renews: status == 1 && payload["expirationIntent"] == nil
                    && payload["isInBillingRetryPeriod"]?.boolValue != true,
                graceEnd: payload["gracePeriodExpiresDate"]?.integerValue
            )
        }
    }

    /// Whether a paid period that is not refunded covers a time, or a one-time purchase is not refunded.
    func mustGiveAccess(_ original: String, at time: Int64) -> Bool {
        transactions.values.contains { transaction in
            transaction.original == original && !transaction.isRevoked && transaction.start <= time
                && transaction.end.map { time < $0 } ?? true
        }
    }

    /// Whether anything that Apple signed can give access: a period, a grace period, or a renewal that is late.
    ///
    /// - Parameter lead: How long before its start a period may be charged, and then give access; milliseconds.
    func mayGiveAccess(_ original: String, at time: Int64, lead: Int64 = 0) -> Bool {
        if [time, time + lead].contains(where: { mustGiveAccess(original, at: $0) }) { return true }
        guard let renewal = renewals[original] else { return false }
        if let graceEnd = renewal.graceEnd, time < graceEnd { return true }
        let newest = transactions.values.filter { $0.original == original && !$0.isRevoked }.compactMap(\.end).max()
        guard let newest, renewal.renews else { return false }
        return time < newest + Self.leeway
    }
}
