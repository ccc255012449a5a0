/// Why JSON is not the payload it was read as, or why Apple would refuse a request.
///
/// Two errors are equal when code and path are. No text of the payload is in it.
public struct ModelError: Error, Sendable {
    /// What went wrong, under a stable name.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, in snake case.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The bytes are no JSON object; ``ModelError/cause`` says why.
        public static let malformedJSON = Code(rawValue: "malformed_json")
        /// A field that is always there is absent or null.
        public static let missingField = Code(rawValue: "missing_field")
        /// A field has another JSON type than Apple's.
        public static let wrongType = Code(rawValue: "wrong_type")
        /// A number exceeds the field's integer type.
        public static let outOfRange = Code(rawValue: "out_of_range")
        /// A field of a request breaks a rule that Apple documents; its type is right.
        public static let ruleBroken = Code(rawValue: "rule_broken")
    }

    /// What went wrong.
    public let code: Code
    /// The field, from the payload's root: `data.appAppleId`, `signedTransactions[3]`; empty for the payload itself.
    public let path: String
    /// One sentence for a person.
    public let message: String
    /// What the JSON parser said, for ``Code/malformedJSON``.
    public let cause: JSONError?

    /// Makes an error.
    public init(_ code: Code, path: String = "", message: String, cause: JSONError? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.cause = cause
    }

    /// The error of a text that is no acceptable JSON object.
    public init(_ cause: JSONError) {
        self.init(.malformedJSON, message: "The payload is not an acceptable JSON object: \(cause).", cause: cause)
    }

    static func wrongType(expected: String, found: JSONValue) -> ModelError {
        ModelError(.wrongType, message: "Expected \(expected), found \(found.kind).")
    }

    /// The same error, seen from the object that has the member `key`.
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

    /// Feeds code and path.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(path)
    }
}

extension ModelError: CustomStringConvertible {
    /// Code, place and sentence.
    public var description: String {
        path.isEmpty ? "\(code.rawValue): \(message)" : "\(code.rawValue) in \(path): \(message)"
    }
}
