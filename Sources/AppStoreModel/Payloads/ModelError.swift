/// Why JSON is not the expected payload, or why Apple would refuse a request.
///
/// Two errors are equal if code and path are equal. It contains no text of the payload.
public struct ModelError: Error, Sendable {
    /// The stable code of the error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, in snake case.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are not a JSON object; ``ModelError/cause`` has the reason.
        public static let malformedJSON = Code(rawValue: "malformed_json")
        /// A required field is absent or null.
        public static let missingField = Code(rawValue: "missing_field")
        /// A field has the wrong JSON type.
        public static let wrongType = Code(rawValue: "wrong_type")
        /// A number exceeds the field's integer type.
        public static let outOfRange = Code(rawValue: "out_of_range")
        /// A field of a request violates a documented rule of Apple; its type is correct.
        public static let ruleBroken = Code(rawValue: "rule_broken")
    }

    /// The code of the error.
    public let code: Code
    /// The field, from the payload's root: `data.appAppleId`, `signedTransactions[3]`; empty for the payload itself.
    public let path: String
    /// One sentence for people.
    public let message: String
    /// The error of the JSON parser, for ``Code/malformedJSON``.
    public let cause: JSONError?

    /// Makes an error.
    public init(_ code: Code, path: String = "", message: String, cause: JSONError? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.cause = cause
    }

    /// The error of a text that is not an acceptable JSON object.
    public init(_ cause: JSONError) {
        self.init(.malformedJSON, message: "The payload is not an acceptable JSON object: \(cause).", cause: cause)
    }

    static func wrongType(expected: String, found: JSONValue) -> ModelError {
        ModelError(.wrongType, message: "Expected \(expected), found \(found.kind).")
    }

    /// The same error, with the path from the object with the member `key`.
    func inside(_ key: String) -> ModelError {
        let path = path.isEmpty ? key : path.hasPrefix("[") ? key + path : "\(key).\(path)"
        return ModelError(code, path: path, message: message, cause: cause)
    }
}

extension ModelError: Hashable {
    /// Whether both have the same code and path.
    public static func == (left: ModelError, right: ModelError) -> Bool {
        left.code == right.code && left.path == right.path
    }

    /// Hashes code and path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(path)
    }
}

extension ModelError: CustomStringConvertible {
    /// Code, path and message.
    public var description: String {
        path.isEmpty ? "\(code.rawValue): \(message)" : "\(code.rawValue) in \(path): \(message)"
    }
}
