/// An error of the App Store Server API as its body tells it.
///
/// Apple adds codes without notice; one that is not in ``all`` keeps its number and message. Two errors are equal when
/// their codes are, whatever their sentences.
///
/// - Source: App Store Server API, Error codes; Retention Messaging API and Advanced Commerce API likewise.
public struct AppStoreServerAPIError: Error, Sendable {
    /// The number: the HTTP status times 10000, and a sequence number.
    public let code: Int64
    /// Apple's name of the error without its suffix `Error`; empty when the code is unknown.
    public let name: String
    /// Apple's sentence, `errorMessage`; ours where Apple's is not known.
    public let message: String
    /// What it means and what helps, in one sentence.
    public let meaning: String
    /// Whether the same call may succeed later.
    public let retry: RetryAdvice

    /// Whether a pause helps: what Apple names retryable, a rate limit, and faults of the server.
    public var isRetryable: Bool { retry == .shortly || retry == .afterRateLimit }

    /// The HTTP status that the error comes with.
    public var httpStatus: Int { Int(code / Self.codesPerStatus) }

    /// The error body: `errorCode` and `errorMessage`.
    public var json: JSONObject {
        ["errorCode": .integer(code), "errorMessage": .string(message)]
    }

    /// Every error whose number is known.
    public static let all =
        requestErrors + bodyErrors + stateErrors + retentionMessagingErrors + advancedCommerceErrors

    static let codesPerStatus: Int64 = 10_000

    private static let byCode = Dictionary(all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })

    init(_ code: Int64, _ name: String, _ message: String, meaning: String, retry: RetryAdvice = .never) {
        self.code = code
        self.name = name
        self.message = message
        self.meaning = meaning
        self.retry = retry
    }

    /// Takes a code from an answer; name, meaning and advice are as in ``all`` where it has the code.
    ///
    /// An unknown code is retryable when it is a rate limit or a fault of the server (429 or 5xx).
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

    /// Reads an error body.
    ///
    /// ``AppStoreServerAPIErrorBody`` reads whatever a failed call answers, and never throws.
    ///
    /// - Throws: ``ModelError`` when `errorCode` is absent or no integer; Apple has been seen to send a text there.
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

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension AppStoreServerAPIError: CustomStringConvertible {
    /// The code, its name, Apple's sentence and what helps.
    public var description: String {
        let title = name.isEmpty ? "\(code)" : "\(code) \(name)"
        return message.isEmpty ? "\(title): \(meaning)" : "\(title): \(message) \(meaning)"
    }
}
