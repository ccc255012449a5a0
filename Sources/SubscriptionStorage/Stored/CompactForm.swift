package import SubscriptionCore

/// Writes values one after another in a compact form; ``CompactReader`` reads them in the same order.
///
/// Equal values give equal bytes on every machine. The bytes do not describe their content, so they begin with a form
/// number; a changed form needs a new number.
package struct CompactWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    /// Begins with the number of a form.
    package init(form: UInt8) {
        bytes.reserveCapacity(160)
        bytes.append(form)
    }

    /// Seven bits in each byte, the lowest first; the eighth bit is set if more bytes follow.
    package mutating func write(_ count: UInt64) {
        var rest = count
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// A signed number (zigzag encoding); numbers near zero are short.
    package mutating func write(_ number: Int64) { write(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    /// The length in bytes, then the bytes.
    package mutating func write(_ text: String) {
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Milliseconds since 1970.
    package mutating func write(_ time: Timestamp) { write(time.milliseconds) }

    /// The text of an identifier.
    package mutating func write(_ identifier: some TextIdentifier) { write(identifier.rawValue) }

    /// The index of a choice in its list.
    package mutating func write<Choice: CompactChoice>(_ choice: Choice) {
        // A choice that is missing in its list is a defect that the tests find.
        bytes.append(UInt8(Choice.inOrder.firstIndex(of: choice) ?? Int(UInt8.max)))
    }

    /// A Boolean.
    package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    /// Amount and currency.
    package mutating func write(_ money: Money) {
        write(money.milliunits)
        write(money.currency)
    }

    /// Appends raw bytes.
    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    /// Whether there is a value, then the value.
    package mutating func write<Value>(_ value: Value?, _ body: (inout CompactWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }
}

/// A closed set of choices; each is stored as its index in a list.
package protocol CompactChoice: Equatable, Sendable {
    /// All choices. Add new ones at the end, because the zero-based index is stored.
    static var inOrder: [Self] { get }
}

/// Reads the output of a ``CompactWriter``; invalid bytes are an error, never a trap.
package struct CompactReader {
    private let bytes: [UInt8]
    private var offset = 0
    /// The number of the form that the bytes are in.
    package let form: UInt8

    /// Starts reading.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(_ bytes: [UInt8]) throws(StorageError) {
        guard let form = bytes.first else { throw .unreadable("a compact form is empty") }
        self.bytes = bytes
        self.form = form
        offset = 1
    }

    /// Checks that all bytes were read.
    package func finish() throws(StorageError) {
        guard offset == bytes.count else { throw .unreadable("a compact form is too long") }
    }

    /// Seven bits in each byte, the lowest first.
    package mutating func count() throws(StorageError) -> UInt64 {
        var count: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try self.byte()
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || part <= 1 else { break }
            count |= part << shift
            if byte & 0x80 == 0 { return count }
        }
        throw .unreadable("a number in a compact form is too large")
    }

    /// A signed number.
    package mutating func number() throws(StorageError) -> Int64 {
        let count = try count()
        return Int64(bitPattern: count >> 1) ^ -Int64(bitPattern: count & 1)
    }

    /// Text.
    package mutating func text() throws(StorageError) -> String {
        guard let length = Int(exactly: try count()), length <= bytes.count - offset else {
            throw .unreadable("a text in a compact form is cut off")
        }
        defer { offset += length }
        return String(decoding: bytes[offset..<(offset + length)], as: UTF8.self)
    }

    /// Milliseconds since 1970.
    package mutating func time() throws(StorageError) -> Timestamp { Timestamp(milliseconds: try number()) }

    /// An identifier.
    package mutating func identifier<ID: TextIdentifier>() throws(StorageError) -> ID { ID(rawValue: try text()) }

    /// A choice of a closed set.
    package mutating func choice<Choice: CompactChoice>() throws(StorageError) -> Choice {
        let index = Int(try byte())
        guard index < Choice.inOrder.count else { throw .unreadable("a choice in a compact form is not known") }
        return Choice.inOrder[index]
    }

    /// A Boolean.
    package mutating func flag() throws(StorageError) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        default: throw .unreadable("a compact form is out of step")
        }
    }

    /// Amount and currency.
    package mutating func money() throws(StorageError) -> Money {
        let milliunits = try number()
        return Money(milliunits: milliunits, currency: try text())
    }

    /// An optional value.
    package mutating func optional<Value>(
        _ body: (inout CompactReader) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        guard try flag() else { return nil }
        return try body(&self)
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) throws(StorageError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw .unreadable("a compact form is cut off") }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }

    private mutating func byte() throws(StorageError) -> UInt8 {
        guard offset < bytes.count else { throw .unreadable("a compact form is cut off") }
        defer { offset += 1 }
        return bytes[offset]
    }
}
