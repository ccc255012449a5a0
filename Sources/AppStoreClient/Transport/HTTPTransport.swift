/// Sends requests over HTTP: the one door of the client to the network.
///
/// ``AsyncHTTPClientTransport`` is the one for production; tests give a script. A transport sends each request once: it
/// neither repeats nor follows redirections, which would carry the bearer token elsewhere.
public protocol HTTPTransport: Sendable {
    /// Sends a request and collects the whole answer.
    ///
    /// An answer of any status is a success of the transport. It must return, or throw, within `timeout`, and promptly
    /// when the task is cancelled.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - timeout: How long sending, waiting and receiving may take together.
    ///   - bodyBytesMax: The largest body to accept, in bytes.
    /// - Throws: ``HTTPTransportError`` when there is no complete answer.
    func send(
        _ request: AppStoreHTTPRequest,
        timeout: Duration,
        bodyBytesMax: Int
    ) async throws(HTTPTransportError) -> AppStoreHTTPResponse
}

/// Why a transport has no answer.
public struct HTTPTransportError: Error, Hashable, Sendable {
    /// A stable, machine readable reason in `snake_case`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as it appears in logs.
        public let rawValue: String

        /// Wraps a code, known or not.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No connection was made: name not found, refused, TLS not agreed.
        public static let connectionFailed = Self(rawValue: "connection_failed")
        /// The connection broke after the request may have been sent, or the answer was no HTTP.
        public static let connectionLost = Self(rawValue: "connection_lost")
        /// No complete answer in time.
        public static let timedOut = Self(rawValue: "timed_out")
        /// The body is larger than allowed.
        public static let responseTooLarge = Self(rawValue: "response_too_large")
        /// The request cannot be sent at all: the address is no HTTP URL, or a header field is no header field.
        public static let requestInvalid = Self(rawValue: "request_invalid")
        /// The task was cancelled.
        public static let cancelled = Self(rawValue: "cancelled")
    }

    /// The stable reason.
    public let code: Code

    /// One sentence; it holds neither header fields nor bodies.
    public let message: String

    /// Whether the server may have received, and acted on, the request.
    public let mayHaveBeenSent: Bool

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The stable reason.
    ///   - message: One sentence.
    ///   - mayHaveBeenSent: When in doubt true: then only calls that may be repeated are.
    public init(code: Code, message: String, mayHaveBeenSent: Bool) {
        self.code = code
        self.message = message
        self.mayHaveBeenSent = mayHaveBeenSent
    }
}

extension HTTPTransportError: CustomStringConvertible {
    /// The code and the sentence.
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

    /// The same error with every occurrence of a secret cut out.
    func redacting(_ secret: String) -> HTTPTransportError {
        HTTPTransportError(
            code: code,
            message: message.replacing(secret, with: HTTPHeaders.hidden),
            mayHaveBeenSent: mayHaveBeenSent
        )
    }
}
