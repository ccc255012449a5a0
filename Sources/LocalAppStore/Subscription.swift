import AppStoreModel

/// What one account has in one subscription group, from the first purchase on.
struct Subscription: Hashable, Sendable, Codable {
    /// Where the subscription stands.
    enum State: Hashable, Sendable, Codable {
        /// In a period that is paid for, or free by an offer.
        case active
        /// The renewal failed; access goes on until the instant.
        case gracePeriod(ends: Int64)
        /// The renewal failed, and there is no access; grace, if there was one, ended at the instant.
        case billingRetry(graceEnded: Int64?)
        /// Over.
        case expired(ExpirationIntent)
        /// The current period was refunded.
        case revoked
    }

    /// The periods of one unbroken run, counted from its first day so that short months do not shift the day.
    struct BillingCycle: Hashable, Sendable, Codable {
        let anchor: Int64
        let period: CalendarPeriod
        /// Periods sold since the anchor.
        var count = 0

        /// The end of the period that comes next.
        var nextEnd: Int64 { period.added(to: anchor, times: count + 1) }
    }

    /// The first transaction, which names the subscription.
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
    /// An offer paid as you go that still has periods to come.
    var runningOffer: RunningOffer?
    /// The newest period.
    var latest: LedgerIndex<Transaction>
    /// The start of the newest run, as `recentSubscriptionStartDate` counts it.
    var recentStart: Int64
    var appAccountToken: String?
    var signatures = SignatureClock()
    /// Only the timer with this number counts; older ones in the queue are void.
    var timer = 0

    /// An offer paid as you go between two of its periods.
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

    /// Whether a failed renewal is tried again.
    var isInBillingRetry: Bool {
        switch state {
        case .gracePeriod, .billingRetry: true
        case .active, .expired, .revoked: false
        }
    }

    /// Whether the subscription can still go on by itself.
    var isLive: Bool { state == .active || isInBillingRetry }

    /// When the grace period ends or ended; absent without one.
    var gracePeriodEnd: Int64? {
        switch state {
        case .gracePeriod(let ends): ends
        case .billingRetry(let graceEnded): graceEnded
        case .active, .expired, .revoked: nil
        }
    }

    /// Why it ended or is about to: from the first failed renewal on.
    var expirationIntent: ExpirationIntent? {
        switch state {
        case .gracePeriod, .billingRetry: .billingError
        case .expired(let intent): intent
        // Support cancels the subscription whose period it refunds.
        case .revoked: .customerCancelled
        case .active: nil
        }
    }
}
