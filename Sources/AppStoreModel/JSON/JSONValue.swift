/// A JSON value that keeps what it was read from: the order of members and the exact text of numbers.
///
/// Strings compare as Swift strings do (canonical equivalence).
public enum JSONValue: Hashable, Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// The text, unchanged, of every other number: with a fraction, with an exponent, or beyond 64 bits.
    case decimal(String)
    /// A string, its escapes resolved.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(JSONObject)
}

extension JSONValue {
    /// The string, or nil for any other kind of value.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer, or nil for any other kind of value, also for a number with a fraction.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The Boolean, or nil for any other kind of value.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements, or nil for any other kind of value.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The object, or nil for any other kind of value.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// Whether this is the literal `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The number as an integer, its fraction cut off, or nil when it is no number or beyond 64 bits.
    ///
    /// Xcode writes dates with a fraction of a millisecond (`1697679936049.7297`); Apple's servers never do.
    public var truncatedInteger: Int64? {
        switch self {
        case .integer(let value): value
        case .decimal(let text): Double(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
        default: nil
        }
    }

    /// The number as an integer, or nil when it is no number, has a fraction other than zero, or is beyond 64 bits.
    ///
    /// `9990.0` and `9.99e3` are the integers 9990 to JSON; some encoders write them so.
    public var wholeInteger: Int64? {
        switch self {
        case .integer(let value): return value
        case .decimal(let text):
            // Below it every integer has a binary form of its own.
            let exactLimit = 9_007_199_254_740_992.0
            guard let value = Double(text), value.magnitude < exactLimit else { return nil }
            return Int64(exactly: value)
        default: return nil
        }
    }

    /// What kind of value this is, for messages: `string`, `number`, `object` and so on.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .decimal: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The value as JSON text in UTF-8, without white space.
    public func serialize() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}

// `nil` is no literal of a JSON value: it would be `.null` where an absent optional is meant.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Makes a string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Makes an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// Makes a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Makes an object; of equal keys the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}
