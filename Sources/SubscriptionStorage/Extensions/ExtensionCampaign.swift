import PerennialPrimitives
public import SubscriptionCore

/// A campaign: the periods of many subscriptions are extended by the same number of days, after an outage for example.
///
/// An operator drafts it, looks at a dry run, and another operator approves it. Its members are rows of
/// ``RenewalExtension``, one for each subscription.
public struct ExtensionCampaign: Hashable, Sendable {
    /// How far it is.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// It can be tried with a dry run and approved.
        case draft
        /// It can be started.
        case approved
        /// Apple is being asked.
        case running
        /// Every member has a result.
        case finished
        /// An operator ended it. What Apple was asked before stays extended, and orders that it accepted go on.
        case cancelled
    }

    /// How Apple is asked.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        /// About each subscription alone.
        case single
        /// By one order for all subscribers of a product, which Apple carries out over hours or days.
        case mass
    }

    /// The terms, which never change.
    public struct Terms: Hashable, Sendable {
        /// The products whose subscribers are meant.
        public var productIDs: [ProductID]
        /// The storefronts, as ISO 3166-1 alpha-3 countries; nil for all.
        public var storefronts: [String]?
        /// The number of days, 1 to 90.
        public var days: Int
        /// The reason that the server sends Apple.
        public var reason: RenewalExtension.Reason
        /// The outage: only subscriptions that were active in it; nil for all that are active now.
        public var window: Window?
        /// How Apple is asked. A mass order knows no window.
        public var method: Method

        /// Makes terms.
        ///
        /// - Parameter method: Nil for mass orders, or for single calls if there is a window.
        public init(
            productIDs: [ProductID],
            storefronts: [String]? = nil,
            days: Int,
            reason: RenewalExtension.Reason,
            window: Window? = nil,
            method: Method? = nil
        ) {
            self.productIDs = productIDs
            self.storefronts = storefronts
            self.days = days
            self.reason = reason
            self.window = window
            self.method = method ?? (window == nil ? .mass : .single)
        }
    }

    /// A time span.
    public struct Window: Hashable, Sendable {
        /// Its start.
        public var from: Timestamp
        /// Its end.
        public var to: Timestamp

        /// Makes a time span.
        public init(from: Timestamp, to: Timestamp) {
            self.from = from
            self.to = to
        }
    }

    /// A look at all subscriptions without asking Apple, as far as it got.
    public struct DryRun: Hashable, Sendable {
        /// When it was requested.
        public var startedAt: Timestamp
        /// When it was finished; nil while it is running.
        public var finishedAt: Timestamp?
        /// The last subscription that it has counted; nil before the first.
        public var through: OriginalTransactionID?
        /// What it has counted.
        public var counts: CampaignCounts

        /// Makes a dry run that has counted nothing.
        public init(startedAt: Timestamp) {
            self.startedAt = startedAt
            counts = CampaignCounts()
        }
    }

    /// Its identifier.
    public var id: ExtensionCampaignID
    /// When it was drafted.
    public var createdAt: Timestamp
    /// What is extended.
    public var terms: Terms
    /// Who drafted it: an identifier of the key, or the command.
    public var draftedBy: String
    /// How far it is.
    public var state: State
    /// The newest dry run; nil before the first.
    public var dryRun: DryRun?
    /// When it was approved; nil before.
    public var approvedAt: Timestamp?
    /// When it was started; nil before.
    public var startedAt: Timestamp?
    /// When it was finished or cancelled; nil before.
    public var endedAt: Timestamp?
    /// The last subscription that was looked at for membership; nil before the first.
    public var enlistedThrough: OriginalTransactionID?
    /// Whether members may still get a result: it was started, and not every result is counted.
    public var isCounting = false
    /// Whether every member has a row.
    public var isEnlisted = false
    /// What was counted while members were enlisted.
    public var enlisted = CampaignCounts()
    /// The members by ``RenewalExtension/result``, as far as they are counted.
    public var members: [String: Int] = [:]
    /// How often in a row Apple was away or busy.
    public var pauses = 0
    /// When the next call is made after Apple was away or busy; nil if nothing is in the way.
    public var retryAt: Timestamp?
    /// Why the last call was not made; nil if it was.
    public var failure: StoredFailure?

    /// Makes a draft.
    public init(id: ExtensionCampaignID, createdAt: Timestamp, terms: Terms, draftedBy: String) {
        self.id = id
        self.createdAt = createdAt
        self.terms = terms
        self.draftedBy = draftedBy
        state = .draft
    }

    /// Whether a server has something to do for it.
    public var isOpen: Bool { isCounting || dryRun.map { $0.finishedAt == nil } ?? false }
}

extension ExtensionCampaign {
    /// The number of planned members that Apple could not find, and about which it asks to try again.
    public var postponedCount: Int {
        members.reduce(0) { $0 + ($1.key.hasPrefix(RenewalExtension.postponedPrefix) ? $1.value : 0) }
    }

    /// When Apple is asked again about the first of these members, rounded up to the minute; nil if nobody waits for
    /// that. It may be over: then the server asks soon, or the member waits for something else.
    public var nextTryAt: Timestamp? {
        guard state == .running else { return nil }
        let times = members.keys.compactMap { result in
            result.hasPrefix(RenewalExtension.postponedPrefix)
                ? Int64(result.dropFirst(RenewalExtension.postponedPrefix.count)) : nil
        }
        guard let first = times.min().map(Timestamp.init(milliseconds:)) else { return nil }
        return retryAt.map { max($0, first) } ?? first
    }
}

/// The identifier of a campaign.
public struct ExtensionCampaignID: TextIdentifier {
    /// The beginning of the identifiers that a server makes. 24 lower-case hexadecimal digits follow.
    public static let prefix = "xc_"

    /// The text.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension ExtensionCampaignID {
    private static let digitCount = 24

    /// The identifier with some hexadecimal digits.
    init(digits: String) { self.init(rawValue: Self.prefix + digits) }

    /// The hexadecimal digits of an identifier that a server made; nil for others.
    var digits: Substring? {
        let digits = rawValue.dropFirst(Self.prefix.count)
        guard rawValue.hasPrefix(Self.prefix), digits.utf8.count == Self.digitCount,
            [UInt8](hexadecimal: String(digits)) != nil
        else { return nil }
        return digits
    }
}

/// Subscriptions that were looked at for a campaign.
public struct CampaignCounts: Hashable, Sendable {
    /// The subscriptions of the products, storefronts and window that can be extended.
    public var eligible = 0
    /// Those that cannot be extended, by the first obstacle.
    public var ineligible: [String: Int] = [:]
    /// The same by product, and then by the first obstacle; empty in counts of earlier versions.
    public var ineligibleProducts: [String: [String: Int]] = [:]
    /// The same by storefront, and then by the first obstacle; empty in counts of earlier versions.
    public var ineligibleStorefronts: [String: [String: Int]] = [:]
    /// The eligible ones by product.
    public var products: [String: Int] = [:]
    /// The eligible ones by storefront.
    public var storefronts: [String: Int] = [:]
    /// The sum of the next renewals of the eligible ones, by currency, in milliunits.
    public var renewals: [String: Int] = [:]

    /// Makes counts of nothing.
    public init() {}
}
