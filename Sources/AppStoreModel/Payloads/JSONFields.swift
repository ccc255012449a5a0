/// Extracts the fields of an object one by one, and tracks the remaining ones.
///
/// The search starts at the last match: fields that are requested in their written order are found at once.
package struct JSONFields {
    private let object: JSONObject
    private var isTaken: [Bool]
    private var takenCount = 0
    private var cursor = 0
    /// One bit for each key length (modulo 64): most absent fields are recognized without a search.
    private let lengths: UInt64

    /// Starts with all members of an object.
    package init(_ object: JSONObject) {
        self.object = object
        isTaken = Array(repeating: false, count: object.count)
        lengths = object.keyLengths
    }

    /// Extracts a required field.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/missingField`` if it is absent or null, or the error of the
    ///   value's type.
    package mutating func require<Value: JSONConvertible>(_ key: String) throws(ModelError) -> Value {
        guard let value: Value = try optional(key) else { throw Self.missing(key) }
        return value
    }

    /// Extracts an optional field, which may be null.
    ///
    /// - Throws: The ``ModelError`` of the value's type.
    package mutating func optional<Value: JSONConvertible>(_ key: String) throws(ModelError) -> Value? {
        guard let value = take(key) else { return nil }
        do {
            return try Value(jsonValue: value)
        } catch {
            throw error.inside(key)
        }
    }

    /// Extracts a required date: milliseconds since 1970, truncated.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/missingField`` or ``ModelError/Code/wrongType``.
    package mutating func requireDate(_ key: String) throws(ModelError) -> Int64 {
        guard let date = try optionalDate(key) else { throw Self.missing(key) }
        return date
    }

    /// Extracts an optional date, which may be null: milliseconds since 1970, truncated.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/wrongType``.
    package mutating func optionalDate(_ key: String) throws(ModelError) -> Int64? {
        guard let value = take(key) else { return nil }
        guard let date = value.truncatedInteger else {
            throw ModelError.wrongType(expected: "milliseconds since 1970", found: value).inside(key)
        }
        return date
    }

    /// The members that were not extracted.
    package var rest: JSONObject {
        guard takenCount < object.count else { return JSONObject() }
        return JSONObject(distinctMembers: zip(object.members, isTaken).filter { !$0.1 }.map(\.0))
    }

    /// Extracts a member; nil if it is absent or null.
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
        ModelError(.missingField, path: key, message: "The required field is missing.")
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
