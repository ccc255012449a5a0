/// The bytes of a block of records, with the table of its members' names.
///
/// Whatever the bytes are, reading them ends with values or an error.
struct RecordBytes: Sendable {
    let bytes: ArraySlice<UInt8>
    private(set) var names: [String] = []
    /// How many records there are.
    private(set) var count = 0
    /// Where the first record begins.
    private(set) var start = 0

    /// Reads the head of a block.
    ///
    /// - Throws: `DecodingError` when there is none.
    init(_ bytes: ArraySlice<UInt8>) throws {
        self.bytes = bytes
        var place = bytes.startIndex
        for _ in 0..<(try length(at: &place)) { names.append(try text(at: &place)) }
        count = try length(at: &place)
        start = place
    }

    /// Whoever reads on has read something that no writer wrote.
    func malformed() -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "the bytes are no records"))
    }

    func tag(at place: inout Int) throws -> RecordWriter.Tag {
        guard place < bytes.endIndex, let tag = RecordWriter.Tag(rawValue: bytes[place]) else { throw malformed() }
        place += 1
        return tag
    }

    func unsigned(at place: inout Int) throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard place < bytes.endIndex else { throw malformed() }
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw malformed()
    }

    /// How many bytes, names or records follow; never more than there are bytes.
    func length(at place: inout Int) throws -> Int {
        let value = try unsigned(at: &place)
        guard value <= UInt64(bytes.endIndex - place) else { throw malformed() }
        return Int(value)
    }

    func text(at place: inout Int) throws -> String {
        String(decoding: try content(at: &place), as: UTF8.self)
    }

    /// Bytes behind their length.
    func content(at place: inout Int) throws -> ArraySlice<UInt8> {
        let length = try length(at: &place)
        defer { place += length }
        return bytes[place..<place + length]
    }

    /// The end of a value with parts, whose tag was read; the place moves to the first part.
    func end(at place: inout Int) throws -> Int {
        guard bytes.endIndex - place >= RecordWriter.lengthBytes else { throw malformed() }
        var length = 0
        for byte in bytes[place..<place + RecordWriter.lengthBytes].reversed() { length = length << 8 | Int(byte) }
        place += RecordWriter.lengthBytes
        guard length <= bytes.endIndex - place else { throw malformed() }
        return place + length
    }

    func double(at place: inout Int) throws -> Double {
        guard bytes.endIndex - place >= 8 else { throw malformed() }
        var pattern: UInt64 = 0
        for byte in bytes[place..<place + 8].reversed() { pattern = pattern << 8 | UInt64(byte) }
        place += 8
        return Double(bitPattern: pattern)
    }

    /// The name at a place in the table.
    func name(at place: inout Int) throws -> Int {
        let number = try unsigned(at: &place)
        guard number < UInt64(names.count) else { throw malformed() }
        return Int(number)
    }

    /// Passes a value over.
    func skip(_ place: inout Int) throws {
        switch try tag(at: &place) {
        case .null, .no, .yes: break
        case .integer, .unsigned: _ = try unsigned(at: &place)
        case .double: _ = try double(at: &place)
        case .string, .bytes: _ = try content(at: &place)
        case .list, .members: place = try end(at: &place)
        }
    }
}
