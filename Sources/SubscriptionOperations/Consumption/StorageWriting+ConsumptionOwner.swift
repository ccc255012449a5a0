import SubscriptionCore
import SubscriptionStorage

extension StorageWriting {
    /// Forgets what was reported about the consumption of a purchase, and what was known of its owner in refund
    /// requests, because the owner changed or is erased. The answers that were sent stay. A request that waits is
    /// decided again.
    ///
    /// - Throws: ``StorageError``.
    func forgetConsumption(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) {
        try removeConsumptionReport(on: purchase, app: app)
        for var request in try refundRequests(about: purchase, app: app, limit: RefundRequests.listedMax) {
            request.facts = nil
            if request.state == .waiting {
                (request.answer, request.rule, request.isAnsweredByHook) = (nil, nil, false)
                // It is due, and a server that has taken it has it no longer.
                request.checkAt = request.requestedAt
            }
            try save(request, of: app)
        }
    }

    /// Keeps what an alias reported about a purchase for the customer that it belongs to now.
    ///
    /// - Throws: ``StorageError``.
    func keepConsumption(
        on purchase: OriginalTransactionID,
        of alias: CustomerID,
        for customer: CustomerID,
        app: AppID
    ) throws(StorageError) {
        guard var report = try consumptionReport(on: purchase, app: app), report.customerID == alias else { return }
        report.customerID = customer
        try save(report, of: app)
    }
}
