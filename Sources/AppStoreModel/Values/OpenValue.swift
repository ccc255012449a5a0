/// A value from a list that Apple may extend: unknown values are kept.
public protocol OpenValue: RawRepresentable, JSONConvertible, Codable, CustomStringConvertible
where RawValue: JSONConvertible & Codable {
    /// Wraps a value, known or not.
    init(rawValue: RawValue)

    /// Every value that Apple documents.
    static var documented: [Self] { get }
}

extension OpenValue {
    /// Decodes a value of the correct JSON type, known or not.
    public init(jsonValue: JSONValue) throws(ModelError) {
        self.init(rawValue: try RawValue(jsonValue: jsonValue))
    }

    /// The value as JSON.
    public var jsonValue: JSONValue { rawValue.jsonValue }

    /// Whether Apple documents the value.
    public var isDocumented: Bool { Self.documented.contains(self) }

    /// The raw value in JSON.
    public var description: String { "\(rawValue)" }
}
