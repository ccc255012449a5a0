/// Takes the fields of an object one by one and knows what was left.
///
/// Fields are looked for from where the last one was found: asked for in the order in which they were written, each is
/// found at once.
package struct JSONFields {
    private let object: JSONObject
    private var isTaken: [Bool]
    private var takenCount = 0
    private var cursor = 0
    /// One bit for each length (modulo 64) that a key has: most absent fields are known to be so without a search.
    private let lengths: UInt64

    /// Starts with all members of an object.
    package init(_ object: JSONObject) {
        self.object = object
        isTaken = Array(repeating: false, count: object.count)
        lengths = object.keyLengths
    }

    /// Takes a field that is always there.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/missingField`` when it is absent or null, or as the value's
    ///   type.
    package mutating func require<Value: JSONConvertible>(_ key: String) throws(ModelError) -> Value {
        guard let value: Value = try optional(key) else { throw Self.missing(key) }
        return value
    }

    /// Takes a field that may be absent or null.
    ///
    /// - Throws: ``ModelError`` as the value's type does.
    package mutating func optional<Value: JSONConvertible>(_ key: String) throws(ModelError) -> Value? {
        guard let value = take(key) else { return nil }
        do {
            return try Value(jsonValue: value)
        } catch {
            throw error.inside(key)
        }
    }

    /// Takes a date that is always there: milliseconds since 1970, a fraction cut off.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/missingField`` or ``ModelError/Code/wrongType``.
    package mutating func requireDate(_ key: String) throws(ModelError) -> Int64 {
        guard let date = try optionalDate(key) else { throw Self.missing(key) }
        return date
    }

    /// Takes a date that may be absent or null: milliseconds since 1970, a fraction cut off.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/wrongType``.
    package mutating func optionalDate(_ key: String) throws(ModelError) -> Int64? {
        guard let value = take(key) else { return nil }
        guard let date = value.truncatedInteger else {
            throw ModelError.wrongType(expected: "milliseconds since 1970", found: value).inside(key)
        }
        return date
    }

    /// The members that nobody took.
    package var rest: JSONObject {
        guard takenCount < object.count else { return JSONObject() }
        return JSONObject(distinctMembers: zip(object.members, isTaken).filter { !$0.1 }.map(\.0))
    }

    /// Takes a member; nil when it is absent or null.
    private mutating func take(_ key: String) -> JSONValue? {
        guard
            takenCount < object.count,
            lengths & 1 << UInt64(key.utf8.count & 63) != 0,
            let index = object.index(of: key, from: cursor)
        else { return nil }
        if !isTaken[index] {
            isTaken[index] = true
            takenCount += 1
        }
        cursor = index + 1
        let value = object.members[index].value
        return value.isNull ? nil : value
    }

    private static func missing(_ key: String) -> ModelError {
        ModelError(.missingField, path: key, message: "The field is always there in Apple's data, and is not here.")
    }
}

extension JSONObject {
    /// Adds a field that the object does not have yet.
    package mutating func put(_ key: String, _ value: some JSONConvertible) {
        append(distinctKey: key, value.jsonValue)
    }

    /// Adds a field that the object does not have yet, or nothing for nil.
    package mutating func put(_ key: String, _ value: (some JSONConvertible)?) {
        guard let value else { return }
        append(distinctKey: key, value.jsonValue)
    }

    /// Adds the fields that the object does not have yet.
    package mutating func put(unknownFields: JSONObject) {
        for member in unknownFields.members where self[member.key] == nil {
            append(distinctKey: member.key, member.value)
        }
    }
}
