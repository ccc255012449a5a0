/// The position in a JSON text, and the grammar.
///
/// The caller keeps the memory alive for as long as the reader is used.
struct JSONReader {
    let base: UnsafeRawPointer
    let count: Int
    let depthMax: Int
    var offset = 0

    init(base: UnsafeRawPointer, count: Int, depthMax: Int) {
        self.base = base
        self.count = count
        self.depthMax = depthMax
    }

    /// The whole text: one value and nothing after it but white space.
    mutating func document() throws(JSONError) -> JSONValue {
        try skipWhiteSpace()
        let value = try value(depth: 0)
        while offset < count {
            guard isWhiteSpace(byte) else { throw JSONError(.trailingBytes, byteOffset: offset) }
            offset += 1
        }
        return value
    }

    /// The byte at the position; only called when there is one.
    @inline(__always)
    var byte: UInt8 {
        base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// An error at the position: the end of the text, or a byte that cannot stand there.
    func unexpected() -> JSONError {
        JSONError(offset < count ? .unexpectedByte : .unexpectedEnd, byteOffset: offset)
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        switch byte {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw unexpected()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= depthMax else { throw JSONError(.tooDeep, byteOffset: offset) }
        offset += 1
        try skipWhiteSpace()
        if byte == UInt8(ascii: "}") {
            offset += 1
            return JSONObject()
        }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(depth == 1 ? 32 : 8)
        var seen = SeenKeys()
        while true {
            let keyOffset = offset
            guard byte == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try string()
            guard seen.isNew(key, in: members) else { throw JSONError(.duplicateKey, byteOffset: keyOffset) }
            try skipWhiteSpace()
            guard byte == UInt8(ascii: ":") else { throw unexpected() }
            offset += 1
            try skipWhiteSpace()
            members.append(JSONObject.Member(key: key, value: try value(depth: depth)))
            guard try continues(until: UInt8(ascii: "}")) else { return JSONObject(distinctMembers: members) }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= depthMax else { throw JSONError(.tooDeep, byteOffset: offset) }
        offset += 1
        try skipWhiteSpace()
        if byte == UInt8(ascii: "]") {
            offset += 1
            return []
        }
        var elements: [JSONValue] = []
        repeat {
            elements.append(try value(depth: depth))
        } while try continues(until: UInt8(ascii: "]"))
        return elements
    }

    /// After an element: whether another one follows, the position then being on its first byte.
    private mutating func continues(until close: UInt8) throws(JSONError) -> Bool {
        try skipWhiteSpace()
        if byte == close {
            offset += 1
            return false
        }
        guard byte == UInt8(ascii: ",") else { throw unexpected() }
        offset += 1
        try skipWhiteSpace()
        return true
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount {
            guard offset < count, byte == text.utf8Start[index] else { throw unexpected() }
            offset += 1
        }
        return value
    }

    @inline(__always)
    private func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Moves to the next byte that is not white space; there must be one.
    @inline(__always)
    private mutating func skipWhiteSpace() throws(JSONError) {
        while offset < count {
            guard isWhiteSpace(byte) else { return }
            offset += 1
        }
        throw JSONError(.unexpectedEnd, byteOffset: offset)
    }
}

/// Which keys an object has had so far.
private struct SeenKeys {
    /// From how many members on keys are looked up in a set rather than one by one.
    private static let linearSearchMax = 40

    /// One bit for each length (modulo 64): most keys are known to be new without a search.
    private var lengths: UInt64 = 0
    private var keys: Set<String> = []

    /// Whether a key is none of those of the members before it.
    mutating func isNew(_ key: String, in members: [JSONObject.Member]) -> Bool {
        if members.count >= Self.linearSearchMax {
            if keys.isEmpty { keys = Set(members.map(\.key)) }
            return keys.insert(key).inserted
        }
        let length = key.utf8.count
        let bit: UInt64 = 1 << UInt64(length & 63)
        guard lengths & bit != 0 else {
            lengths |= bit
            return true
        }
        return members.withUnsafeBufferPointer { members in
            for index in members.indices where members[index].key.utf8.count == length && members[index].key == key {
                return false
            }
            return true
        }
    }
}
