/// Why a text is not acceptable JSON.
///
/// Two errors are equal when their codes are: tests and callers compare the code, not the text or the position.
public struct JSONError: Error, Sendable {
    /// What went wrong, under a stable name.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name, in snake case.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The text ends inside a value.
        public static let unexpectedEnd = Code(rawValue: "unexpected_end")
        /// A byte that cannot stand there.
        public static let unexpectedByte = Code(rawValue: "unexpected_byte")
        /// More text after the value.
        public static let trailingBytes = Code(rawValue: "trailing_bytes")
        /// The text is JSON, but no object.
        public static let notAnObject = Code(rawValue: "not_an_object")
        /// Nested deeper than the limit.
        public static let tooDeep = Code(rawValue: "too_deep")
        /// Longer than the limit.
        public static let tooLarge = Code(rawValue: "too_large")
        /// A key occurs twice in one object.
        public static let duplicateKey = Code(rawValue: "duplicate_key")
        /// A string that is not UTF-8.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// A backslash with something after it that is no escape.
        public static let invalidEscape = Code(rawValue: "invalid_escape")
        /// Half of a surrogate pair.
        public static let loneSurrogate = Code(rawValue: "lone_surrogate")
        /// A control character that is not escaped.
        public static let controlCharacter = Code(rawValue: "control_character")
        /// A number that JSON does not allow, such as `01` or `1.`.
        public static let invalidNumber = Code(rawValue: "invalid_number")
    }

    /// What went wrong.
    public let code: Code
    /// Where: the index of the first byte that is wrong.
    public let byteOffset: Int

    /// Makes an error.
    public init(_ code: Code, byteOffset: Int) {
        self.code = code
        self.byteOffset = byteOffset
    }
}

extension JSONError: Hashable {
    /// Whether both have the same code.
    public static func == (left: JSONError, right: JSONError) -> Bool {
        left.code == right.code
    }

    /// Feeds the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension JSONError: CustomStringConvertible {
    /// What went wrong and where, without any of the text itself.
    public var description: String {
        "\(code.rawValue) at byte \(byteOffset)"
    }
}
