import SubscriptionCore
import SubscriptionStorage

extension StorageReading {
    /// The ledgers of several purchases without those that cannot be read.
    ///
    /// - Throws: ``StorageError``.
    func readableLedgers(
        of purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID: PurchaseLedger] {
        do throws(StorageError) {
            return try ledgers(of: purchases, app: app)
        } catch {
            guard error.code == .corrupt else { throw error }
        }
        var ledgers: [OriginalTransactionID: PurchaseLedger] = [:]
        for purchase in purchases {
            ledgers[purchase] = try readableLedger(of: purchase, app: app)
        }
        return ledgers
    }

    /// The ledger of a purchase; nil if it cannot be read.
    ///
    /// - Throws: ``StorageError``.
    func readableLedger(
        of purchase: OriginalTransactionID,
        app: AppID
    ) throws(StorageError) -> PurchaseLedger? {
        do throws(StorageError) {
            return try ledger(of: purchase, app: app)
        } catch {
            guard error.code == .corrupt else { throw error }
            return nil
        }
    }
}
