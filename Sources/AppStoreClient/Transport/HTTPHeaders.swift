/// The header fields of a request or an answer, in order; names are case-insensitive.
///
/// Authorization values never appear in a description, reflection or dump.
public struct HTTPHeaders: Hashable, Sendable {
    /// One field.
    public struct Field: Hashable, Sendable {
        /// The original name.
        public let name: String
        /// The value.
        public var value: String

        /// Makes a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The placeholder of a hidden value.
    static let hidden = "<hidden>"

    private static let secretNames: Set<String> = ["authorization", "proxy-authorization", "cookie", "set-cookie"]

    /// The fields in their order.
    public private(set) var fields: [Field]

    /// Makes header fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// The value of the first field with that name. Setting replaces all fields with that name; nil removes them.
    public subscript(name: String) -> String? {
        get {
            let name = name.lowercased()
            return fields.first { $0.name.lowercased() == name }?.value
        }
        set {
            let lowercased = name.lowercased()
            fields.removeAll { $0.name.lowercased() == lowercased }
            if let newValue { fields.append(Field(name, newValue)) }
        }
    }

    /// Adds a field, even if the name exists.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    /// The same fields with every occurrence of a secret replaced.
    func redacting(_ secret: String) -> HTTPHeaders {
        // Most values are shorter than a token, and need no search.
        guard fields.contains(where: { $0.value.utf8.count >= secret.utf8.count }) else { return self }
        return HTTPHeaders(fields.map { Field($0.name, $0.value.replacing(secret, with: Self.hidden)) })
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name and value as transferred; authorization values are hidden.
    public var description: String {
        HTTPHeaders.isSecret(name) ? "\(name): \(HTTPHeaders.hidden)" : "\(name): \(value)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Only the description, because the parts would reveal hidden values.
    public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible {
    /// The fields, one per line; authorization values are hidden.
    public var description: String { fields.map(\.description).joined(separator: "\n") }

    /// The same as ``description``.
    public var debugDescription: String { description }

    static func isSecret(_ name: String) -> Bool { secretNames.contains(name.lowercased()) }
}
