/// Sends requests over HTTP: the client's only access to the network.
///
/// ``AsyncHTTPClientTransport`` is for production; tests use a script. A transport sends each request once: it neither
/// retries nor follows redirects, which would forward the bearer token.
public protocol HTTPTransport: Sendable {
    /// Sends a request and collects the whole answer.
    ///
    /// An answer with any status is a success of the transport. It must return or throw within `timeout`, and promptly
    /// when the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - timeout: The time limit for sending, waiting and receiving together.
    ///   - bodyBytesMax: The maximum size of the body, in bytes.
    /// - Throws: ``HTTPTransportError`` if there is no complete answer.
    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse
}

/// Why a transport has no answer.
public struct HTTPTransportError: Error, Hashable, Sendable {
    /// A stable, machine-readable reason in `snake_case`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No connection was made: unknown host, refused, or TLS handshake failed.
        public static let connectionFailed = Self(rawValue: "connection_failed")
        /// The connection closed after the request may have been sent, or the answer was not HTTP.
        public static let connectionLost = Self(rawValue: "connection_lost")
        /// No complete answer before the timeout.
        public static let timedOut = Self(rawValue: "timed_out")
        /// The body exceeds the maximum size.
        public static let responseTooLarge = Self(rawValue: "response_too_large")
        /// The request cannot be sent: the URL is not an HTTP URL, or a header field is invalid.
        public static let requestInvalid = Self(rawValue: "request_invalid")
        /// The task was cancelled.
        public static let cancelled = Self(rawValue: "cancelled")
    }

    /// The stable reason.
    public let code: Code

    /// One sentence without header fields and bodies.
    public let message: String

    /// Whether the server may have received and processed the request.
    public let mayHaveBeenSent: Bool

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The stable reason.
    ///   - message: One sentence.
    ///   - mayHaveBeenSent: True if unknown: then only idempotent calls are retried.
    public init(code: Code, message: String, mayHaveBeenSent: Bool) {
        self.code = code
        self.message = message
        self.mayHaveBeenSent = mayHaveBeenSent
    }
}

extension HTTPTransportError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}

extension HTTPTransportError {
    static let cancelled = HTTPTransportError(
        code: .cancelled,
        message: "The task was cancelled.",
        mayHaveBeenSent: true
    )

    static func tooLarge(_ bytesMax: Int) -> HTTPTransportError {
        let message = "The answer is larger than the limit of \(bytesMax) bytes; raise the limit if it is due."
        return HTTPTransportError(code: .responseTooLarge, message: message, mayHaveBeenSent: true)
    }

    /// The error of the same request in a cancelled task.
    var cancelled: HTTPTransportError {
        HTTPTransportError(code: .cancelled, message: Self.cancelled.message, mayHaveBeenSent: mayHaveBeenSent)
    }

    /// The same error without any occurrence of a secret.
    func redacting(_ secret: String) -> HTTPTransportError {
        HTTPTransportError(
            code: code,
            message: message.replacing(secret, with: HTTPHeaders.hidden),
            mayHaveBeenSent: mayHaveBeenSent
        )
    }
}
