import AppStoreModel

/// One charge in the ledger, or one free period.
struct Transaction: Hashable, Sendable, Codable {
    /// An offer in one transaction.
    struct AppliedOffer: Hashable, Sendable, Codable {
        let type: OfferType
        /// Absent for introductory offers.
        var identifier: String?
        let discountType: OfferDiscountType
        /// Absent for products other than subscriptions.
        var period: CalendarPeriod?
    }

    /// A refund.
    struct Revocation: Hashable, Sendable, Codable {
        let date: Int64
        let reason: RevocationReason
        let type: RevocationType
        /// Thousandths of a percent; absent if nothing was paid back.
        let percentage: Int32?
    }

    /// Its index in the ledger.
    let index: LedgerIndex<Transaction>
    /// The first transaction of the same purchase; may be itself.
    let original: LedgerIndex<Transaction>
    let account: LedgerIndex<Account>
    /// Absent for products other than subscriptions.
    let subscription: LedgerIndex<Subscription>?
    let productId: String
    let groupId: String?
    let type: ProductType
    let purchaseDate: Int64
    let originalPurchaseDate: Int64
    /// Changed only by a renewal extension, which moves every payment for the period, refunded or not.
    var expiresDate: Int64?
    let quantity: Int
    var appAccountToken: String?
    let offer: AppliedOffer?
    let price: Int64
    let reason: TransactionReason
    /// Whether it began a period that later payments may belong to: of seats and Advanced Commerce. Absent for other
    /// transactions, and in files of earlier versions.
    var beginsPeriod: Bool?
    var ownership = InAppOwnershipType.purchased
    /// Whether an upgrade replaced its period.
    var isUpgraded = false
    var revocation: Revocation?
    /// Counts over the whole ledger and changes with every modification; the order of the transaction history.
    var modification = 0
    /// When it was signed, for products without a subscription.
    var signatures = SignatureClock()

    var transactionId: String { StoreIdentifier.of(index) }

    var originalTransactionId: String { StoreIdentifier.of(original) }

    /// One per period of a subscription; absent for other products.
    var webOrderLineItemId: String? { subscription == nil ? nil : StoreIdentifier.orderLine(of: index) }

    /// When its access ended: at its end, or earlier at its refund.
    var coverageEnd: Int64 {
        let end = expiresDate ?? purchaseDate
        return revocation.map { min(end, $0.date) } ?? end
    }
}
