/// Decodes the blocks that ``RecordEncoder`` makes.
enum RecordDecoder {
    /// The records of a block.
    ///
    /// - Throws: Errors of the records, and `DecodingError` if the bytes are not a block of such records.
    static func records<Record: Decodable>(_ type: Record.Type, in block: ArraySlice<UInt8>) throws -> [Record] {
        let bytes = try RecordBytes(block)
        var records: [Record] = []
        records.reserveCapacity(bytes.count)
        let source = RecordCursor(bytes, bytes.start)
        for _ in 0..<bytes.count { records.append(try source.read(Record.self)) }
        guard source.position == block.endIndex else { throw bytes.malformed() }
        return records
    }
}

/// Decodes the value at a position in a block.
struct ValueDecoder: Decoder {
    let bytes: RecordBytes
    let position: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MembersDecoder(members: try RecordMembers(bytes, at: position)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListDecoder(bytes, at: position) }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleDecoder(cursor: RecordCursor(bytes, position))
    }
}

/// The positions of the members of a value.
private final class RecordMembers {
    let bytes: RecordBytes
    private var names: [Int] = []
    private var positions: [Int] = []
    /// The member that was requested last. Most requests are for the same member or the next one.
    private var last = 0

    init(_ bytes: RecordBytes, at start: Int) throws {
        self.bytes = bytes
        var position = start
        guard try bytes.tag(at: &position) == .members else { throw bytes.malformed() }
        let end = try bytes.end(at: &position)
        names.reserveCapacity(16)
        positions.reserveCapacity(16)
        while position < end {
            names.append(try bytes.name(at: &position))
            positions.append(position)
            try bytes.skip(&position)
        }
    }

    var allNames: [String] { names.map { bytes.names[$0] } }

    /// The position of a member's value.
    func position(of name: String) -> Int? {
        for number in last..<min(last + 2, names.count) where bytes.names[names[number]] == name {
            last = number
            return positions[number]
        }
        guard let number = names.firstIndex(where: { bytes.names[$0] == name }) else { return nil }
        last = number
        return positions[number]
    }
}

private struct MembersDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: RecordMembers

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.allNames.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { members.position(of: key.stringValue) != nil }

    private func member(_ key: some CodingKey) throws -> RecordCursor {
        guard let position = members.position(of: key.stringValue) else {
            throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "missing"))
        }
        return RecordCursor(members.bytes, position)
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).readIsNull() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).read() }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try member(key).read() }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try member(key).read() }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try member(key).read() as Double) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).read() }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).read() }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).read() }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).read() }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).read() }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).read() }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).read() }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try member(key).read() }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try member(key).read() }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try member(key).read() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try member(key).read(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(SuperKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: some CodingKey) throws -> ValueDecoder {
        ValueDecoder(bytes: members.bytes, position: try member(key).position)
    }
}

/// The shared part of unkeyed and single-value containers.
private protocol PlainDecoder {
    /// The position of the next value.
    var cursor: RecordCursor { get }
}

extension PlainDecoder {
    func decode(_ type: Bool.Type) throws -> Bool { try cursor.read() }
    func decode(_ type: String.Type) throws -> String { try cursor.read() }
    func decode(_ type: Double.Type) throws -> Double { try cursor.read() }
    func decode(_ type: Float.Type) throws -> Float { Float(try cursor.read() as Double) }
    func decode(_ type: Int.Type) throws -> Int { try cursor.read() }
    func decode(_ type: Int8.Type) throws -> Int8 { try cursor.read() }
    func decode(_ type: Int16.Type) throws -> Int16 { try cursor.read() }
    func decode(_ type: Int32.Type) throws -> Int32 { try cursor.read() }
    func decode(_ type: Int64.Type) throws -> Int64 { try cursor.read() }
    func decode(_ type: UInt.Type) throws -> UInt { try cursor.read() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try cursor.read() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try cursor.read() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try cursor.read() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try cursor.read() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try cursor.read(type) }
}

private struct SingleDecoder: PlainDecoder, SingleValueDecodingContainer {
    let cursor: RecordCursor

    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { (try? cursor.readIsNull()) ?? false }
}

private struct ListDecoder: PlainDecoder, UnkeyedDecodingContainer {
    let cursor: RecordCursor
    private let end: Int

    var codingPath: [any CodingKey] { [] }
    /// Not stored: the length decides.
    var count: Int? { nil }
    var isAtEnd: Bool { cursor.position >= end }
    var currentIndex: Int { cursor.position }

    init(_ bytes: RecordBytes, at start: Int) throws {
        var position = start
        guard try bytes.tag(at: &position) == .list else { throw bytes.malformed() }
        end = try bytes.end(at: &position)
        cursor = RecordCursor(bytes, position)
    }

    func decodeNil() throws -> Bool { try cursor.readIsNull() }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    func superDecoder() throws -> any Decoder { try next() }

    private func next() throws -> ValueDecoder {
        let value = ValueDecoder(bytes: cursor.bytes, position: cursor.position)
        try cursor.bytes.skip(&cursor.position)
        return value
    }
}
