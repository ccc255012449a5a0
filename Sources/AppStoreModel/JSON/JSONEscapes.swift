/// Finds the bytes that a JSON string cannot hold as they are: control characters, quotation marks, and backslashes.
///
/// Signed data is long text without any: eight bytes are looked at together.
enum JSONEscapes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let wordSize = 8

    /// The first such byte at or after a position.
    ///
    /// The four words at a time are independent of each other, which lets the compiler use vector registers.
    static func first(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        let raw = UnsafeRawBufferPointer(text)
        func marks(at offset: Int) -> UInt64 {
            Self.marks(in: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        var index = start
        while index + 32 <= raw.count,
            marks(at: index) | marks(at: index + 8) | marks(at: index + 16) | marks(at: index + 24) == 0
        {
            index += 32
        }
        while index + wordSize <= raw.count {
            let found = marks(at: index)
            if found != 0 { return index + found.trailingZeroBitCount / wordSize }
            index += wordSize
        }
        return text[index...].firstIndex(where: isEscaped)
    }

    /// Marks the high bit of each of eight bytes that is a quotation mark, a backslash, or a control character.
    ///
    /// The first byte is in the lowest bits. A borrow may mark a byte too many after a true mark, never before it.
    @inline(__always)
    static func marks(in word: UInt64) -> UInt64 {
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let control = (word &- ones &* 0x20) & ~word
        return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)) & highBits
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
