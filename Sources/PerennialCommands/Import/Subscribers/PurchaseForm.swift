import AppStoreSigning

/// How the rows of a file name the purchases of their users.
enum PurchaseForm: Sendable {
    /// The identifier of a transaction.
    case transactionID
    /// A receipt in base64, which the verifier checks before it is sent.
    case receipt(ReceiptVerifier)

    /// The maximum size of a row.
    ///
    /// - Units: bytes. A row with a receipt may be as long as a request body of the server.
    var rowBytesMax: Int {
        switch self {
        case .transactionID: 1 << 20
        case .receipt: 6 << 20
        }
    }

    /// The known names of the column with the purchase.
    var columns: [String] {
        switch self {
        case .transactionID:
            ["original_transaction_id", "transaction_id", "original_store_transaction_id", "store_transaction_id"]
        case .receipt: ["receipt", "app_receipt", "receipt_data", "receipt-data", "latest_receipt"]
        }
    }

    /// The option that names another column.
    var option: String {
        switch self {
        case .transactionID: "--transaction-column"
        case .receipt: "--receipt-column"
        }
    }

    /// What the column contains, for messages.
    var noun: String {
        switch self {
        case .transactionID: "transaction id"
        case .receipt: "receipt"
        }
    }

    /// What follows the name of the file in the names of the journal and of the file of rejected rows.
    ///
    /// The two differ, so that one command does not continue the work of the other.
    var suffix: String {
        switch self {
        case .transactionID: "import"
        case .receipt: "receipts"
        }
    }
}
