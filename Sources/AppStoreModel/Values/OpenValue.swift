/// A value from a list to which Apple adds without notice: what is unknown stays as it is.
public protocol OpenValue: RawRepresentable, JSONConvertible, Codable, CustomStringConvertible
where RawValue: JSONConvertible & Codable {
    /// Takes a value, known or not.
    init(rawValue: RawValue)

    /// Every value that Apple documents.
    static var documented: [Self] { get }
}

extension OpenValue {
    /// Reads a value of the right JSON type, known or not.
    public init(jsonValue: JSONValue) throws(ModelError) {
        self.init(rawValue: try RawValue(jsonValue: jsonValue))
    }

    /// The value as JSON.
    public var jsonValue: JSONValue { rawValue.jsonValue }

    /// Whether Apple documents the value.
    public var isDocumented: Bool { Self.documented.contains(self) }

    /// The value as it is on the wire.
    public var description: String { "\(rawValue)" }
}
