public import AppStoreModel

/// Whether the account's card can be charged.
public enum PaymentState: String, Hashable, Sendable, CaseIterable, Codable {
    /// Charges succeed.
    case ok
    /// Charges fail.
    case declined
}

/// One account as the store's own ledger has it: the oracle that every answer elsewhere is compared with.
public struct AccountReport: Hashable, Sendable {
    /// The account's identifier in this store.
    public var accountId: String
    /// The country of the account, ISO 3166-1 alpha-3.
    public var storefront: String
    /// Apple's identifier of the account's download of the app.
    public var appTransactionId: String
    /// Whether the card can be charged.
    public var payment: PaymentState
    /// How its purchases come about.
    public var purchaseBehaviour: PurchaseBehaviour
    /// The accounts that it shares its purchases with, in the order in which they joined.
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
    /// Where the next page begins; absent when there is none.
    public let nextCursor: String?
}

/// One subscription as the ledger has it now.
public struct SubscriptionReport: Hashable, Sendable {
    /// The first transaction; the subscription's identity.
    public var originalTransactionId: String
    /// The subscription's group.
    public var subscriptionGroupIdentifier: String
    /// The product of the newest period.
    public var productId: String
    /// The product of the next period.
    public var autoRenewProductId: String
    /// Whether there will be a next period.
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
    /// Whether Apple tries to charge a failed renewal.
    public var isInBillingRetryPeriod: Bool
    /// Why the subscription ended or is about to.
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
    /// What the next period costs as things stand, thousandths of the currency unit; absent when there is none.
    public var renewalPrice: Int64?
    /// How far the subscriber is with a higher price; absent while none was announced.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// How the account has the subscription.
    public var inAppOwnershipType: InAppOwnershipType
    /// The developer's user.
    public var appAccountToken: String?
}

/// One transaction as the ledger has it now.
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
    /// When the period ends, milliseconds since 1970; absent for other products than subscriptions.
    public var expiresDate: Int64?
    /// What it cost in all, thousandths of the currency unit.
    public var price: Int64
    /// ISO 4217.
    public var currency: String
    /// How many.
    public var quantity: Int
    /// When it was refunded, milliseconds since 1970.
    public var revocationDate: Int64?
    /// The kind of offer.
    public var offerType: OfferType?
    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// Whether the customer or the store began it.
    public var transactionReason: TransactionReason
    /// Whether an upgrade took the place of the period.
    public var isUpgraded: Bool
    /// What the customer got back at the upgrade, thousandths of the currency unit.
    public var proratedRefund: Int64?
}

/// The store in numbers.
public struct StoreStatus: Hashable, Sendable {
    /// The virtual instant, milliseconds since 1970.
    public var now: Int64
    /// The seed of the store.
    public var seed: UInt64
    /// Named in every payload.
    public var environment: AppStoreEnvironment
    /// The named behaviour that the store plays; absent for the plain rules of the environment.
    public var profile: StoreProfile?
    /// How many accounts there are.
    public var accounts: Int
    /// How many subscriptions there are, in any state.
    public var subscriptions: Int
    /// How many transactions there are.
    public var transactions: Int
    /// How many notifications were made.
    public var notifications: Int
}
