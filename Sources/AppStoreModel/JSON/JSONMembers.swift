/// What a member of a JSON object must be.
package enum JSONMemberKind: Hashable, Sendable {
    /// A string.
    case text
    /// `true` or `false`.
    case flag
    /// An integer of 64 bits.
    case integer
    /// A number, with or without a fraction.
    case number
    /// An array of strings.
    case texts
    /// An object.
    case object
    /// An array of objects.
    case objects
}

/// The errors that one kind of caller gets for the members of a JSON object.
///
/// Each caller has its own: the codes of a catalogue, those of the store, the parameters of the server.
package protocol JSONMemberRules {
    /// What is thrown.
    associatedtype Failure: Error

    /// The error of a member that must be there, and is absent or null.
    static func missing(_ kind: JSONMemberKind, at path: String) -> Failure

    /// The error of a member that is something else.
    static func wrongType(_ kind: JSONMemberKind, at path: String) -> Failure
}

/// Reads the members of a JSON object, each by its type; `null` counts as absent.
///
/// A caller's own rules (a range, a date, a set of names) are extensions for its ``JSONMemberRules``.
package struct JSONMembers<Rules: JSONMemberRules> {
    /// The object.
    package let object: JSONObject
    /// Where the object stands in the whole text: `offers[2]`; empty for the whole.
    package let path: String

    /// Starts with an object.
    package init(_ object: JSONObject, path: String = "") {
        self.object = object
        self.path = path
    }

    /// Where a member stands in the whole text.
    package func path(to key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// A member's value; nil when it is absent or null.
    package func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    /// The first member that is none of the known ones.
    package func firstUnknown(among known: Set<String>) -> String? {
        object.members.first { !known.contains($0.key) }?.key
    }
}

// MARK: - Values

extension JSONMembers {
    /// A string, where there is one.
    package func string(_ key: String) throws(Rules.Failure) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw wrongType(.text, key) }
        return text
    }

    /// A string.
    package func requiredString(_ key: String) throws(Rules.Failure) -> String {
        guard let text = try string(key) else { throw missing(.text, key) }
        return text
    }

    /// A Boolean, where there is one.
    package func bool(_ key: String) throws(Rules.Failure) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw wrongType(.flag, key) }
        return flag
    }

    /// A Boolean.
    package func requiredBool(_ key: String) throws(Rules.Failure) -> Bool {
        guard let flag = try bool(key) else { throw missing(.flag, key) }
        return flag
    }

    /// An integer, where there is one.
    package func integer(_ key: String) throws(Rules.Failure) -> Int64? {
        guard let value = value(key) else { return nil }
        guard case .integer(let number) = value else { throw wrongType(.integer, key) }
        return number
    }

    /// An integer.
    package func requiredInteger(_ key: String) throws(Rules.Failure) -> Int64 {
        guard let number = try integer(key) else { throw missing(.integer, key) }
        return number
    }

    /// A finite number, where there is one.
    package func number(_ key: String) throws(Rules.Failure) -> Double? {
        switch value(key) {
        case nil: return nil
        case .integer(let number): return Double(number)
        case .decimal(let text):
            guard let number = Double(text), number.isFinite else { throw wrongType(.number, key) }
            return number
        default: throw wrongType(.number, key)
        }
    }

    /// An array of strings, where there is one.
    package func strings(_ key: String) throws(Rules.Failure) -> [String]? {
        guard let value = value(key) else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue)
        guard let texts, texts.count == value.arrayValue?.count else { throw wrongType(.texts, key) }
        return texts
    }

    private func missing(_ kind: JSONMemberKind, _ key: String) -> Rules.Failure {
        Rules.missing(kind, at: path(to: key))
    }

    private func wrongType(_ kind: JSONMemberKind, _ key: String) -> Rules.Failure {
        Rules.wrongType(kind, at: path(to: key))
    }
}

// MARK: - Objects inside

extension JSONMembers {
    /// An object inside, where there is one.
    package func inner(_ key: String) throws(Rules.Failure) -> Self? {
        guard let value = value(key) else { return nil }
        guard case .object(let inner) = value else { throw wrongType(.object, key) }
        return Self(inner, path: path(to: key))
    }

    /// The objects of an array inside, where there is one; each is checked before the next is looked at.
    package func innerList(
        _ key: String,
        check: (Self) throws(Rules.Failure) -> Void = { (_) throws(Rules.Failure) in }
    ) throws(Rules.Failure) -> [Self]? {
        guard let value = value(key) else { return nil }
        guard case .array(let elements) = value else { throw wrongType(.objects, key) }
        var list: [Self] = []
        list.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let elementPath = "\(path(to: key))[\(index)]"
            guard case .object(let inner) = element else { throw Rules.wrongType(.object, at: elementPath) }
            let members = Self(inner, path: elementPath)
            try check(members)
            list.append(members)
        }
        return list
    }
}
