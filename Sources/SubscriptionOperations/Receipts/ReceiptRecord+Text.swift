import PerennialPrimitives
import SubscriptionCore
package import SubscriptionStorage

extension ReceiptRecord {
    /// A receipt that an app sent. Its transactions identify it: another file with the same transactions is the same
    /// receipt.
    ///
    /// - Throws: ``StorageError`` with `storage_failed`.
    init(
        _ text: String,
        named key: RecentReceipts.Key,
        of customer: CustomerID,
        receivedAt: Timestamp
    ) throws(StorageError) {
        self.init(
            id: EvidenceID("receipt:\(key.digest.hexadecimal)"),
            customerID: customer,
            receivedAt: receivedAt,
            content: try CompressedReceipt(text).bytes
        )
    }

    /// The original receipt.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package func text() throws(StorageError) -> String {
        try CompressedReceipt(bytes: content).text()
    }
}
