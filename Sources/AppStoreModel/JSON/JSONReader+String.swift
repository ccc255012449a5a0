import PerennialPrimitives

extension JSONReader {
    /// A string; the position is on its opening quotation mark.
    ///
    /// The usual string has no escape: it is scanned, checked and copied as a whole.
    mutating func string() throws(JSONError) -> String {
        let start = offset + 1
        offset = start
        var isASCII = true
        while true {
            skipPlainWords()
            guard offset < count else { throw unexpected() }
            switch byte {
            case UInt8(ascii: "\""):
                let text = UnsafeRawBufferPointer(start: base + start, count: offset - start)
                let value = isASCII ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
                guard let value else { throw JSONError(.invalidUTF8, byteOffset: start) }
                offset += 1
                return value
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case ..<0x20: throw JSONError(.controlCharacter, byteOffset: offset)
            case 0x80...: isASCII = false
            default: break
            }
            offset += 1
        }
    }

    /// Moves over 32 and then over eight bytes at a time to the next byte that is not plain ASCII, or near the end.
    ///
    /// The longest strings, signed data inside of signed data, are kilobytes of such bytes; the four words at a time
    /// are independent of each other, which lets the compiler use vector registers.
    @inline(__always)
    private mutating func skipPlainWords() {
        let highs: UInt64 = 0x8080_8080_8080_8080
        while offset &+ 32 <= count {
            let marks = marks(at: offset) | marks(at: offset &+ 8) | marks(at: offset &+ 16) | marks(at: offset &+ 24)
            guard marks & highs == 0 else { break }
            offset &+= 32
        }
        while offset &+ 8 <= count {
            let marks = marks(at: offset) & highs
            guard marks == 0 else {
                offset &+= marks.trailingZeroBitCount >> 3
                return
            }
            offset &+= 8
        }
    }

    /// Marks the high bit of each of eight bytes that is a quotation mark, a backslash, a control character or not
    /// ASCII.
    ///
    /// The first byte is in the lowest bits. A borrow may mark a byte too many after a true mark, never before it.
    @inline(__always)
    private func marks(at offset: Int) -> UInt64 {
        let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return JSONEscapes.marks(in: word) | word
    }

    /// A string with at least one escape, the position being on the first.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = Array(UnsafeRawBufferPointer(start: base + start, count: offset - start))
        while offset < count {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let value = String(validating: text, as: UTF8.self) else {
                    throw JSONError(.invalidUTF8, byteOffset: start)
                }
                return value
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &text)
            case ..<0x20:
                throw JSONError(.controlCharacter, byteOffset: offset)
            default:
                text.append(byte)
                offset += 1
            }
        }
        throw unexpected()
    }

    /// What follows a backslash.
    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard offset < count else { throw unexpected() }
        let letter = byte
        offset += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try escapedScalar())).utf8)
        default: throw JSONError(.invalidEscape, byteOffset: offset - 1)
        }
    }

    /// The scalar of `\uXXXX`, or of the two such escapes that make a surrogate pair.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let start = offset - 2
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00 else { throw JSONError(.loneSurrogate, byteOffset: start) }
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard offset < count else { throw unexpected() }
            guard byte == expected else { throw JSONError(.loneSurrogate, byteOffset: start) }
            offset += 1
        }
        let second = try fourHexDigits()
        let value = 0x10000 + ((UInt32(first) & 0x3FF) << 10) + (UInt32(second) & 0x3FF)
        guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(value) else {
            throw JSONError(.loneSurrogate, byteOffset: start)
        }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard offset < count else { throw unexpected() }
            guard let digit = Hexadecimal.value(byte) else { throw JSONError(.invalidEscape, byteOffset: offset) }
            value = value << 4 | UInt16(digit)
            offset += 1
        }
        return value
    }
}
