extension JSONValue: Codable {
    /// Reads any JSON value; the order of members and the notation of numbers are those of the decoder.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: MemberKey.self) {
            var object = JSONObject()
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let text = try? container.decode(String.self) { return .string(text) }
        if let number = try? container.decode(Int64.self) { return .integer(number) }
        if let flag = try? container.decode(Bool.self) { return .bool(flag) }
        return .decimal("\(try container.decode(Double.self))")
    }

    /// Writes the value; a decimal is written as the nearest `Double`.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: MemberKey.self)
            for member in object.members {
                try container.encode(member.value, forKey: MemberKey(stringValue: member.key))
            }
        case .array(let elements): try elements.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .integer(let number): try number.encode(to: encoder)
        case .bool(let flag): try flag.encode(to: encoder)
        case .decimal(let text): try (Double(text) ?? .nan).encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }

    /// A member of an object, whatever its name.
    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONRepresentable {
    /// Reads the object.
    ///
    /// - Throws: ``ModelError`` as ``init(json:)`` does, or what the decoder throws.
    public init(from decoder: any Decoder) throws { try self.init(jsonValue: JSONValue(from: decoder)) }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws { try jsonValue.encode(to: encoder) }
}
