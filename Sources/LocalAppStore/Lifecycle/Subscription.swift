import AppStoreModel

/// The subscription of one account in one group, from the first purchase on.
struct Subscription: Hashable, Sendable, Codable {
    /// The state of the subscription.
    enum State: Hashable, Sendable, Codable {
        /// In a period that is paid, or free because of an offer.
        case active
        /// The renewal failed; access continues until a time.
        case gracePeriod(ends: Int64)
        /// The renewal failed, and there is no access; the grace period, if any, ended at a time.
        case billingRetry(graceEnded: Int64?)
        /// Ended.
        case expired(ExpirationIntent)
        /// The current period was refunded.
        case revoked
    }

    /// The billing cycle of one uninterrupted run, counted from its first day so that short months do not shift the
    /// day.
    struct BillingCycle: Hashable, Sendable, Codable {
        let anchor: Int64
        let period: CalendarPeriod
        /// Periods sold since the anchor date.
        var count = 0

        /// The end of the next period.
        var nextEnd: Int64 { period.added(to: anchor, times: count + 1) }

        /// The cycle after the period before or after the newest one; a new cycle if no such period ends at the time.
        func returning(toPeriodUntil end: Int64) -> BillingCycle {
            for count in [count - 1, count + 1] where period.added(to: anchor, times: count) == end {
                return BillingCycle(anchor: anchor, period: period, count: count)
            }
            return BillingCycle(anchor: end, period: period)
        }
    }

    /// The first transaction, which identifies the subscription.
    let original: LedgerIndex<Transaction>
    let account: LedgerIndex<Account>
    let groupId: String
    let originalPurchaseDate: Int64
    var state = State.active
    /// The product of the newest period.
    var productId: String
    /// The product of the next period.
    var renewalProductId: String
    var isAutoRenewOn = true
    var cycle: BillingCycle
    /// A pay-as-you-go offer with remaining periods.
    var runningOffer: RunningOffer?
    /// The newest period; of several payments for it, the newest one that is not refunded.
    var latest: LedgerIndex<Transaction>
    /// The start of the newest run, as in `recentSubscriptionStartDate`.
    var recentStart: Int64
    var appAccountToken: String?
    var signatures = SignatureClock()
    /// Only the timer with this number is valid; older ones in the queue are ignored.
    var timer = 0

    /// A pay-as-you-go offer between two of its periods.
    struct RunningOffer: Hashable, Sendable, Codable {
        let offer: GrantedOffer
        var periodsLeft: Int
    }

    var originalTransactionId: String { StoreIdentifier.of(original) }

    /// Apple's status.
    var status: SubscriptionStatus {
        switch state {
        case .active: .active
        case .gracePeriod: .billingGracePeriod
        case .billingRetry: .billingRetry
        case .expired: .expired
        case .revoked: .revoked
        }
    }

    /// Whether a failed renewal is retried.
    var isInBillingRetry: Bool {
        switch state {
        case .gracePeriod, .billingRetry: true
        case .active, .expired, .revoked: false
        }
    }

    /// Whether the subscription can still renew.
    var isLive: Bool { state == .active || isInBillingRetry }

    /// When the grace period ends or ended; absent without one.
    var gracePeriodEnd: Int64? {
        switch state {
        case .gracePeriod(let ends): ends
        case .billingRetry(let graceEnded): graceEnded
        case .active, .expired, .revoked: nil
        }
    }

    /// Why it ended or will end: from the first failed renewal on.
    var expirationIntent: ExpirationIntent? {
        switch state {
        case .gracePeriod, .billingRetry: .billingError
        case .expired(let intent): intent
        // Support cancels a subscription when it refunds the period.
        case .revoked: .customerCancelled
        case .active: nil
        }
    }
}
