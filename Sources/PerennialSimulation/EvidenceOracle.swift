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
        let renewalDate: Int64?
        let graceEnd: Int64?
    }

    /// Apple's `status` in a notification.
    private struct Status {
        let signedAt: Int64
        let value: Int64

        var isActive: Bool { value == 1 }
        /// Expired or revoked.
        var hasEnded: Bool { value == 2 || value == 5 }
    }

    /// How long a subscription that should renew keeps access.
    private static let leeway: Int64 = 2 * .hour

    private var transactions: [String: Transaction] = [:]
    private var renewals: [String: Renewal] = [:]
    private var statuses: [String: Status] = [:]

    /// The revenue of all known transactions, thousandths of the currency unit.
    ///
    /// Nil while a paid period of a subscription overlaps with a later one: then Apple pays its rest back, and no
    /// payload says how much. Here that happens when a new purchase is known before the refund of the period, also if
    /// the refund of the new purchase is known too.
    var revenue: Int64? {
        guard !hasOverlap else { return nil }
        return transactions.values.reduce(0) { $0 + ($1.isRevoked ? 0 : $1.price) }
    }

    private var hasOverlap: Bool {
        let periods = transactions.values.filter { $0.end != nil }
        return Dictionary(grouping: periods, by: \.original).values.contains { periods in
            let inOrder = periods.sorted { $0.start < $1.start }
            return zip(inOrder, inOrder.dropFirst()).contains { !$0.isRevoked && $1.start < $0.end ?? 0 }
        }
    }

    /// Takes a stored input: a notification, a transaction or a renewal record.
    mutating func take(_ signed: [UInt8]) throws {
        let payload = try UnverifiedJWS.payload(of: signed)
        let data = payload["data"]?.objectValue ?? JSONObject()
        let signedAt = payload["signedDate"]?.integerValue ?? 0
        for inner in ["signedTransactionInfo", "signedRenewalInfo"] {
            guard let text = data[inner]?.stringValue else { continue }
            let signed = try UnverifiedJWS.payload(of: Array(text.utf8))
            take(signed)
            guard let original = signed["originalTransactionId"]?.stringValue, let value = data["status"]?.integerValue,
                statuses[original].map({ $0.signedAt < signedAt }) ?? true
            else { continue }
            statuses[original] = Status(signedAt: signedAt, value: value)
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
                renewalDate: payload["renewalDate"]?.integerValue,
                graceEnd: payload["gracePeriodExpiresDate"]?.integerValue
            )
        }
    }

    /// The newest status, if no transaction and no renewal record of the purchase was signed after it.
    private func status(of original: String) -> Status? {
        guard let status = statuses[original], renewals[original].map({ $0.signedAt <= status.signedAt }) ?? true,
            transactions.values.allSatisfy({ $0.original != original || $0.signedAt <= status.signedAt })
        else { return nil }
        return status
    }

    /// Whether a paid period that is not refunded covers a time, or a one-time purchase is not refunded, and no newer
    /// status says that the subscription ended.
    func mustGiveAccess(_ original: String, at time: Int64) -> Bool {
        guard status(of: original)?.hasEnded != true else { return false }
        return transactions.values.contains { transaction in
            transaction.original == original && !transaction.isRevoked && transaction.start <= time
                && transaction.end.map { time < $0 } ?? true
        }
    }

    /// Whether anything that Apple signed can give access: a period, a status that says that it runs until the renewal
    /// date, a grace period, or a renewal that is late.
    ///
    /// - Parameter lead: How long before its start a period may be charged, and then give access; milliseconds.
    func mayGiveAccess(_ original: String, at time: Int64, lead: Int64 = 0) -> Bool {
        if [time, time + lead].contains(where: { mustGiveAccess(original, at: $0) }) { return true }
        let status = status(of: original)
        guard let renewal = renewals[original], status?.hasEnded != true else { return false }
        if let graceEnd = renewal.graceEnd, time < graceEnd { return true }
        var ends = transactions.values.filter { $0.original == original && !$0.isRevoked }.compactMap(\.end)
        if status?.isActive == true, let end = renewal.renewalDate {
            // The transaction of this period may be late.
            if time < end { return true }
            ends.append(end)
        }
        guard let newest = ends.max(), renewal.renews else { return false }
        return time < newest + Self.leeway
    }
}
