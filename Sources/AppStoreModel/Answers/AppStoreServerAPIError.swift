/// An error of the App Store Server API as its body tells it.
///
/// Apple adds codes without notice; one that is not in ``all`` keeps its number and message.
///
/// - Source: App Store Server API, Error codes.
public struct AppStoreServerAPIError: Error, Hashable, Sendable {
    /// The number: the HTTP status times 10000, and a sequence number.
    public let code: Int64
    /// Apple's name of the error without its suffix `Error`; empty when the code is unknown.
    public let name: String
    /// Apple's sentence, `errorMessage`.
    public let message: String
    /// Whether the same call may succeed later: what Apple names retryable, a rate limit, and faults of the server.
    public let isRetryable: Bool

    /// The HTTP status that the error comes with.
    public var httpStatus: Int { Int(code / 10_000) }

    /// The error body: `errorCode` and `errorMessage`.
    public var json: JSONObject {
        ["errorCode": .integer(code), "errorMessage": .string(message)]
    }

    /// Every error that Apple documents with its number.
    public static let all = requestErrors + bodyErrors + stateErrors

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.code, $0) })

    init(_ code: Int64, _ name: String, _ message: String, isRetryable: Bool = false) {
        self.code = code
        self.name = name
        self.message = message
        self.isRetryable = isRetryable
    }

    /// Takes a code from an answer; name and retryability are Apple's where the code is documented.
    ///
    /// An unknown code is retryable when it is a rate limit or a fault of the server (429 or 5xx).
    public init(code: Int64, message: String? = nil) {
        let known = Self.byCode[code]
        let isRetryable = known?.isRetryable ?? (code / 10_000 == 429 || code / 10_000 >= 500)
        self.init(code, known?.name ?? "", message ?? known?.message ?? "", isRetryable: isRetryable)
    }

    /// Reads an error body.
    ///
    /// - Throws: ``ModelError`` when `errorCode` is absent or no integer; Apple has been seen to send a text there.
    public init(json: JSONObject) throws(ModelError) {
        var fields = JSONFields(json)
        self.init(code: try fields.require("errorCode"), message: try fields.optional("errorMessage"))
    }
}
