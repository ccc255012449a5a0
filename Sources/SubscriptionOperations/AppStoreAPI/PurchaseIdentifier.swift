/// An identifier by which the App Store finds purchases. It does not prove who sends it.
public enum PurchaseIdentifier: Hashable, Sendable {
    /// Any transaction of a purchase; identifies this one purchase.
    case transaction(String)
    /// The first transaction of a purchase.
    case originalTransaction(String)
    /// The app transaction of an Apple Account; identifies all of its purchases in the app.
    case appTransaction(String)
    /// The order number in the mail that Apple sends to the customer; identifies the purchases of the order.
    ///
    /// Apple looks up orders in production only.
    case order(String)
    /// The receipt of one purchase from iOS 6 (`SKPaymentTransaction.transactionReceipt`), in base64.
    ///
    /// Its signature cannot be verified any more, so only the identifier in it is used.
    case transactionReceipt(String)

    /// The field of a request with the identifier.
    public var field: String {
        switch self {
        case .transaction: "transaction_id"
        case .originalTransaction: "original_transaction_id"
        case .appTransaction: "app_transaction_id"
        case .order: "order_id"
        case .transactionReceipt: "transaction_receipt"
        }
    }
}
