import AppStoreSigning

/// Writes ASN.1 elements from their contents.
enum BERWriter {
    /// An element with a length, as in DER.
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// A constructed element with a length.
    static func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        element(tag, Array(contents.joined()))
    }

    /// A constructed element with an end marker, as BER allows and Xcode writes.
    static func indefinite(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
        [tag | BERTag.constructed, 0x80] + contents.joined() + [0, 0]
    }

    /// An INTEGER in the minimum number of bytes.
    static func integer(_ value: Int64) -> [UInt8] {
        var bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }
        while bytes.count > 1, bytes[0] == (bytes[1] & 0x80 == 0 ? 0 : 0xFF) {
            bytes.removeFirst()
        }
        return element(BERTag.integer, bytes)
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        let bytes = withUnsafeBytes(of: count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
