/// Writes values as bytes, each behind a tag; what has members or elements is preceded by its length, so that a reader
/// can pass it over.
///
/// Names of members are written once for all records of a block, as a table, and then only by their place in it.
final class RecordWriter {
    /// What kind of value follows.
    enum Tag: UInt8 {
        case null, no, yes, integer, unsigned, double, string, bytes
        /// Values one after another, behind their length of four bytes.
        case list
        /// Pairs of a name's place and a value, behind their length of four bytes.
        case members
    }

    static let lengthBytes = 4

    private(set) var bytes: [UInt8] = []
    private(set) var names: [String] = []
    private var places: [String: Int] = [:]
    /// For each name the one that followed it last: records of one kind have the same names in the same order.
    private var followers: [Int] = []
    private var lastName = 0
    /// Where the values begin that are being written, outermost first.
    private var open: [Int] = []

    /// How many values are being written.
    var depth: Int { open.count }

    /// Begins a value with parts; it ends with ``close(downTo:)``.
    ///
    /// - Returns: The depth of its parts.
    func begin(_ tag: Tag) -> Int {
        open.append(bytes.count)
        bytes.append(tag.rawValue)
        for _ in 0..<Self.lengthBytes { bytes.append(0) }
        return open.count
    }

    /// The depth of the parts of a value that begins at a place, if it is being written.
    func depth(ofValueAt start: Int) -> Int? { open.lastIndex(of: start).map { $0 + 1 } }

    /// Ends the values deeper than so many.
    func close(downTo depth: Int) {
        while open.count > depth {
            let start = open.removeLast() + 1
            var length = bytes.count - start - Self.lengthBytes
            for place in start..<start + Self.lengthBytes {
                bytes[place] = UInt8(truncatingIfNeeded: length)
                length >>= 8
            }
        }
    }

    func write(name: String) { write(unsigned: UInt64(place(of: name))) }

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

    /// Writes a text behind its length, without a tag.
    func write(text: String) {
        write(unsigned: UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// Writes seven bits a byte, the lowest first; without a tag.
    func write(unsigned value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private func place(of name: String) -> Int {
        if !names.isEmpty, case let expected = followers[lastName], names[expected] == name {
            lastName = expected
            return expected
        }
        let place = places[name] ?? names.count
        if place == names.count {
            names.append(name)
            places[name] = place
            followers.append(0)
        }
        followers[lastName] = place
        lastName = place
        return place
    }
}
