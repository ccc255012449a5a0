import AppStoreModel

/// What the developer sets for the app in App Store Connect, as far as this store plays it.
public struct StoreSettings: Hashable, Sendable, Codable {
    /// How long a subscriber keeps access while a failed renewal is tried again.
    public enum GracePeriod: String, Hashable, Sendable, CaseIterable, Codable {
        /// No grace.
        case none
        /// Three days, for every product.
        case threeDays = "three_days"
        /// Sixteen days; six for weekly products.
        case sixteenDays = "sixteen_days"
        /// Twenty-eight days; six for weekly products.
        case twentyEightDays = "twenty_eight_days"
    }

    /// Which renewals have a grace period.
    public enum GracePeriodScope: String, Hashable, Sendable, CaseIterable, Codable {
        /// Every renewal, also the first paid one after a free offer.
        case allRenewals = "all_renewals"
        /// Only renewals that follow a paid period.
        case paidToPaidOnly = "paid_to_paid_only"
    }

    /// The length of the grace period.
    public var gracePeriod: GracePeriod

    /// Which renewals have a grace period.
    public var gracePeriodScope: GracePeriodScope

    /// What has at most two extensions of the renewal date in 365 days.
    public enum ExtensionLimit: String, Hashable, Sendable, CaseIterable, Codable {
        /// All subscriptions of a customer together.
        case customer
        /// Each subscription.
        case subscription
    }

    /// The storefront of accounts that are created without one, ISO 3166-1 alpha-3.
    public var defaultStorefront: String

    /// Whether calls of Apple's API are counted.
    public var rateLimits: RateLimitPolicy

    /// How long a mass extension of renewal dates waits before it is carried out; Apple's takes hours to days.
    public var massExtensionDelay: CalendarPeriod

    /// How long a mass extension of renewal dates takes once it has begun.
    public var massExtensionDuration = CalendarPeriod.hours(2)

    /// Whose extensions of renewal dates are counted together: Apple's article says the customer's, its error page the
    /// subscription's.
    public var extensionLimit = ExtensionLimit.customer

    /// Whether `originalPurchaseDate` of first transactions is a second or two later than `purchaseDate`, as in
    /// Apple's.
    public var delaysOriginalPurchaseDate = true

    /// The version of notifications; one URL gets one version, and tests are always version 2.
    public var notificationVersion: NotificationVersion

    /// How short periods are in the profile `sandbox`.
    public var sandboxRenewalRate = SandboxRenewalRate.fiveMinutes

    /// Whether Apple gave the developer access to the real-time calls of Retention Messaging.
    public var retentionMessagingAccess = true

    /// How long an answer to a real-time request may take, in milliseconds of real time.
    public var realtimeDeadlineMilliseconds = Int64(RetentionMessagingLimits.realtimeAnswerMillisecondsMax)

    /// The deadlines that real-time requests may have, in milliseconds.
    public static let realtimeDeadlineRange: ClosedRange<Int64> = 1...60_000

    /// Makes settings; without arguments, what a new app has.
    public init(
        gracePeriod: GracePeriod = .none,
        gracePeriodScope: GracePeriodScope = .allRenewals,
        defaultStorefront: String = "USA",
        rateLimits: RateLimitPolicy = .apple,
        massExtensionDelay: CalendarPeriod = .hours(1),
        notificationVersion: NotificationVersion = .v2
    ) {
        self.gracePeriod = gracePeriod
        self.gracePeriodScope = gracePeriodScope
        self.defaultStorefront = defaultStorefront
        self.rateLimits = rateLimits
        self.massExtensionDelay = massExtensionDelay
        self.notificationVersion = notificationVersion
    }
}
