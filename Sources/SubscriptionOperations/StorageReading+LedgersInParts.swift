import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// The number of ledgers in memory at a time.
    private static var ledgersPerPart: Int { 200 }

    /// Runs a closure with the ledger of each purchase. Memory does not grow with the number of purchases.
    ///
    /// - Throws: ``StorageError``.
    func forEachLedger(
        of purchases: [OriginalTransactionID],
        app: AppID,
        _ body: (PurchaseLedger) -> Void
    ) throws(StorageError) {
        var start = 0
        while start < purchases.count {
            let part = Array(purchases[start...].prefix(Self.ledgersPerPart))
            for ledger in try ledgers(of: part, app: app).values { body(ledger) }
            start += part.count
        }
    }
}
