public import SubscriptionCore

/// A request with a key of its caller's choice, so that a second copy is answered like the first and done once.
public struct IdempotencyRecord: Hashable, Sendable {
    /// What the caller was answered.
    public struct Answer: Hashable, Sendable {
        /// The HTTP status.
        public var status: Int
        /// The body.
        public var body: [UInt8]

        /// Makes an answer.
        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// The caller's key.
    public var key: String
    /// SHA-256 of the request.
    public var requestDigest: [UInt8]
    /// When the request was first begun: with the key it names the request for good.
    public var startedAt: Timestamp
    /// When the copy began that is at work, or was when its process ended; nil where none is.
    public var leasedAt: Timestamp?
    /// The answer; nil until the request was done.
    public var answer: Answer?
    /// Whom the answer names, two at most: it is forgotten with any of them.
    public var customers: [CustomerID]

    /// How many customers an answer names at most.
    public static let customersMax = 2

    /// Makes a record.
    public init(
        key: String,
        requestDigest: [UInt8],
        startedAt: Timestamp,
        leasedAt: Timestamp? = nil,
        answer: Answer? = nil,
        customers: [CustomerID] = []
    ) {
        self.key = key
        self.requestDigest = requestDigest
        self.startedAt = startedAt
        self.leasedAt = leasedAt
        self.answer = answer
        self.customers = Array(customers.prefix(Self.customersMax))
    }
}
