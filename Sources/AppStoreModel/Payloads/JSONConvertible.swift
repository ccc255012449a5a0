/// A value in JSON, as a member or an element.
public protocol JSONConvertible: Sendable, Hashable {
    /// Decodes the value.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/wrongType``, ``ModelError/Code/outOfRange`` or, inside an
    ///   object, ``ModelError/Code/missingField``.
    init(jsonValue: JSONValue) throws(ModelError)

    /// The value as JSON.
    var jsonValue: JSONValue { get }
}

extension String: JSONConvertible {
    /// Decodes a string.
    public init(jsonValue: JSONValue) throws(ModelError) {
        guard case .string(let value) = jsonValue else {
            throw ModelError.wrongType(expected: "string", found: jsonValue)
        }
        self = value
    }

    /// The string as JSON.
    public var jsonValue: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
    /// Decodes a Boolean.
    public init(jsonValue: JSONValue) throws(ModelError) {
        guard case .bool(let value) = jsonValue else {
            throw ModelError.wrongType(expected: "boolean", found: jsonValue)
        }
        self = value
    }

    /// The Boolean as JSON.
    public var jsonValue: JSONValue { .bool(self) }
}

extension Int64: JSONConvertible {
    /// Decodes an integer; a number with a fraction is invalid, but `9990.0` is 9990.
    public init(jsonValue: JSONValue) throws(ModelError) {
        if let value = jsonValue.wholeInteger {
            self = value
        } else if case .decimal = jsonValue {
            throw ModelError(.outOfRange, message: "Expected a 64-bit integer.")
        } else {
            throw ModelError.wrongType(expected: "integer", found: jsonValue)
        }
    }

    /// The integer as JSON.
    public var jsonValue: JSONValue { .integer(self) }
}

extension Int32: JSONConvertible {
    /// Decodes a 32-bit integer, as `Int64` does.
    public init(jsonValue: JSONValue) throws(ModelError) {
        guard let value = Int32(exactly: try Int64(jsonValue: jsonValue)) else {
            throw ModelError(.outOfRange, message: "Expected a 32-bit integer.")
        }
        self = value
    }

    /// The integer as JSON.
    public var jsonValue: JSONValue { .integer(Int64(self)) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    /// Decodes an array with elements of one type; a null one is missing.
    public init(jsonValue: JSONValue) throws(ModelError) {
        guard case .array(let values) = jsonValue else {
            throw ModelError.wrongType(expected: "array", found: jsonValue)
        }
        self = []
        reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(ModelError) {
                guard !value.isNull else { throw ModelError(.missingField, message: "The element is null.") }
                append(try Element(jsonValue: value))
            } catch {
                throw error.inside("[\(index)]")
            }
        }
    }

    /// The array as JSON.
    public var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}
