import AppStoreModel

/// One charge in the ledger, or one free period that stands for one.
struct Transaction: Sendable {
    /// An introductory offer as it applied to one transaction.
    struct AppliedOffer: Hashable, Sendable {
        let type: OfferType
        let discountType: OfferDiscountType
        let period: CalendarPeriod
    }

    /// A refund.
    struct Revocation: Hashable, Sendable {
        let date: Int64
        let reason: RevocationReason
        let type: RevocationType
        /// Thousandths of a percent.
        let percentage: Int32
    }

    let transactionId: String
    let originalTransactionId: String
    let webOrderLineItemId: String?
    let account: LedgerIndex<Account>
    /// Absent for other products than subscriptions.
    let subscription: LedgerIndex<Subscription>?
    let productId: String
    let groupId: String?
    let type: ProductType
    let purchaseDate: Int64
    let originalPurchaseDate: Int64
    let expiresDate: Int64?
    let quantity: Int
    let appAccountToken: String?
    let offer: AppliedOffer?
    let price: Int64
    let reason: TransactionReason
    var revocation: Revocation?
    /// Counts over the whole ledger and moves with every change; the order of the transaction history.
    var modification = 0
    /// When it was signed, for products that have no subscription to keep that.
    var signatures = SignatureClock()

    /// When the access that it paid for ended: at its end, or earlier at its refund.
    var coverageEnd: Int64 {
        let end = expiresDate ?? purchaseDate
        return revocation.map { min(end, $0.date) } ?? end
    }
}
