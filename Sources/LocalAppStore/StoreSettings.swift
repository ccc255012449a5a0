import AppStoreModel

/// The developer's settings of the app in App Store Connect, as far as this store simulates them.
public struct StoreSettings: Hashable, Sendable, Codable {
    /// How long a subscriber keeps access while a failed renewal is retried.
    public enum GracePeriod: String, Hashable, Sendable, CaseIterable, Codable {
        /// No grace period.
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
        /// Every renewal, including the first paid one after a free offer.
        case allRenewals = "all_renewals"
        /// Only renewals that follow a paid period.
        case paidToPaidOnly = "paid_to_paid_only"
    }

    /// The length of the grace period.
    public var gracePeriod: GracePeriod

    /// Which renewals have a grace period.
    public var gracePeriodScope: GracePeriodScope

    /// What the limit of two renewal extensions in 365 days applies to.
    public enum ExtensionLimit: String, Hashable, Sendable, CaseIterable, Codable {
        /// All subscriptions of a customer together.
        case customer
        /// Each subscription.
        case subscription
    }

    /// The default storefront of new accounts, ISO 3166-1 alpha-3.
    public var defaultStorefront: String

    /// Whether calls of Apple's API are counted.
    public var rateLimits: RateLimitPolicy

    /// How long a mass extension of renewal dates waits before it starts; Apple's takes hours to days.
    public var massExtensionDelay: CalendarPeriod

    /// How long a mass extension of renewal dates takes after its start.
    public var massExtensionDuration = CalendarPeriod.hours(2)

    /// The scope of the limit of renewal extensions: the customer in Apple's article, the subscription on its error
    /// page.
    public var extensionLimit = ExtensionLimit.customer

    /// Whether `originalPurchaseDate` of first transactions is a second or two after `purchaseDate`, as in Apple's
    /// data.
    public var delaysOriginalPurchaseDate = true

    /// The version of notifications; one URL gets one version, and tests are always version 2.
    public var notificationVersion: NotificationVersion

    /// The renewal rate in the profile `sandbox`.
    public var sandboxRenewalRate = SandboxRenewalRate.fiveMinutes

    /// Whether the developer has access to the realtime calls of Retention Messaging.
    public var retentionMessagingAccess = true

    /// The deadline of an answer to a realtime request, in milliseconds of real time.
    public var realtimeDeadlineMilliseconds = Int64(RetentionMessagingLimits.realtimeAnswerMillisecondsMax)

    /// The allowed deadlines of realtime requests, in milliseconds.
    public static let realtimeDeadlineRange: ClosedRange<Int64> = 1...60_000

    /// How long before the end of a period its renewal is charged; at most a quarter of the period.
    ///
    /// Apple charges within the last 24 hours and publishes no exact time. The default, `nil`, is that of the profile:
    /// a day in `production`. Elsewhere a renewal takes place at the end itself, so that periods, events and clock
    /// steps coincide. A charge that cannot succeed is tried at the end. A shorter time counts at once, a longer one
    /// from the next period on.
    ///
    /// - Units: milliseconds.
    public var renewalLeadMilliseconds: Int64? {
        get { renewalLead }
        set { renewalLead = newValue }
    }

    /// Absent in older files.
    private var renewalLead: Int64?

    /// The allowed times before the end of a period, in milliseconds.
    public static let renewalLeadRange: ClosedRange<Int64> = 0...Milliseconds.day

    /// Makes settings; the defaults are those of a new app.
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
