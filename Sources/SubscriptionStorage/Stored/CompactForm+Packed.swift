package import SubscriptionCore

// UUIDs, decimal numbers and hashes take half as many bytes. The text begins with a number: one of the kinds below, or,
// for other text, its length plus ``PackedText/lengthStart``.

private enum PackedText {
    static let uuid: UInt64 = 0
    static let decimal: UInt64 = 1
    static let hash: UInt64 = 2
    static let lengthStart: UInt64 = 3

    static let uuidBytes = 16
    static let hashBytes = 32
    /// The offsets of the hyphens in a UUID.
    static let hyphens = [8, 13, 18, 23]
    static let hyphen = UInt8(ascii: "-")
    /// The maximum number of decimal digits that always fit into 63 bits.
    static let digitsMax = 18

    /// The value of a digit in lower case; nil for another character.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The bytes of pairs of hexadecimal digits, with hyphens at these offsets; nil for other text.
    static func bytes(_ text: UnsafeBufferPointer<UInt8>, hyphens: [Int]) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for (index, character) in text.enumerated() {
            if hyphens.contains(index) {
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

    /// A decimal number without a leading zero; nil for other text.
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
            var offset = 0
            for byte in bytes {
                if hyphens.contains(offset) {
                    text[offset] = hyphen
                    offset += 1
                }
                text[offset] = digit(byte >> 4)
                text[offset + 1] = digit(byte & 0xF)
                offset += 2
            }
            return offset
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
    /// The prefixes of identifiers of signed inputs. The indexes are stored, so add new ones at the end.
    private static let kinds = ["", "notification:", "transaction:", "renewal:", "receipt:"]

    /// The index of its prefix, and the rest.
    fileprivate var parts: (kind: UInt8, rest: String) {
        for (index, kind) in Self.kinds.enumerated().dropFirst() where rawValue.utf8.starts(with: kind.utf8) {
            return (UInt8(index), String(decoding: rawValue.utf8.dropFirst(kind.utf8.count), as: UTF8.self))
        }
        return (0, rawValue)
    }

    fileprivate init(kind: UInt64, rest: String) throws(StorageError) {
        guard kind < UInt64(Self.kinds.count) else { throw .unreadable("a kind of input is not known") }
        self.init(Self.kinds[Int(kind)] + rest)
    }

    /// The identifier as a key, the same for equal identifiers. The first byte is the kind; a notification's key has 18
    /// bytes.
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
