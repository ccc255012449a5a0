import AppStoreModel

/// Reads the members of a JSON body strictly: it refuses wrong types, missing members and unknown members by name.
///
/// A misspelt member that passes in silence would make a test check something else than its author thinks.
typealias RequestFields = JSONMembers<RequestFieldRules>

/// The store's errors for the members of a body.
enum RequestFieldRules: JSONMemberRules {
    static func missing(_ kind: JSONMemberKind, at path: String) -> StoreCallError {
        .invalid("missing_field", "\(path) is missing: it must be \(name(of: kind))", path: path)
    }

    static func wrongType(_ kind: JSONMemberKind, at path: String) -> StoreCallError {
        wrongType(expected: name(of: kind), at: path)
    }

    static func wrongType(expected: String, at path: String) -> StoreCallError {
        .invalid("wrong_type", "\(path) must be \(expected)", path: path)
    }

    private static func name(of kind: JSONMemberKind) -> String {
        switch kind {
        case .text: "a string"
        case .flag: "true or false"
        case .integer: "an integer"
        case .number: "a number"
        case .texts: "an array of strings"
        case .object: "an object"
        case .objects: "an array of objects"
        }
    }
}

extension JSONMembers<RequestFieldRules> {
    /// Wraps a body whose members may only be those named.
    ///
    /// - Parameters:
    ///   - object: The body, or an object inside it.
    ///   - known: Every member that this call understands.
    /// - Throws: `unknown_field` for a member that is not in `known`.
    init(_ object: JSONObject, known: Set<String>) throws(StoreCallError) {
        self.init(object)
        try allowOnly(known)
    }

    private func allowOnly(_ known: Set<String>) throws(StoreCallError) {
        guard let key = firstUnknown(among: known) else { return }
        let expected = known.isEmpty ? "the body has no members" : "known are \(known.sorted().joined(separator: ", "))"
        throw .invalid("unknown_field", "unknown field \(key.debugDescription): \(expected)", path: path(to: key))
    }

    /// Whether the member exists, even as `null`.
    func has(_ key: String) -> Bool {
        object[key] != nil
    }

    /// Whether the member has a value; `null` counts as absent.
    func hasValue(_ key: String) -> Bool { value(key) != nil }

    /// A time in milliseconds since 1970, given as a number or in ISO 8601.
    ///
    /// - Throws: `wrong_type`.
    func time(_ key: String) throws(StoreCallError) -> Int64? {
        switch value(key) {
        case nil: return nil
        case .integer(let number): return number
        case .string(let text):
            guard let number = Int64(text) ?? TypedTime.milliseconds(text) else { throw invalidTime(key) }
            return number
        default: throw invalidTime(key)
        }
    }

    private func invalidTime(_ key: String) -> StoreCallError {
        let expected = "milliseconds since 1970, or ISO 8601 such as 2026-02-08 or 2026-02-08T09:30:00Z"
        return RequestFieldRules.wrongType(expected: expected, at: path(to: key))
    }

    func int32(_ key: String) throws(StoreCallError) -> Int32? {
        guard let number = try integer(key) else { return nil }
        guard let small = Int32(exactly: number) else {
            throw .invalid("out_of_range", "\(key) must fit into 32 bits", path: path(to: key))
        }
        return small
    }

    /// An object inside the body, read by the same rules.
    func object(_ key: String, known: Set<String>) throws(StoreCallError) -> RequestFields? {
        let inner = try inner(key)
        try inner?.allowOnly(known)
        return inner
    }

    /// The objects of an array inside the body, read by the same rules.
    func objects(_ key: String, known: Set<String>) throws(StoreCallError) -> [RequestFields]? {
        try innerList(key) { (inner) throws(StoreCallError) in try inner.allowOnly(known) }
    }
}
