/// What a server knows about a purchase whose money a customer wants back.
///
/// A ``ConsumptionPolicy`` decides by these facts alone, so that a decision can be repeated later.
public struct ConsumptionFacts: Hashable, Sendable {
    /// Whether the customer received a working purchase.
    ///
    /// - Source: App Store Server API, deliveryStatus.
    public enum Delivery: String, Hashable, Sendable, CaseIterable {
        /// It works.
        case delivered
        /// It does not work as promised.
        case undeliveredQualityIssue = "undelivered_quality_issue"
        /// The customer received something else.
        case undeliveredWrongItem = "undelivered_wrong_item"
        /// The developer's servers did not work.
        case undeliveredServerOutage = "undelivered_server_outage"
        /// Another reason.
        case undeliveredOther = "undelivered_other"
    }

    /// All of a purchase, in thousandths of a percent.
    public static let percentageMax = 100_000

    /// The product.
    public var productID: ProductID
    /// The kind of product.
    public var kind: ProductKind
    /// How the customer came to own it.
    public var ownership: Ownership
    /// When the period or purchase began.
    public var purchasedAt: Timestamp
    /// When the customer asked for the money.
    public var requestedAt: Timestamp
    /// The reason that the customer gave, as in `unintended_purchase`; nil if Apple did not say.
    public var reason: String?
    /// Whether the customer agreed that Apple gets these data; nil if nobody recorded an answer.
    public var consents: Bool?
    /// Whether the customer received a working purchase; nil if nobody reported it.
    public var delivery: Delivery?
    /// The consumed part, in thousandths of a percent; nil if nobody reported it.
    public var percentage: Int?
    /// Whether the customer could try it before; nil if nobody reported it.
    public var sampleProvided: Bool?
    /// When the customer's account was made; nil if the purchase has no customer.
    public var accountCreatedAt: Timestamp?
    /// What the customer paid and got back before.
    public var spending = Spending()
    /// How often the customer asked for money before.
    public var requestsBefore = 0

    /// Makes facts about a transaction, without anything that was reported.
    public init(of transaction: TransactionFact, requestedAt: Timestamp, reason: String?) {
        self.init(
            productID: transaction.productID,
            kind: transaction.kind,
            ownership: transaction.ownership,
            purchasedAt: transaction.purchasedAt,
            requestedAt: requestedAt,
            reason: reason
        )
    }

    /// Makes facts without anything that was reported.
    public init(
        productID: ProductID,
        kind: ProductKind,
        ownership: Ownership,
        purchasedAt: Timestamp,
        requestedAt: Timestamp,
        reason: String?
    ) {
        self.productID = productID
        self.kind = kind
        self.ownership = ownership
        self.purchasedAt = purchasedAt
        self.requestedAt = requestedAt
        self.reason = reason
    }

    /// The value that a bound of a rule is about; nil if it is not known.
    ///
    /// - Parameter currency: The currency of amounts.
    func value(of measure: ConsumptionPolicy.Measure, in currency: String) -> Int? {
        switch measure {
        case .consumptionPercentage: percentage
        case .purchaseAgeDays: days(since: purchasedAt)
        case .accountAgeDays: accountCreatedAt.map(days)
        case .refundsBefore: spending.refunds
        case .requestsBefore: requestsBefore
        case .paymentsBefore: spending.payments
        case .lifetimeSpent: spending.paid[currency] ?? 0
        case .lifetimeRefunded: spending.refunded[currency] ?? 0
        }
    }

    private func days(since time: Timestamp) -> Int {
        Int(clamping: max(0, requestedAt.milliseconds - time.milliseconds) / 86_400_000)
    }
}
