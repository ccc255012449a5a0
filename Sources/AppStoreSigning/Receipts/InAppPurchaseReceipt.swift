/// One purchase in an app receipt.
///
/// - Source: Receipt Fields, "In-App Purchase Receipt Fields"; attribute 17 of the receipt.
public struct InAppPurchaseReceipt: Hashable, Sendable {
    /// The quantity, usually 1 and at most 10.
    ///
    /// - Source: attribute 1701.
    public var quantity: Int64?

    /// The product identifier, set by the developer.
    ///
    /// - Source: attribute 1702.
    public var productId: String

    /// The transaction of the charge; `0` and similar in Xcode's receipts, which the App Store does not know.
    ///
    /// - Source: attribute 1703.
    public var transactionId: String

    /// The first transaction of this purchase: the transaction itself, or the one that it renews or restores.
    ///
    /// Absent in Xcode's receipts.
    ///
    /// - Source: attribute 1705.
    public var originalTransactionId: String?

    /// When the customer was charged, or the purchase restored.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 1704.
    public var purchaseDate: Int64?

    /// When it was first bought.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 1706.
    public var originalPurchaseDate: Int64?

    /// When the paid period ends; only for auto-renewable subscriptions.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 1708.
    public var expirationDate: Int64?

    /// When Apple refunded or revoked the purchase, or an upgrade replaced it.
    ///
    /// - Units: milliseconds since 1970-01-01T00:00:00Z.
    /// - Source: attribute 1712.
    public var cancellationDate: Int64?

    /// The identifier of the charge; for subscriptions it is equal on all of a customer's devices.
    ///
    /// - Source: attribute 1711.
    public var webOrderLineItemId: Int64?

    /// Whether this period has the introductory price.
    ///
    /// - Source: attribute 1719.
    public var isInIntroductoryOfferPeriod: Bool?

    /// Whether this period is a free trial.
    ///
    /// - Source: attribute 1713, which Apple does not document; found in receipts.
    public var isTrialPeriod: Bool?

    /// The product type, 3 for auto-renewable subscriptions.
    ///
    /// - Source: attribute 1707, which Apple does not document; found in receipts.
    public var productType: Int64?

    /// The product's Apple ID, 0 in the sandbox.
    ///
    /// - Source: attribute 1710, which Apple does not document; found in receipts.
    public var itemId: Int64?

    /// The redeemed promotional offer.
    ///
    /// - Source: attribute 1721, which Apple does not document.
    public var promotionalOfferId: String?

    /// All other attributes, in the receipt's order.
    public var unknownAttributes: [ReceiptAttribute] = []

    /// Makes a record of a purchase; its other fields are set afterwards.
    public init(
        productId: String,
        transactionId: String,
        originalTransactionId: String? = nil,
        quantity: Int64? = 1,
        purchaseDate: Int64? = nil
    ) {
        self.productId = productId
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.quantity = quantity
        self.purchaseDate = purchaseDate
    }
}
