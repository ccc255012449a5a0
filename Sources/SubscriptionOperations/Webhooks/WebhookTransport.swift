/// A webhook as it is sent.
public struct WebhookRequest: Hashable, Sendable {
    /// The address.
    public var url: String
    /// The header fields, in order.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// A header field.
    public struct Header: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a request.
    public init(url: String, headers: [Header], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension WebhookRequest {
    /// The time for which it is signed, in seconds since 1970.
    var seconds: Int64? { headers.first { $0.name == "webhook-timestamp" }.flatMap { Int64($0.value) } }
}

/// The receiver's answer.
public struct WebhookAnswer: Hashable, Sendable {
    /// The most bytes of a body that are kept.
    public static let bodyBytesMax = 4_096

    /// The HTTP status.
    public var status: Int
    /// The value of `Retry-After`.
    public var retryAfter: String?
    /// The beginning of the body.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// Why there was no answer.
public struct WebhookSendError: Error, Hashable, Sendable {
    /// A stable code, such as `timed_out`.
    public let code: String
    /// What went wrong and what to do.
    public let message: String

    /// Makes an error.
    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Sends webhooks.
///
/// An implementation connects to public addresses only, unless it is configured otherwise, and follows no redirect.
public protocol WebhookTransport: Sendable {
    /// Checks whether an address may be called.
    ///
    /// - Throws: ``WebhookSendError``.
    func check(_ url: String) async throws(WebhookSendError)

    /// Sends a webhook and reads the answer, within the time.
    ///
    /// - Throws: ``WebhookSendError``.
    func send(_ request: WebhookRequest, timeout: Duration) async throws(WebhookSendError) -> WebhookAnswer
}
