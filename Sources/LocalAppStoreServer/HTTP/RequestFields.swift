import AppStoreModel

/// Reads the members of a JSON body strictly: it refuses wrong types, missing members and unknown members by name.
///
/// An ignored misspelling would make a test check something else than intended.
struct RequestFields {
    private let object: JSONObject
    private let prefix: String

    /// Wraps a body and refuses members that are not listed.
    ///
    /// - Parameters:
    ///   - object: The body, or an object inside it.
    ///   - known: The members of this call.
    ///   - prefix: The path of the object in the body with a trailing dot; empty for the body itself.
    /// - Throws: `unknown_field` for a member that is not in `known`.
    init(_ object: JSONObject, known: Set<String>, prefix: String = "") throws(StoreCallError) {
        self.object = object
        self.prefix = prefix
        for key in object.keys where !known.contains(key) {
            let expected =
                known.isEmpty ? "the body has no members" : "known are \(known.sorted().joined(separator: ", "))"
            throw .invalid("unknown_field", "unknown field \(key.debugDescription): \(expected)", path: prefix + key)
        }
    }

    /// The value of a member; `null` counts as absent.
    private func value(_ key: String) -> JSONValue? {
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    /// Whether the member exists, even as `null`.
    func has(_ key: String) -> Bool {
        object[key] != nil
    }

    /// Whether the member has a value; `null` counts as absent.
    func hasValue(_ key: String) -> Bool {
        value(key) != nil
    }

    func string(_ key: String) throws(StoreCallError) -> String? {
        switch value(key) {
        case nil: return nil
        case .string(let text): return text
        default: throw wrongType(key, "a string")
        }
    }

    func requiredString(_ key: String) throws(StoreCallError) -> String {
        guard let text = try string(key) else { throw missing(key, "a string") }
        return text
    }

    func integer(_ key: String) throws(StoreCallError) -> Int64? {
        switch value(key) {
        case nil: return nil
        case .integer(let number): return number
        default: throw wrongType(key, "an integer")
        }
    }

    /// A time in milliseconds since 1970, given as a number or in ISO 8601.
    ///
    /// - Throws: `wrong_type`.
    func time(_ key: String) throws(StoreCallError) -> Int64? {
        switch value(key) {
        case nil: return nil
        case .integer(let number): return number
        case .string(let text):
            guard let number = Int64(text) ?? TypedInstant.milliseconds(text) else { throw invalidTime(key) }
            return number
        default: throw invalidTime(key)
        }
    }

    private func invalidTime(_ key: String) -> StoreCallError {
        wrongType(key, "milliseconds since 1970, or ISO 8601 such as 2026-02-08 or 2026-02-08T09:30:00Z")
    }

    func requiredInteger(_ key: String) throws(StoreCallError) -> Int64 {
        guard let number = try integer(key) else { throw missing(key, "an integer") }
        return number
    }

    func int32(_ key: String) throws(StoreCallError) -> Int32? {
        guard let number = try integer(key) else { return nil }
        guard let small = Int32(exactly: number) else {
            throw .unprocessable("out_of_range", "\(key) must fit into 32 bits", path: prefix + key)
        }
        return small
    }

    func number(_ key: String) throws(StoreCallError) -> Double? {
        switch value(key) {
        case nil: return nil
        case .integer(let number): return Double(number)
        case .decimal(let text):
            guard let number = Double(text), number.isFinite else { throw wrongType(key, "a number") }
            return number
        default: throw wrongType(key, "a number")
        }
    }

    func bool(_ key: String) throws(StoreCallError) -> Bool? {
        switch value(key) {
        case nil: return nil
        case .bool(let flag): return flag
        default: throw wrongType(key, "true or false")
        }
    }

    func requiredBool(_ key: String) throws(StoreCallError) -> Bool {
        guard let flag = try bool(key) else { throw missing(key, "true or false") }
        return flag
    }

    /// An object inside the body, read by the same rules.
    func object(_ key: String, known: Set<String>) throws(StoreCallError) -> RequestFields? {
        switch value(key) {
        case nil: return nil
        case .object(let inner): return try RequestFields(inner, known: known, prefix: prefix + key + ".")
        default: throw wrongType(key, "an object")
        }
    }

    /// The objects of an array inside the body, read by the same rules.
    func objects(_ key: String, known: Set<String>) throws(StoreCallError) -> [RequestFields]? {
        guard let value = value(key) else { return nil }
        guard let elements = value.arrayValue else { throw wrongType(key, "an array of objects") }
        var objects: [RequestFields] = []
        for (index, element) in elements.enumerated() {
            let position = "\(key)[\(index)]"
            guard let inner = element.objectValue else { throw wrongType(position, "an object") }
            objects.append(try RequestFields(inner, known: known, prefix: "\(prefix)\(position)."))
        }
        return objects
    }

    /// The path of a member in the body, for an error about its value.
    func path(_ key: String) -> String {
        prefix + key
    }

    private func missing(_ key: String, _ expected: String) -> StoreCallError {
        .invalid("missing_field", "\(prefix)\(key) is missing: it must be \(expected)", path: prefix + key)
    }

    private func wrongType(_ key: String, _ expected: String) -> StoreCallError {
        .invalid("wrong_type", "\(prefix)\(key) must be \(expected)", path: prefix + key)
    }
}
