/// Writes values as bytes with a tag each. Values with members or elements have a length prefix, so that a reader can
/// skip them.
///
/// Member names are written once per block, as a table; members refer to positions in it.
final class RecordWriter {
    /// The kind of the next value.
    enum Tag: UInt8 {
        case null, no, yes, integer, unsigned, double, string, bytes
        /// Sequential values after a length of four bytes.
        case list
        /// Pairs of a name's position and a value, after a length of four bytes.
        case members
    }

    static let lengthBytes = 4

    private(set) var bytes: [UInt8] = []
    private(set) var names: [String] = []
    private var positions: [String: Int] = [:]
    /// The name that followed each name last: records of one kind have the same names in the same order.
    private var followers: [Int] = []
    private var lastName = 0
    /// The positions of the open values, outermost first.
    private var open: [Int] = []

    /// The number of open values.
    var depth: Int { open.count }

    /// Starts a composite value; ``close(downTo:)`` ends it.
    ///
    /// - Returns: The depth of its parts.
    func begin(_ tag: Tag) -> Int {
        open.append(bytes.count)
        bytes.append(tag.rawValue)
        for _ in 0..<Self.lengthBytes { bytes.append(0) }
        return open.count
    }

    /// The depth of the parts of the open value at a position, if there is one.
    func depth(ofValueAt start: Int) -> Int? { open.lastIndex(of: start).map { $0 + 1 } }

    /// Ends the values deeper than this depth.
    func close(downTo depth: Int) {
        while open.count > depth {
            let start = open.removeLast() + 1
            var length = bytes.count - start - Self.lengthBytes
            for position in start..<start + Self.lengthBytes {
                bytes[position] = UInt8(truncatingIfNeeded: length)
                length >>= 8
            }
        }
    }

    func write(name: String) { write(unsigned: UInt64(position(of: name))) }

    func write(_ tag: Tag) { bytes.append(tag.rawValue) }

    func write(_ value: Bool) { write(value ? Tag.yes : .no) }

    func write(_ value: String) {
        write(.string)
        write(text: value)
    }

    func write(_ value: Double) {
        write(.double)
        for shift in stride(from: 0, to: 64, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
        }
    }

    func write(_ value: some FixedWidthInteger) {
        if let value = Int64(exactly: value) {
            write(.integer)
            write(unsigned: UInt64(bitPattern: value << 1 ^ value >> 63))
        } else {
            write(.unsigned)
            write(unsigned: UInt64(truncatingIfNeeded: value))
        }
    }

    func write(_ value: [UInt8]) {
        write(.bytes)
        write(unsigned: UInt64(value.count))
        bytes += value
    }

    /// Writes a text after its length, without a tag.
    func write(text: String) {
        write(unsigned: UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// Writes seven bits per byte, lowest first, without a tag.
    func write(unsigned value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private func position(of name: String) -> Int {
        if !names.isEmpty, case let expected = followers[lastName], names[expected] == name {
            lastName = expected
            return expected
        }
        let position = positions[name] ?? names.count
        if position == names.count {
            names.append(name)
            positions[name] = position
            followers.append(0)
        }
        followers[lastName] = position
        lastName = position
        return position
    }
}
