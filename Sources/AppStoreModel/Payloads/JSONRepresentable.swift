/// A payload, or a part of one, in the form of a JSON object.
///
/// Unknown fields are kept, so that new fields of Apple survive decoding and encoding.
public protocol JSONRepresentable: JSONConvertible, Codable {
    /// Decodes the object; a member that is `null` counts as absent.
    ///
    /// - Throws: ``ModelError`` with ``ModelError/Code/missingField``, ``ModelError/Code/wrongType`` or
    ///   ``ModelError/Code/outOfRange`` and the path of the field.
    init(json: JSONObject) throws(ModelError)

    /// The object: the known fields that are set, then the unknown ones.
    var json: JSONObject { get }
}

extension JSONRepresentable {
    /// Decodes the object.
    ///
    /// - Throws: ``ModelError`` as ``init(json:)`` does, and ``ModelError/Code/wrongType`` for anything other than an
    ///   object.
    public init(jsonValue: JSONValue) throws(ModelError) {
        guard case .object(let object) = jsonValue else {
            throw ModelError.wrongType(expected: "object", found: jsonValue)
        }
        try self.init(json: object)
    }

    /// The object as a JSON value.
    public var jsonValue: JSONValue { .object(json) }

    /// Decodes JSON text in UTF-8.
    ///
    /// - Throws: ``ModelError`` as ``init(json:)`` does, and ``ModelError/Code/malformedJSON``.
    public init(jsonBytes bytes: UnsafeRawBufferPointer, limits: JSONLimits = .standard) throws(ModelError) {
        let object: JSONObject
        do {
            object = try JSONParser.parseObject(bytes, limits: limits)
        } catch {
            throw ModelError(error)
        }
        try self.init(json: object)
    }

    /// Decodes JSON text in UTF-8.
    ///
    /// - Throws: ``ModelError`` as ``init(json:)`` does, and ``ModelError/Code/malformedJSON``.
    public init(jsonBytes bytes: [UInt8], limits: JSONLimits = .standard) throws(ModelError) {
        self = try bytes.withUnsafeBytes { buffer in
            Result { () throws(ModelError) in try Self(jsonBytes: buffer, limits: limits) }
        }.get()
    }

    /// The object as JSON text in UTF-8, without white space.
    public var jsonBytes: [UInt8] { json.serialize() }
}
