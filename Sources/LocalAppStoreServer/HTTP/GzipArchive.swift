/// A gzip file with uncompressed content.
///
/// The store's reports are small and local, so compression brings nothing. Stored blocks give the same bytes with every
/// library.
///
/// - Source: RFC 1952, and RFC 1951 section 3.2.4.
enum GzipArchive {
    /// The maximum size of a stored block.
    private static let blockBytesMax = 65_535

    /// The file: header without a name or a time, stored blocks, checksum and length.
    static func bytes(of content: [UInt8]) -> [UInt8] {
        // Magic number, deflate, no flags, no time, no hint, unknown system.
        var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = content[...]
        repeat {
            let block = rest.prefix(blockBytesMax)
            rest = rest.dropFirst(blockBytesMax)
            let length = UInt16(block.count)
            bytes.append(rest.isEmpty ? 1 : 0)
            bytes += littleEndian(length) + littleEndian(~length) + block
        } while !rest.isEmpty
        return bytes + littleEndian(checksum(content)) + littleEndian(UInt32(truncatingIfNeeded: content.count))
    }

    /// CRC-32 of RFC 1952, section 8.
    static func checksum(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(UInt32.max) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xff)] ^ (sum >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xedb8_8320 ^ (sum >> 1) }
    }

    private static func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
    }
}
