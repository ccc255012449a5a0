import SubscriptionCore
import SubscriptionStorage

/// Compares the stored refunds of purchases, and the requests for them, with those that follow from the signed inputs.
///
/// The inputs of a purchase are read only if it has a refund or a request. Nothing is compared until the refunds of
/// purchases from before there were tables of them are filled.
struct RefundComparison {
    let app: AppID
    let storage: any StorageReading

    /// The differences of a page of purchases, and of rows that belong to no purchase of the page.
    ///
    /// - Parameter first: The purchase before the page; nil for the first page.
    /// - Throws: ``StorageError``.
    func differences(
        of page: [PurchaseRow],
        after first: OriginalTransactionID?
    ) throws(StorageError) -> [RebuildDifference] {
        guard let last = page.last?.id, try storage.refundProgress(of: app).isFilled else { return [] }
        let stored = try storage.refunds(ofPurchasesAfter: first, through: last, app: app)
        let concerned = Set(page.filter(\.ledger.hasRefund).map(\.id)).union(stored.keys)
        return try compare(concerned.sorted(), with: stored)
    }

    /// The differences of some purchases.
    ///
    /// - Throws: ``StorageError``.
    func differences(of purchases: [PurchaseRow]) throws(StorageError) -> [RebuildDifference] {
        guard !purchases.isEmpty, try storage.refundProgress(of: app).isFilled else { return [] }
        let ids = purchases.map(\.id)
        var stored: [OriginalTransactionID: PurchaseRefunds] = [:]
        for (id, refunds) in zip(ids, try storage.refunds(of: ids, app: app)) where !refunds.isEmpty {
            stored[id] = refunds
        }
        let concerned = Set(purchases.filter(\.ledger.hasRefund).map(\.id)).union(stored.keys)
        return try compare(concerned.sorted(), with: stored)
    }

    /// The differences of purchases whose inputs have refunds or requests, if nothing is stored about them.
    ///
    /// - Throws: ``StorageError``.
    func missing(of purchases: [OriginalTransactionID]) throws(StorageError) -> [RebuildDifference] {
        guard !purchases.isEmpty, try storage.refundProgress(of: app).isFilled else { return [] }
        let stored = zip(purchases, try storage.refunds(of: purchases, app: app))
        return try compare(stored.filter { $0.1.isEmpty }.map { $0.0 }, with: [:])
    }

    private func compare(
        _ purchases: [OriginalTransactionID],
        with stored: [OriginalTransactionID: PurchaseRefunds]
    ) throws(StorageError) -> [RebuildDifference] {
        var found: [RebuildDifference] = []
        for purchase in purchases {
            let result: DerivedRefunds
            do throws(StorageError) {
                result = try storage.derivedRefunds(of: purchase, app: app)
            } catch {
                // The pass over the inputs or purchases reports it.
                guard error.code == .corrupt else { throw error }
                continue
            }
            // An input that cannot be read may say what is stored.
            guard result.isComplete else { continue }
            let derived = result.refunds
            let known = stored[purchase] ?? PurchaseRefunds()
            guard known != derived else { continue }
            found.append(RebuildDifference(.refundsDiffer, purchase, stored: known.text, derived: derived.text))
        }
        return found
    }
}

extension ParsedEvidence {
    /// The purchases whose refunds, or requests for them, it is about.
    fileprivate var refundedPurchases: [OriginalTransactionID] {
        facts.compactMap { fact in
            guard case .transaction(let fact) = fact, fact.isRefunded else { return nil }
            return fact.originalID
        }
    }

    /// The purchases that have a refund or a request because of it.
    var purchasesWithRefunds: [OriginalTransactionID] {
        refundedPurchases + [announcement.flatMap { RequestedRefund($0)?.purchaseID }].compactMap(\.self)
    }
}

extension PurchaseRefunds {
    /// A short text for people; nil for nothing.
    fileprivate var text: String? {
        let made = refunds.map { refund in
            let reversed = refund.reversedAt.map { ", reversed \($0.exactText)" } ?? ""
            return "refund of \(refund.transactionID) \(refund.refundedAt.exactText)\(reversed)"
        }
        let asked = requests.map { request in
            let time = request.requestedAt.map { " \($0.exactText)" } ?? ""
            let declined = request.declinedAt.map { ", declined \($0.exactText)" } ?? ""
            return "request for \(request.transactionID)\(time)\(declined)"
        }
        let texts = made + asked
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
