/// A position in a block that moves past what is read.
///
/// It does not move on a type mismatch, so that a caller without a known type can try several.
final class RecordCursor {
    let bytes: RecordBytes
    var position: Int

    init(_ bytes: RecordBytes, _ position: Int) {
        self.bytes = bytes
        self.position = position
    }

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if Value.self == [UInt8].self, let value = try byteArray() as? Value { return value }
        var end = position
        try bytes.skip(&end)
        let value = try Value(from: ValueDecoder(bytes: bytes, position: position))
        position = end
        return value
    }

    private func byteArray() throws -> [UInt8] {
        guard try bytes.tag(at: &position) == .bytes else { throw bytes.malformed() }
        return Array(try bytes.content(at: &position))
    }

    func readIsNull() throws -> Bool {
        var next = position
        guard try bytes.tag(at: &next) == .null else { return false }
        position = next
        return true
    }

    func read() throws -> Bool {
        var next = position
        let tag = try bytes.tag(at: &next)
        guard tag == .yes || tag == .no else { throw bytes.malformed() }
        position = next
        return tag == .yes
    }

    func read() throws -> String { try read(.string) { try bytes.text(at: &$0) } }

    func read() throws -> Double { try read(.double) { try bytes.double(at: &$0) } }

    func read<Integer: FixedWidthInteger>() throws -> Integer {
        var next = position
        let value: Integer?
        switch try bytes.tag(at: &next) {
        case .integer:
            let pattern = try bytes.unsigned(at: &next)
            value = Integer(exactly: Int64(bitPattern: pattern >> 1) ^ -Int64(bitPattern: pattern & 1))
        case .unsigned: value = Integer(exactly: try bytes.unsigned(at: &next))
        default: value = nil
        }
        guard let value else { throw bytes.malformed() }
        position = next
        return value
    }

    private func read<Value>(_ tag: RecordWriter.Tag, _ content: (inout Int) throws -> Value) throws -> Value {
        var next = position
        guard try bytes.tag(at: &next) == tag else { throw bytes.malformed() }
        let value = try content(&next)
        position = next
        return value
    }
}
