import AppStoreModel

/// The Advanced Commerce purchases and their renewal terms.
struct AdvancedCommerceLedger: Sendable, Codable {
    /// The items of each transaction.
    fileprivate(set) var purchases: [LedgerIndex<Transaction>: AdvancedCommerceTransactionInfo] = [:]
    /// The subscriptions of Advanced Commerce.
    fileprivate(set) var subscriptions: [LedgerIndex<Subscription>: AdvancedCommerceTerms] = [:]
    /// The migrated ordinary subscriptions, by their new subscription.
    private(set) var origins: [LedgerIndex<Subscription>: LedgerIndex<Subscription>] = [:]
    private var moved: Set<LedgerIndex<Subscription>> = []
    /// The items whose refund is pending.
    var pendingRefunds: [LedgerIndex<Transaction>: [AdvancedCommerceRefundOrder]] = [:]
    private var requests: Set<String> = []

    /// Whether a request was already made.
    func hasSeen(_ requestReferenceId: String) -> Bool { requests.contains(requestReferenceId) }

    /// Records the items of a transaction, and counts the period of every offer.
    fileprivate mutating func noteSale(
        of items: AdvancedCommerceTerms,
        as transaction: LedgerIndex<Transaction>,
        to subscription: LedgerIndex<Subscription>
    ) {
        purchases[transaction] = items.sold()
        var next = items
        next.consistencyToken = subscriptions[subscription]?.consistencyToken ?? items.consistencyToken
        next.passPeriod()
        subscriptions[subscription] = next
    }

    mutating func note(_ requestReferenceId: String) { requests.insert(requestReferenceId) }

    /// Whether an ordinary subscription was migrated to Advanced Commerce.
    func hasMoved(_ subscription: LedgerIndex<Subscription>) -> Bool {
        !moved.isEmpty && moved.contains(subscription)
    }

    /// Records that a subscription continues as another one.
    mutating func move(_ old: LedgerIndex<Subscription>, to new: LedgerIndex<Subscription>) {
        origins[new] = old
        moved.insert(old)
    }
}

extension Ledger {
    /// The terms of a subscription of Advanced Commerce from its next renewal on.
    subscript(termsOf index: LedgerIndex<Subscription>) -> AdvancedCommerceTerms? {
        get { advancedCommerce.subscriptions[index] }
        set {
            advancedCommerce.subscriptions[index] = newValue
            contentChanged(of: index)
        }
    }

    /// The items of an Advanced Commerce transaction.
    subscript(itemsOf index: LedgerIndex<Transaction>) -> AdvancedCommerceTransactionInfo? {
        get { advancedCommerce.purchases[index] }
        set {
            advancedCommerce.purchases[index] = newValue
            contentChanged(of: index)
        }
    }

    /// Records the items of a transaction, and counts the period of every offer.
    mutating func noteSale(
        of items: AdvancedCommerceTerms,
        as transaction: LedgerIndex<Transaction>,
        to subscription: LedgerIndex<Subscription>
    ) {
        advancedCommerce.noteSale(of: items, as: transaction, to: subscription)
        contentChanged(of: transaction)
    }
}
