/// Encodes records into a block: the table of member names, and the records in order.
///
/// Any `Encodable` type can be a record. Encoding takes a fraction of the time and space of JSON.
enum RecordEncoder {
    /// A block of records.
    ///
    /// - Throws: Errors of the records.
    static func block<Record: Encodable>(of records: [Record]) throws -> [UInt8] {
        let writer = RecordWriter()
        for record in records { try writer.write(encoded: record) }
        let head = RecordWriter()
        head.write(unsigned: UInt64(writer.names.count))
        for name in writer.names { head.write(text: name) }
        head.write(unsigned: UInt64(records.count))
        return head.bytes + writer.bytes
    }
}

extension RecordWriter {
    /// Encodes any `Encodable` value.
    fileprivate func write<Value: Encodable>(encoded value: Value) throws {
        if Value.self == [UInt8].self, let bytes = value as? [UInt8] { return write(bytes) }
        let (depth, start) = (depth, bytes.count)
        try value.encode(to: ValueEncoder(writer: self, start: start))
        // An empty value has no members.
        if bytes.count == start { _ = begin(.members) }
        close(downTo: depth)
    }
}

private struct ValueEncoder: Encoder {
    let writer: RecordWriter
    /// The position of the value.
    let start: Int

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(MembersEncoder(writer: writer, depth: depth(.members)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ListEncoder(writer: writer, depth: depth(.list)) }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleEncoder(writer: writer) }

    /// A type may request its container more than once.
    private func depth(_ tag: RecordWriter.Tag) -> Int { writer.depth(ofValueAt: start) ?? writer.begin(tag) }
}

private struct MembersEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: RecordWriter
    let depth: Int

    var codingPath: [any CodingKey] { [] }

    private func member(_ key: some CodingKey) -> RecordWriter {
        writer.close(downTo: depth)
        writer.write(name: key.stringValue)
        return writer
    }

    func encodeNil(forKey key: Key) { member(key).write(.null) }
    func encode(_ value: Bool, forKey key: Key) { member(key).write(value) }
    func encode(_ value: String, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Double, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Float, forKey key: Key) { member(key).write(Double(value)) }
    func encode(_ value: Int, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Int8, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Int16, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Int32, forKey key: Key) { member(key).write(value) }
    func encode(_ value: Int64, forKey key: Key) { member(key).write(value) }
    func encode(_ value: UInt, forKey key: Key) { member(key).write(value) }
    func encode(_ value: UInt8, forKey key: Key) { member(key).write(value) }
    func encode(_ value: UInt16, forKey key: Key) { member(key).write(value) }
    func encode(_ value: UInt32, forKey key: Key) { member(key).write(value) }
    func encode(_ value: UInt64, forKey key: Key) { member(key).write(value) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try member(key).write(encoded: value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(MembersEncoder<NestedKey>(writer: writer, depth: member(key).begin(.members)))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        ListEncoder(writer: writer, depth: member(key).begin(.list))
    }

    func superEncoder() -> any Encoder { nestedEncoder(SuperKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(key) }

    private func nestedEncoder(_ key: some CodingKey) -> any Encoder {
        ValueEncoder(writer: member(key), start: writer.bytes.count)
    }
}

/// The key under which a class stores its superclass.
enum SuperKey: String, CodingKey {
    case `super`
}

/// The shared part of unkeyed and single-value containers.
private protocol PlainEncoder {
    /// The writer at the position of the next value.
    var next: RecordWriter { get }
}

extension PlainEncoder {
    func encodeNil() { next.write(.null) }
    func encode(_ value: Bool) { next.write(value) }
    func encode(_ value: String) { next.write(value) }
    func encode(_ value: Double) { next.write(value) }
    func encode(_ value: Float) { next.write(Double(value)) }
    func encode(_ value: Int) { next.write(value) }
    func encode(_ value: Int8) { next.write(value) }
    func encode(_ value: Int16) { next.write(value) }
    func encode(_ value: Int32) { next.write(value) }
    func encode(_ value: Int64) { next.write(value) }
    func encode(_ value: UInt) { next.write(value) }
    func encode(_ value: UInt8) { next.write(value) }
    func encode(_ value: UInt16) { next.write(value) }
    func encode(_ value: UInt32) { next.write(value) }
    func encode(_ value: UInt64) { next.write(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try next.write(encoded: value) }
}

private struct SingleEncoder: PlainEncoder, SingleValueEncodingContainer {
    let writer: RecordWriter

    var codingPath: [any CodingKey] { [] }
    var next: RecordWriter { writer }
}

private struct ListEncoder: PlainEncoder, UnkeyedEncodingContainer {
    let writer: RecordWriter
    let depth: Int

    var codingPath: [any CodingKey] { [] }
    /// Unused: the length decides.
    var count: Int { 0 }

    var next: RecordWriter {
        writer.close(downTo: depth)
        return writer
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(MembersEncoder<NestedKey>(writer: writer, depth: next.begin(.members)))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ListEncoder(writer: writer, depth: next.begin(.list))
    }

    func superEncoder() -> any Encoder { ValueEncoder(writer: next, start: writer.bytes.count) }
}
