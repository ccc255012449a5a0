public import AppStoreModel

/// Whether the account's card can be charged.
public enum PaymentState: String, Hashable, Sendable, CaseIterable, Codable {
    /// Charges succeed.
    case ok
    /// Charges fail.
    case declined
}

/// One account in the store's ledger: the reference for every other answer.
public struct AccountReport: Hashable, Sendable {
    /// The account's identifier in this store.
    public var accountId: String
    /// The country of the account, ISO 3166-1 alpha-3.
    public var storefront: String
    /// Apple's identifier of the account's download of the app.
    public var appTransactionId: String
    /// Whether the card can be charged.
    public var payment: PaymentState
    /// The attempt that charges a failed renewal although the card is declined, from 1; absent if none does.
    public var recoversAfter: Int?
    /// How its purchases are approved.
    public var purchaseBehaviour: PurchaseBehaviour
    /// The accounts that share its purchases, in the order in which they joined.
    public var familyMembers: [String]
    /// The account's subscriptions, oldest first.
    public var subscriptions: [SubscriptionReport]
    /// The account's transactions, oldest first.
    public var transactions: [TransactionReport]
}

/// A page of accounts, in the order in which they were created.
public struct AccountPage: Hashable, Sendable {
    /// The accounts.
    public let accounts: [AccountReport]
    /// The cursor of the next page; absent on the last page.
    public let nextCursor: String?
}

/// The current state of one subscription in the ledger.
public struct SubscriptionReport: Hashable, Sendable {
    /// The first transaction; the subscription's identity.
    public var originalTransactionId: String
    /// The subscription's group.
    public var subscriptionGroupIdentifier: String
    /// The product of the newest period.
    public var productId: String
    /// The product of the next period.
    public var autoRenewProductId: String
    /// Whether the subscription will renew.
    public var autoRenewStatus: AutoRenewStatus
    /// Apple's status, 1 to 5.
    public var status: SubscriptionStatus
    /// When the first transaction was bought, milliseconds since 1970.
    public var originalPurchaseDate: Int64
    /// When the newest period began, milliseconds since 1970.
    public var purchaseDate: Int64
    /// When the newest period ends, milliseconds since 1970.
    public var expiresDate: Int64
    /// When the grace period ends or ended, milliseconds since 1970.
    public var gracePeriodExpiresDate: Int64?
    /// Whether Apple retries a failed renewal.
    public var isInBillingRetryPeriod: Bool
    /// Why the subscription ended or will end.
    public var expirationIntent: ExpirationIntent?
    /// When the newest period was refunded, milliseconds since 1970.
    public var revocationDate: Int64?
    /// The kind of offer of the newest period.
    public var offerType: OfferType?
    /// How the offer of the newest period is paid.
    public var offerDiscountType: OfferDiscountType?
    /// What the newest period cost, thousandths of the currency unit.
    public var price: Int64
    /// ISO 4217.
    public var currency: String
    /// The current price of the next period, for all seats, thousandths of the currency unit; absent if there is none.
    public var renewalPrice: Int64?
    /// The state of a price increase for the subscriber; absent if none was announced.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// How the account owns the subscription.
    public var inAppOwnershipType: InAppOwnershipType
    /// The developer's identifier of the user.
    public var appAccountToken: String?
}

/// The current state of one transaction in the ledger.
public struct TransactionReport: Hashable, Sendable {
    /// The transaction's identifier.
    public var transactionId: String
    /// The first transaction of the same purchase line.
    public var originalTransactionId: String
    /// The order number on the customer's receipt.
    public var orderId: String
    /// What was bought.
    public var productId: String
    /// The product's type.
    public var type: ProductType
    /// When it was bought, milliseconds since 1970.
    public var purchaseDate: Int64
    /// When the period ends, milliseconds since 1970; absent for products other than subscriptions.
    public var expiresDate: Int64?
    /// The total price, thousandths of the currency unit.
    public var price: Int64
    /// ISO 4217.
    public var currency: String
    /// The quantity.
    public var quantity: Int
    /// When it was refunded, milliseconds since 1970.
    public var revocationDate: Int64?
    /// The kind of offer.
    public var offerType: OfferType?
    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// Whether the customer or the store initiated it.
    public var transactionReason: TransactionReason
    /// Whether an upgrade replaced the period.
    public var isUpgraded: Bool
    /// The refund of the upgrade, thousandths of the currency unit.
    public var proratedRefund: Int64?
}

/// The store in numbers.
public struct StoreStatus: Hashable, Sendable {
    /// The virtual time, milliseconds since 1970.
    public var now: Int64
    /// The seed of the store.
    public var seed: UInt64
    /// The environment in every payload.
    public var environment: AppStoreEnvironment
    /// The profile of the store; absent for the default rules of the environment.
    public var profile: StoreProfile?
    /// The number of accounts.
    public var accounts: Int
    /// The number of subscriptions in any state.
    public var subscriptions: Int
    /// The number of transactions.
    public var transactions: Int
    /// The number of notifications.
    public var notifications: Int
}
