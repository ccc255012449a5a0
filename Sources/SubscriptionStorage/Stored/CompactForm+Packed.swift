package import SubscriptionCore

// Texts that are UUIDs, decimal numbers or hashes take half as many bytes. A number says what follows: one of the kinds
// below, or the length of a text that is none of them, counted from ``PackedText/lengthStart``.

private enum PackedText {
    static let uuid: UInt64 = 0
    static let decimal: UInt64 = 1
    static let hash: UInt64 = 2
    static let lengthStart: UInt64 = 3

    static let uuidBytes = 16
    static let hashBytes = 32
    /// Where a UUID has its hyphens.
    static let hyphens = [8, 13, 18, 23]
    static let hyphen = UInt8(ascii: "-")
    /// The longest number of decimal digits that every one of fits 63 bits.
    static let digitsMax = 18

    /// The value of a digit in lower case; nil for another character.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The bytes that pairs of hexadecimal digits stand for, with hyphens at these places; nil for another text.
    static func bytes(_ text: UnsafeBufferPointer<UInt8>, hyphens: [Int]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for (place, character) in text.enumerated() {
            if hyphens.contains(place) {
                guard character == hyphen else { return nil }
                continue
            }
            guard let digit = value(character) else { return nil }
            if let known = high {
                bytes.append(known << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// A decimal number without a leading zero; nil for another text.
    static func number(_ text: UnsafeBufferPointer<UInt8>) -> UInt64? {
        guard (1...digitsMax).contains(text.count), text[0] != UInt8(ascii: "0") || text.count == 1 else { return nil }
        var number: UInt64 = 0
        for character in text {
            guard let digit = value(character), digit < 10 else { return nil }
            number = number * 10 + UInt64(digit)
        }
        return number
    }

    static func text(_ bytes: ArraySlice<UInt8>, hyphens: [Int]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count + hyphens.count) { text in
            var place = 0
            for byte in bytes {
                if hyphens.contains(place) {
                    text[place] = hyphen
                    place += 1
                }
                text[place] = digit(byte >> 4)
                text[place + 1] = digit(byte & 0xF)
                place += 2
            }
            return place
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension CompactWriter {
    /// Text that is often a UUID in lower case, a decimal number or a SHA-256 in lower case.
    mutating func write(packed text: String) {
        var text = text
        text.withUTF8 { text in
            switch text.count {
            case 36:
                if let bytes = PackedText.bytes(text, hyphens: PackedText.hyphens) {
                    write(PackedText.uuid)
                    return append(bytes)
                }
            case 64:
                if let bytes = PackedText.bytes(text, hyphens: []) {
                    write(PackedText.hash)
                    return append(bytes)
                }
            default:
                if let number = PackedText.number(text) {
                    write(PackedText.decimal)
                    return write(number)
                }
            }
            write(PackedText.lengthStart + UInt64(text.count))
            append(text)
        }
    }

    /// The kind of the input, then its own identifier.
    mutating func write(packed id: EvidenceID) {
        let (kind, rest) = id.parts
        write(UInt64(kind))
        write(packed: rest)
    }
}

extension CompactReader {
    /// Reads what `write(packed:)` wrote.
    mutating func packedText() throws(StorageError) -> String {
        let kind = try count()
        switch kind {
        case PackedText.uuid: return PackedText.text(try take(PackedText.uuidBytes), hyphens: PackedText.hyphens)
        case PackedText.decimal: return String(try count())
        case PackedText.hash: return PackedText.text(try take(PackedText.hashBytes), hyphens: [])
        default:
            guard let length = Int(exactly: kind - PackedText.lengthStart) else {
                throw .unreadable("a text in a compact form is cut off")
            }
            return String(decoding: try take(length), as: UTF8.self)
        }
    }

    /// Reads what `write(packed:)` wrote of a signed input's identifier.
    mutating func packedEvidenceID() throws(StorageError) -> EvidenceID {
        let kind = try count()
        return try EvidenceID(kind: kind, rest: try packedText())
    }
}

extension EvidenceID {
    /// How identifiers of signed inputs begin. The places are stored: new ones come last.
    private static let kinds = ["", "notification:", "transaction:", "renewal:", "receipt:"]

    /// The place of its kind, and what is behind it.
    fileprivate var parts: (kind: UInt8, rest: String) {
        for (place, kind) in Self.kinds.enumerated().dropFirst() where rawValue.utf8.starts(with: kind.utf8) {
            return (UInt8(place), String(decoding: rawValue.utf8.dropFirst(kind.utf8.count), as: UTF8.self))
        }
        return (0, rawValue)
    }

    fileprivate init(kind: UInt64, rest: String) throws(StorageError) {
        guard kind < UInt64(Self.kinds.count) else { throw .unreadable("a kind of input is not known") }
        self.init(Self.kinds[Int(kind)] + rest)
    }

    /// The identifier as a key, the same for equal ones: 18 bytes of a notification's. The first stands for the kind.
    package var compactBytes: [UInt8] {
        let (kind, rest) = parts
        var writer = CompactWriter(form: kind)
        writer.write(packed: rest)
        return writer.bytes
    }

    /// Reads what ``compactBytes`` wrote.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(compactBytes: [UInt8]) throws(StorageError) {
        var reader = try CompactReader(compactBytes)
        try self.init(kind: UInt64(reader.form), rest: try reader.packedText())
        try reader.finish()
    }
}
