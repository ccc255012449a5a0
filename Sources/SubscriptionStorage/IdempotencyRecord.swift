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
    /// When the request was begun.
    public var startedAt: Timestamp
    /// The answer; nil while the request is at work, or was when its process ended.
    public var answer: Answer?

    /// Makes a record.
    public init(key: String, requestDigest: [UInt8], startedAt: Timestamp, answer: Answer? = nil) {
        self.key = key
        self.requestDigest = requestDigest
        self.startedAt = startedAt
        self.answer = answer
    }
}
