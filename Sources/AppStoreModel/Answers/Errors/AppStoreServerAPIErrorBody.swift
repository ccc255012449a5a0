/// The answer of a failed call, as far as it is readable.
///
/// Error bodies do not always match the documentation: a refused token has plain text, an overloaded proxy sends HTML
/// or nothing, and `errorCode` was observed as a text. All of this is accepted: known parts are decoded, and the bytes
/// are kept.
public struct AppStoreServerAPIErrorBody: Hashable, Sendable {
    /// The HTTP status.
    public let httpStatus: Int
    /// The error, if the body has its number.
    public let error: AppStoreServerAPIError?
    /// The `errorCode` if it is not the number of an API error, for example `NOT_AUTHORIZED`.
    public let codeText: String?
    /// Apple's message, `errorMessage`, if the body has one.
    public let message: String?
    /// The errors in an external purchase report; empty for every other call.
    public let reportErrors: [ExternalPurchaseReportError]
    /// The body, if it is a JSON object.
    public let json: JSONObject?
    /// The unchanged body.
    public let bytes: [UInt8]

    /// Decodes any body.
    public init(httpStatus: Int, bytes: [UInt8], limits: JSONLimits = .standard) {
        self.httpStatus = httpStatus
        self.bytes = bytes
        let json = try? JSONParser.parseObject(bytes, limits: limits)
        self.json = json
        message = json?["errorMessage"]?.stringValue
        if let code = Self.code(json?["errorCode"]), code >= AppStoreServerAPIError.codesPerStatus {
            error = AppStoreServerAPIError(code: code, message: message)
            codeText = nil
        } else {
            error = nil
            codeText = Self.text(json?["errorCode"])
        }
        reportErrors = Self.reportErrors(json)
    }

    /// Whether the same call may succeed later.
    public var retry: RetryAdvice { error?.retry ?? RetryAdvice(httpStatus: httpStatus) }

    /// Whether a later retry can help.
    public var isRetryable: Bool { retry == .shortly || retry == .afterRateLimit }

    /// The meaning and the remedy, in one sentence.
    public var meaning: String {
        if let error { return error.meaning }
        if let first = reportErrors.first { return first.errorCode.meaning ?? first.errorMessage ?? first.description }
        return Self.meaning(ofStatus: httpStatus)
    }

    /// The start of the body as a line of text; unprintable characters become spaces.
    public func excerpt(lengthMax: Int = 200) -> String {
        let count = min(max(0, lengthMax), bytes.count)
        let text = String(decoding: bytes.prefix(4 * count), as: UTF8.self)
        let printable = text.unicodeScalars.prefix(count).map { scalar in
            scalar.properties.generalCategory == .control ? " " : String(scalar)
        }
        return printable.joined()
    }

    /// The meaning of a status without an error code.
    static func meaning(ofStatus httpStatus: Int) -> String {
        switch httpStatus {
        case 400: "Apple could not process the request: check its path, parameters and body."
        case 401:
            "Apple refuses the token. It must be signed by an In-App Purchase key, name its key id, the issuer and the "
                + "bundle id, and live at most an hour by a right clock; and production refuses every token of an app "
                + "that was never released."
        case 403: "Apple does not allow this in the current state."
        case 404: "There is no such call in this environment, or the team has no access to it."
        case 409: "It exists already."
        case 429: AppStoreServerAPIError.rateLimitExceeded.meaning
        case 500..<600: AppStoreServerAPIError.generalInternal.meaning
        default: "Apple answered with a status that it does not document."
        }
    }

    /// The meaning of an error with an unknown number.
    static func meaning(ofUnknownCode httpStatus: Int) -> String {
        switch httpStatus {
        case 429, 500..<600: meaning(ofStatus: httpStatus)
        default: "Apple added this error later; see its message."
        }
    }

    private static func code(_ value: JSONValue?) -> Int64? {
        switch value {
        case .integer(let code): code
        case .string(let text): Int64(text)
        default: nil
        }
    }

    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let code): "\(code)"
        case .decimal(let text): text
        default: nil
        }
    }

    private static func reportErrors(_ json: JSONObject?) -> [ExternalPurchaseReportError] {
        guard let json else { return [] }
        if let elements = json["errors"]?.arrayValue {
            return elements.compactMap { try? ExternalPurchaseReportError(jsonValue: $0) }
        }
        guard let code = json["errorCode"]?.integerValue, (1..<AppStoreServerAPIError.codesPerStatus).contains(code)
        else { return [] }
        return [try? ExternalPurchaseReportError(json: json)].compactMap(\.self)
    }
}

extension AppStoreServerAPIError {
    /// Decodes the answer of a failed call; see ``AppStoreServerAPIErrorBody``.
    public static func decode(httpStatus: Int, body: [UInt8]) -> AppStoreServerAPIErrorBody {
        AppStoreServerAPIErrorBody(httpStatus: httpStatus, bytes: body)
    }
}
