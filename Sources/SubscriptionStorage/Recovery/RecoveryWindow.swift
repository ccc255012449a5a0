public import SubscriptionCore

/// A comparison of Apple's notification history with what is held, for a span of time.
///
/// `sent` is the sum of `held`, `recovered`, `refused` and `missing`.
public struct RecoveryWindow: Hashable, Sendable {
    /// Why the window was made.
    public enum Reason: String, Hashable, Sendable {
        /// A server started.
        case start
        /// The regular query for failed deliveries.
        case sweep
        /// A sweep found something, so the whole time since the last comparison is compared.
        case outage
        /// The regular comparison.
        case schedule
        /// Somebody asked for it.
        case request
    }

    /// How far it is.
    public enum State: String, Hashable, Sendable {
        /// It is being compared, or waits for a server.
        case running
        /// Apple's history was read to its end.
        case finished
        /// Apple refuses the query.
        case failed
    }

    /// The results so far.
    public struct Counts: Hashable, Sendable {
        /// Notifications in Apple's history.
        public var sent = 0
        /// Those that were held already.
        public var held = 0
        /// Those that this window stored.
        public var recovered = 0
        /// Those among `sent` that Apple has not delivered and will send again.
        public var retrying = 0
        /// Those that the verifier refused.
        public var refused = 0
        /// Those that could not be stored.
        public var missing = 0

        /// Makes counts of zero.
        public init() {}

        /// Whether a notification was not held.
        public var hasGap: Bool { recovered + refused + missing > 0 }
    }

    /// The window.
    public var id: RecoveryWindowID
    /// When it was made.
    public var createdAt: Timestamp
    /// The start of the span, by Apple's time of the notification.
    public var from: Timestamp
    /// The end of the span.
    public var to: Timestamp
    /// Whether only notifications are queried that Apple could not deliver.
    public var onlyFailures: Bool
    /// Why it was made.
    public var reason: Reason
    /// How far it is.
    public var state = State.running
    /// The cursor of the next page of the history; nil for the first page.
    public var page: String?
    /// The results so far.
    public var counts = Counts()
    /// The number of refused and missing notifications by code.
    public var problems: [String: Int] = [:]
    /// What earlier passes recovered and this one has not found yet: the history was read again from the start because
    /// the cursor had expired.
    public var recoveredBefore = 0
    /// The number of passes that had to begin again.
    public var restarts = 0
    /// The number of failed queries since the last progress. To read the history again from its start is no progress.
    public var failures = 0
    /// When a failed query is repeated; nil if none failed.
    public var retryAt: Timestamp?
    /// The last failure since the last progress; nil if there is none.
    public var failure: StoredFailure?
    /// When it was finished or failed; nil while it is running.
    public var finishedAt: Timestamp?

    /// Makes a window that begins.
    public init(
        id: RecoveryWindowID,
        createdAt: Timestamp,
        from: Timestamp,
        to: Timestamp,
        onlyFailures: Bool,
        reason: Reason
    ) {
        self.id = id
        self.createdAt = createdAt
        self.from = from
        self.to = to
        self.onlyFailures = onlyFailures
        self.reason = reason
    }
}

/// The identifier of a recovery window.
public struct RecoveryWindowID: TextIdentifier {
    /// `rw_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}
