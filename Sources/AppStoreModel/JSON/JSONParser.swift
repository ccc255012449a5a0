/// Reads JSON text strictly as RFC 8259 has it: UTF-8 is checked, and an object with the same key twice is refused.
///
/// One pass over the bytes, no Foundation. A signed payload with a duplicate key would mean one thing here and another
/// elsewhere; hence the refusal.
public enum JSONParser {
    /// Reads any JSON value.
    ///
    /// - Throws: ``JSONError`` with any of its codes but ``JSONError/Code/notAnObject``.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytesMax else { throw JSONError(.tooLarge, byteOffset: limits.bytesMax) }
        guard let base = bytes.baseAddress else { throw JSONError(.unexpectedEnd, byteOffset: 0) }
        var reader = JSONReader(base: base, count: bytes.count, depthMax: limits.depthMax)
        return try reader.document()
    }

    /// Reads any JSON value.
    ///
    /// - Throws: ``JSONError`` with any of its codes but ``JSONError/Code/notAnObject``.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) -> JSONValue {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in try parse(buffer, limits: limits) }
        }.get()
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``JSONError`` with any of its codes.
    public static func parseObject(
        _ bytes: UnsafeRawBufferPointer,
        limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONObject {
        guard case .object(let object) = try parse(bytes, limits: limits) else {
            throw JSONError(.notAnObject, byteOffset: 0)
        }
        return object
    }

    /// Reads a JSON object.
    ///
    /// - Throws: ``JSONError`` with any of its codes.
    public static func parseObject(_ bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) -> JSONObject {
        try bytes.withUnsafeBytes { buffer in
            Result { () throws(JSONError) in try parseObject(buffer, limits: limits) }
        }.get()
    }
}
