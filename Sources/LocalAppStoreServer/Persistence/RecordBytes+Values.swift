/// Values at a position of a block. A function with `inout` moves the position past the value, but only on success, so
/// that a caller without a known type can try several.
extension RecordBytes {
    func value<Value: Decodable>(_ type: Value.Type, at position: Int) throws -> Value {
        if Value.self == [UInt8].self, let value = try byteArray(at: position) as? Value { return value }
        return try Value(from: ValueDecoder(bytes: self, position: position))
    }

    func value<Value: Decodable>(_ type: Value.Type, at position: inout Int) throws -> Value {
        var end = position
        try skip(&end)
        let value = try value(type, at: position)
        position = end
        return value
    }

    private func byteArray(at position: Int) throws -> [UInt8] {
        var next = position
        guard try tag(at: &next) == .bytes else { throw malformed() }
        return Array(try content(at: &next))
    }

    func isNull(at position: Int) throws -> Bool {
        var next = position
        return try tag(at: &next) == .null
    }

    func flag(at position: inout Int) throws -> Bool {
        var next = position
        let tag = try tag(at: &next)
        guard tag == .yes || tag == .no else { throw malformed() }
        position = next
        return tag == .yes
    }

    func string(at position: inout Int) throws -> String {
        var next = position
        guard try tag(at: &next) == .string else { throw malformed() }
        let value = try text(at: &next)
        position = next
        return value
    }

    func number(at position: inout Int) throws -> Double {
        var next = position
        guard try tag(at: &next) == .double else { throw malformed() }
        let value = try double(at: &next)
        position = next
        return value
    }

    func integer<Integer: FixedWidthInteger>(at position: inout Int) throws -> Integer {
        var next = position
        let value: Integer?
        switch try tag(at: &next) {
        case .integer:
            let pattern = try unsigned(at: &next)
            value = Integer(exactly: Int64(bitPattern: pattern >> 1) ^ -Int64(bitPattern: pattern & 1))
        case .unsigned: value = Integer(exactly: try unsigned(at: &next))
        default: value = nil
        }
        guard let value else { throw malformed() }
        position = next
        return value
    }

    func flag(at position: Int) throws -> Bool {
        var position = position
        return try flag(at: &position)
    }

    func string(at position: Int) throws -> String {
        var position = position
        return try string(at: &position)
    }

    func number(at position: Int) throws -> Double {
        var position = position
        return try number(at: &position)
    }

    func integer<Integer: FixedWidthInteger>(at position: Int) throws -> Integer {
        var position = position
        return try integer(at: &position)
    }
}
