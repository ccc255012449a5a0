/// An error of the App Store Server API, from its body.
///
/// Apple adds codes without notice; one that is not in ``all`` keeps its number and message. Two errors are equal if
/// their codes are equal, whatever their messages.
///
/// - Source: App Store Server API, Error codes; Retention Messaging API and Advanced Commerce API likewise.
public struct AppStoreServerAPIError: Error, Sendable {
    /// The number: the HTTP status times 10000, and a sequence number.
    public let code: Int64
    /// Apple's name of the error without its suffix `Error`; empty when the code is unknown.
    public let name: String
    /// Apple's message, `errorMessage`; ours if Apple's is unknown.
    public let message: String
    /// The meaning and the remedy, in one sentence.
    public let meaning: String
    /// Whether the same call may succeed later.
    public let retry: RetryAdvice

    /// Whether a later retry can help: for errors that Apple names retryable, rate limits, and server errors.
    public var isRetryable: Bool { retry == .shortly || retry == .afterRateLimit }

    /// The HTTP status of the error.
    public var httpStatus: Int { Int(code / Self.codesPerStatus) }

    /// The error body: `errorCode` and `errorMessage`.
    public var json: JSONObject {
        ["errorCode": .integer(code), "errorMessage": .string(message)]
    }

    /// All errors with a known number.
    public static let all =
        appStoreServerErrors + retentionMessagingErrors + advancedCommerceErrors

    static let codesPerStatus: Int64 = 10_000

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    init(_ code: Int64, _ name: String, _ message: String, meaning: String, retry: RetryAdvice = .never) {
        self.code = code
        self.name = name
        self.message = message
        self.meaning = meaning
        self.retry = retry
    }

    /// Makes an error from an answer's code; name, meaning and advice come from ``all`` if it has the code.
    ///
    /// An unknown code is retryable if it is a rate limit or a server error (429 or 5xx).
    public init(code: Int64, message: String? = nil) {
        let known = Self.byCode[code]
        let httpStatus = Int(code / Self.codesPerStatus)
        self.init(
            code,
            known?.name ?? "",
            message ?? known?.message ?? "",
            meaning: known?.meaning ?? AppStoreServerAPIErrorBody.meaning(ofUnknownCode: httpStatus),
            retry: known?.retry ?? RetryAdvice(httpStatus: httpStatus)
        )
    }

    /// Decodes an error body.
    ///
    /// ``AppStoreServerAPIErrorBody`` decodes any answer of a failed call, and never throws.
    ///
    /// - Throws: ``ModelError`` if `errorCode` is absent or not an integer; Apple was observed to send a text there.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        self.init(code: try fields.require("errorCode"), message: try fields.optional("errorMessage"))
    }
}

extension AppStoreServerAPIError: Hashable {
    /// Whether both have the same code.
    public static func == (left: AppStoreServerAPIError, right: AppStoreServerAPIError) -> Bool {
        left.code == right.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension AppStoreServerAPIError: CustomStringConvertible {
    /// The code, its name, Apple's message and the remedy.
    public var description: String {
        let title = name.isEmpty ? "\(code)" : "\(code) \(name)"
        return message.isEmpty ? "\(title): \(meaning)" : "\(title): \(message) \(meaning)"
    }
}
