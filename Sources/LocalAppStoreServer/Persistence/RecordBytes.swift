/// The bytes of a block of records, with the table of member names.
///
/// Reading arbitrary bytes ends with values or an error. It is a class, so that decoders hold one reference to it.
final class RecordBytes {
    let bytes: ArraySlice<UInt8>
    let names: [String]
    /// The lengths of the names in bytes: most names that differ have different lengths.
    let nameLengths: [Int]
    /// The number of records.
    let count: Int
    /// The position of the first record.
    let start: Int

    /// Reads the header of a block.
    ///
    /// - Throws: `DecodingError` if it is invalid.
    convenience init(_ bytes: ArraySlice<UInt8>) throws {
        let header = RecordBytes(bytes, names: [], count: 0, start: bytes.startIndex)
        var position = header.start
        var names: [String] = []
        for _ in 0..<(try header.length(at: &position)) { names.append(try header.text(at: &position)) }
        let count = try header.length(at: &position)
        self.init(bytes, names: names, count: count, start: position)
    }

    private init(_ bytes: ArraySlice<UInt8>, names: [String], count: Int, start: Int) {
        self.bytes = bytes
        self.names = names
        nameLengths = names.map(\.utf8.count)
        self.count = count
        self.start = start
    }

    /// Further bits mean that no writer produced these bytes.
    func malformed() -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "the bytes are not records"))
    }

    func tag(at position: inout Int) throws -> RecordWriter.Tag {
        guard position < bytes.endIndex, let tag = RecordWriter.Tag(rawValue: bytes[position]) else {
            throw malformed()
        }
        position += 1
        return tag
    }

    func unsigned(at position: inout Int) throws -> UInt64 {
        if position < bytes.endIndex, bytes[position] < 0x80 {
            position += 1
            return UInt64(bytes[position - 1])
        }
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard position < bytes.endIndex else { throw malformed() }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw malformed()
    }

    /// A count of bytes, names or records; never more than the remaining bytes.
    func length(at position: inout Int) throws -> Int {
        let value = try unsigned(at: &position)
        guard value <= UInt64(bytes.endIndex - position) else { throw malformed() }
        return Int(value)
    }

    func text(at position: inout Int) throws -> String {
        String(decoding: try content(at: &position), as: UTF8.self)
    }

    /// Bytes with a length prefix.
    func content(at position: inout Int) throws -> ArraySlice<UInt8> {
        let length = try length(at: &position)
        defer { position += length }
        return bytes[position..<position + length]
    }

    /// The end of a composite value whose tag was read; moves the position to the first part.
    func end(at position: inout Int) throws -> Int {
        guard bytes.endIndex - position >= RecordWriter.lengthBytes else { throw malformed() }
        var length = 0
        for byte in bytes[position..<position + RecordWriter.lengthBytes].reversed() {
            length = length << 8 | Int(byte)
        }
        position += RecordWriter.lengthBytes
        guard length <= bytes.endIndex - position else { throw malformed() }
        return position + length
    }

    func double(at position: inout Int) throws -> Double {
        guard bytes.endIndex - position >= 8 else { throw malformed() }
        var pattern: UInt64 = 0
        for byte in bytes[position..<position + 8].reversed() { pattern = pattern << 8 | UInt64(byte) }
        position += 8
        return Double(bitPattern: pattern)
    }

    /// The name at a position in the table.
    func name(at position: inout Int) throws -> Int {
        let number = try unsigned(at: &position)
        guard number < UInt64(names.count) else { throw malformed() }
        return Int(number)
    }

    /// Skips a value.
    func skip(_ position: inout Int) throws {
        switch try tag(at: &position) {
        case .null, .no, .yes: break
        case .integer, .unsigned: _ = try unsigned(at: &position)
        case .double: _ = try double(at: &position)
        case .string, .bytes: _ = try content(at: &position)
        case .list, .members: position = try end(at: &position)
        }
    }
}
