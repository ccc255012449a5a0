/// All subscriptions of the store's ledger at one time.
struct DemoLedger: Sendable {
    /// A subscription with its customer.
    struct Entry: Sendable {
        let accountID: String
        let storefront: String
        let subscription: LedgerSubscription

        var id: String { subscription.originalTransactionId }
        var productID: String { subscription.productId }
        var isPurchased: Bool { subscription.inAppOwnershipType == "PURCHASED" }
        /// Whether Apple extends it: it is active, paid, and not somebody else's.
        var isExtendable: Bool { subscription.isActive && subscription.price > 0 && isPurchased }
        /// The code of the first reason why Apple does not extend it; nil if Apple does, or if it has ended.
        ///
        /// Nobody in the demo was extended twice before the outage week.
        var extensionObstacle: String? {
            guard !subscription.isOver else { return nil }
            if !isPurchased { return "extension_family_shared" }
            if subscription.isInGracePeriod { return "extension_grace_period" }
            if subscription.isInBillingRetry { return "extension_billing_retry" }
            return subscription.price == 0 ? "extension_free_period" : nil
        }
    }

    /// A period of a subscription.
    private struct Period: Sendable {
        let subscriptionID: String
        let productID: String
        let start: Int64
        let end: Int64

        /// The longest period of each product, in days.
        static let daysMax: [String: Int64] = [
            "pro.weekly": 7, "pro.monthly": 31, "plus.monthly": 31, "pro.yearly": 366,
        ]

        /// The latest end without an extension.
        var endMax: Int64 { start + (Self.daysMax[productID] ?? 366) * DemoLedger.dayMilliseconds }
    }

    /// A day, in milliseconds.
    static let dayMilliseconds: Int64 = 86_400_000

    /// The subscriptions, by identifier.
    private(set) var entries: [String: Entry] = [:]
    /// The periods, by transaction.
    private var periods: [String: Period] = [:]

    init(_ accounts: [LedgerAccount] = []) {
        for account in accounts { add(account) }
    }

    /// Adds the subscriptions of an account.
    mutating func add(_ account: LedgerAccount) {
        for subscription in account.subscriptions {
            entries[subscription.originalTransactionId] = Entry(
                accountID: account.accountId,
                storefront: account.storefront,
                subscription: subscription
            )
        }
        for transaction in account.transactions where transaction.isRenewable {
            guard let end = transaction.expiresDate else { continue }
            periods[transaction.transactionId] = Period(
                subscriptionID: transaction.originalTransactionId,
                productID: transaction.productId,
                start: transaction.purchaseDate,
                end: end
            )
        }
    }

    /// The subscriptions that Apple extends, by identifier.
    var extendable: [Entry] { entries.values.filter(\.isExtendable).sorted { $0.id < $1.id } }

    /// The end of the period of a transaction.
    func periodEnd(of transactionID: String) -> Int64? { periods[transactionID]?.end }

    /// Whether another period of a subscription has begun since then.
    func hasRenewed(_ subscriptionID: String, since before: DemoLedger) -> Bool {
        let start = entries[subscriptionID]?.subscription.purchaseDate
        return start != before.entries[subscriptionID]?.subscription.purchaseDate
    }

    /// The subscriptions with a period that became longer since then.
    ///
    /// A period that began since then became longer if it is longer than its product has it.
    func extended(since before: DemoLedger) -> Set<String> {
        var found: Set<String> = []
        for (id, period) in periods where period.end > before.periods[id]?.end ?? period.endMax {
            found.insert(period.subscriptionID)
        }
        return found
    }
}
