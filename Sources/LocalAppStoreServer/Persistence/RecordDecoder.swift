/// Decodes the blocks that ``RecordEncoder`` makes.
enum RecordDecoder {
    /// The records of a block.
    ///
    /// - Throws: Errors of the records, and `DecodingError` if the bytes are not a block of such records.
    static func records<Record: Decodable>(_ type: Record.Type, in block: ArraySlice<UInt8>) throws -> [Record] {
        let bytes = try RecordBytes(block)
        var records: [Record] = []
        records.reserveCapacity(bytes.count)
        var position = bytes.start
        for _ in 0..<bytes.count { records.append(try bytes.value(Record.self, at: &position)) }
        guard position == block.endIndex else { throw bytes.malformed() }
        return records
    }
}

/// Decodes the value at a position in a block.
///
/// It has two words, so that an `any Decoder` holds it without an allocation.
struct ValueDecoder: Decoder {
    let bytes: RecordBytes
    let position: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MembersDecoder(members: try RecordMembers(bytes, at: position)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try ListDecoder(bytes, at: position) }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { (try? bytes.isNull(at: position)) ?? false }
    func decode(_ type: Bool.Type) throws -> Bool { try bytes.flag(at: position) }
    func decode(_ type: String.Type) throws -> String { try bytes.string(at: position) }
    func decode(_ type: Double.Type) throws -> Double { try bytes.number(at: position) }
    func decode(_ type: Float.Type) throws -> Float { Float(try bytes.number(at: position)) }
    func decode(_ type: Int.Type) throws -> Int { try bytes.integer(at: position) }
    func decode(_ type: Int8.Type) throws -> Int8 { try bytes.integer(at: position) }
    func decode(_ type: Int16.Type) throws -> Int16 { try bytes.integer(at: position) }
    func decode(_ type: Int32.Type) throws -> Int32 { try bytes.integer(at: position) }
    func decode(_ type: Int64.Type) throws -> Int64 { try bytes.integer(at: position) }
    func decode(_ type: UInt.Type) throws -> UInt { try bytes.integer(at: position) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try bytes.integer(at: position) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try bytes.integer(at: position) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try bytes.integer(at: position) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try bytes.integer(at: position) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try bytes.value(type, at: position) }
}

/// The positions of the members of a value.
private final class RecordMembers {
    private struct Member {
        /// The position of its name in the table.
        let name: Int
        /// The position of its value.
        let position: Int
    }

    let bytes: RecordBytes
    private let members: [Member]
    /// The member that was requested last. Most requests are for the same member or the next one.
    private var last = 0

    init(_ bytes: RecordBytes, at start: Int) throws {
        self.bytes = bytes
        var position = start
        guard try bytes.tag(at: &position) == .members else { throw bytes.malformed() }
        let end = try bytes.end(at: &position)
        var members: [Member] = []
        if position < end { members.reserveCapacity(min(24, bytes.names.count)) }
        while position < end {
            let name = try bytes.name(at: &position)
            members.append(Member(name: name, position: position))
            try bytes.skip(&position)
        }
        self.members = members
    }

    var allNames: [String] { members.map { bytes.names[$0.name] } }

    /// The position of a member's value.
    func position(of name: String) -> Int? {
        let length = name.utf8.count
        for number in last..<min(last + 2, members.count) where isName(number, name, length) {
            last = number
            return members[number].position
        }
        for number in members.indices where isName(number, name, length) {
            last = number
            return members[number].position
        }
        return nil
    }

    private func isName(_ number: Int, _ name: String, _ length: Int) -> Bool {
        let position = members[number].name
        return bytes.nameLengths[position] == length && bytes.names[position] == name
    }
}

private struct MembersDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: RecordMembers

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.allNames.compactMap { Key(stringValue: $0) } }

    private var bytes: RecordBytes { members.bytes }

    func contains(_ key: Key) -> Bool { members.position(of: key.stringValue) != nil }

    private func member(_ key: some CodingKey) throws -> Int {
        guard let position = members.position(of: key.stringValue) else {
            throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "missing"))
        }
        return position
    }

    /// The position of a member that is neither absent nor null.
    private func present(_ key: Key) throws -> Int? {
        guard let position = members.position(of: key.stringValue) else { return nil }
        return try bytes.isNull(at: position) ? nil : position
    }

    func decodeNil(forKey key: Key) throws -> Bool { try bytes.isNull(at: member(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try bytes.flag(at: member(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try bytes.string(at: member(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try bytes.number(at: member(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { Float(try bytes.number(at: member(key))) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try bytes.integer(at: member(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try bytes.integer(at: member(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try bytes.integer(at: member(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try bytes.integer(at: member(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try bytes.integer(at: member(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try bytes.integer(at: member(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try bytes.integer(at: member(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try bytes.integer(at: member(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try bytes.integer(at: member(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try bytes.integer(at: member(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try bytes.value(type, at: member(key))
    }

    // The frequent kinds of optional members take one search instead of three.
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try bytes.string(at: $0) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try bytes.integer(at: $0) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try bytes.value(type, at: $0) }
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
        ValueDecoder(bytes: bytes, position: try member(key))
    }
}

private struct ListDecoder: UnkeyedDecodingContainer {
    private let bytes: RecordBytes
    /// The position of the next value.
    private var position: Int
    private let end: Int

    var codingPath: [any CodingKey] { [] }
    /// Not stored: the length decides.
    var count: Int? { nil }
    var isAtEnd: Bool { position >= end }
    var currentIndex: Int { position }

    init(_ bytes: RecordBytes, at start: Int) throws {
        var position = start
        guard try bytes.tag(at: &position) == .list else { throw bytes.malformed() }
        end = try bytes.end(at: &position)
        self.bytes = bytes
        self.position = position
    }

    mutating func decodeNil() throws -> Bool {
        var next = position
        guard try bytes.tag(at: &next) == .null else { return false }
        position = next
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try bytes.flag(at: &position) }
    mutating func decode(_ type: String.Type) throws -> String { try bytes.string(at: &position) }
    mutating func decode(_ type: Double.Type) throws -> Double { try bytes.number(at: &position) }
    mutating func decode(_ type: Float.Type) throws -> Float { Float(try bytes.number(at: &position)) }
    mutating func decode(_ type: Int.Type) throws -> Int { try bytes.integer(at: &position) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try bytes.integer(at: &position) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try bytes.integer(at: &position) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try bytes.integer(at: &position) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try bytes.integer(at: &position) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try bytes.integer(at: &position) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try bytes.integer(at: &position) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try bytes.integer(at: &position) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try bytes.integer(at: &position) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try bytes.integer(at: &position) }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try bytes.value(type, at: &position)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }

    mutating func superDecoder() throws -> any Decoder { try next() }

    private mutating func next() throws -> ValueDecoder {
        let value = ValueDecoder(bytes: bytes, position: position)
        try bytes.skip(&position)
        return value
    }
}
