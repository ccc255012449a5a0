// Generated from Schema/notifications.toml; run `make generate` after a change there.
// swift-format-ignore-file

/// The result of one delivery attempt of a notification.
///
/// - Source: App Store Server API, `sendAttemptResult`.
public struct SendAttemptResult: OpenValue {
    /// The raw value in JSON.
    public let rawValue: String

    /// Wraps a value, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Answered with 200 to 206.
    public static let success = SendAttemptResult(rawValue: "SUCCESS")
    /// No answer in time.
    public static let timedOut = SendAttemptResult(rawValue: "TIMED_OUT")
    /// The certificate or TLS failed.
    public static let tlsIssue = SendAttemptResult(rawValue: "TLS_ISSUE")
    /// A loop of redirects.
    public static let circularRedirect = SendAttemptResult(rawValue: "CIRCULAR_REDIRECT")
    /// No valid HTTP response.
    public static let noResponse = SendAttemptResult(rawValue: "NO_RESPONSE")
    /// The network failed while sending.
    public static let socketIssue = SendAttemptResult(rawValue: "SOCKET_ISSUE")
    /// The character set of the response is not supported.
    public static let unsupportedCharset = SendAttemptResult(rawValue: "UNSUPPORTED_CHARSET")
    /// The response is invalid.
    public static let invalidResponse = SendAttemptResult(rawValue: "INVALID_RESPONSE")
    /// The connection closed too early.
    public static let prematureClose = SendAttemptResult(rawValue: "PREMATURE_CLOSE")
    /// A status outside 200 to 206.
    public static let unsuccessfulHTTPResponseCode = SendAttemptResult(rawValue: "UNSUCCESSFUL_HTTP_RESPONSE_CODE")
    /// Anything else.
    public static let other = SendAttemptResult(rawValue: "OTHER")

    /// Every value that Apple documents.
    public static let documented: [SendAttemptResult] = [
        .success, .timedOut, .tlsIssue, .circularRedirect, .noResponse, .socketIssue, .unsupportedCharset,
        .invalidResponse, .prematureClose, .unsuccessfulHTTPResponseCode, .other,
    ]
}
