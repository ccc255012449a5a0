import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// What is known about a refund request; nil if the purchase has no transaction.
    ///
    /// - Throws: ``StorageError``.
    func consumptionFacts(of request: RefundRequest, app: AppID) throws(StorageError) -> ConsumptionFacts? {
        let ledger = try ledger(of: request.purchaseID, app: app)
        guard let transaction = ledger[request.transactionID] ?? ledger.timeline.last else { return nil }
        var facts = ConsumptionFacts(of: transaction, requestedAt: request.requestedAt, reason: request.reason)
        if let report = try consumptionReport(on: request.purchaseID, app: app) {
            // A report that was made before there was an owner is about the present one.
            let owner = try purchase(request.purchaseID, of: app)?.customerID
            if report.customerID == nil || report.customerID == owner { facts.consents = report.consents }
            facts.delivery = report.delivery
            facts.percentage = report.percentage
            facts.sampleProvided = report.sampleProvided
        }
        guard let owner = try purchase(request.purchaseID, of: app)?.customerID else {
            facts.spending = ledger.spending(before: request.requestedAt)
            facts.requestsBefore = try requests(about: [request.purchaseID], before: request, app: app)
            return facts
        }
        facts.accountCreatedAt = try customer(owner, of: app)?.firstSeenAt
        let purchases = try purchases(of: owner, app: app).map(\.id)
        for start in stride(from: 0, to: purchases.count, by: Self.purchasesTogether) {
            let some = Array(purchases[start..<min(start + Self.purchasesTogether, purchases.count)])
            for ledger in try ledgers(of: some, app: app).values {
                facts.spending += ledger.spending(before: request.requestedAt)
            }
            facts.requestsBefore += try requests(about: some, before: request, app: app)
        }
        return facts
    }

    private static var purchasesTogether: Int { 200 }

    private func requests(
        about purchases: [OriginalTransactionID],
        before request: RefundRequest,
        app: AppID
    ) throws(StorageError) -> Int {
        try refundRequests(about: purchases, app: app, limit: RefundRequests.listedMax).joined()
            .count { $0.requestedAt < request.requestedAt && $0.id != request.id }
    }
}
