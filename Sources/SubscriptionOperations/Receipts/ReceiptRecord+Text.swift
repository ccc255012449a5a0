import Crypto
import SubscriptionCore
package import SubscriptionStorage

extension ReceiptRecord {
    /// A receipt that an app sent: its text is its name.
    ///
    /// - Throws: ``StorageError`` with `storage_failed`.
    init(_ text: String, of customer: CustomerID, receivedAt: Timestamp) throws(StorageError) {
        self.init(
            id: EvidenceID("receipt:\(SHA256.hash(data: Array(text.utf8)).hexadecimal)"),
            customerID: customer,
            receivedAt: receivedAt,
            content: try CompressedReceipt(text).bytes
        )
    }

    /// The receipt as the app sent it.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package func text() throws(StorageError) -> String {
        try CompressedReceipt(bytes: content).text()
    }
}
