/// The properties of a PNG file. Its chunks and their checksums are read, its pixels are not.
struct PNGImage: Hashable, Sendable {
    let widthPixels: Int
    let heightPixels: Int
    /// Whether pixels may be transparent: by an alpha channel, or by a transparent colour.
    let hasTransparency: Bool

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// Length and name before the content of a chunk, and the checksum after it.
    private static let partOverhead = 12
    private static let headerLength = 13
    private static let sideMax = Int(Int32.max)

    /// The colour types of PNG: the bit depths that each may have.
    private static let bitDepths: [UInt8: Set<UInt8>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    /// Grey and colour, each with an alpha channel.
    private static let colourTypesWithAlpha: Set<UInt8> = [4, 6]

    /// Reads a file; `nil` if it is not a complete PNG.
    init?(file bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var header: ArraySlice<UInt8>?
        var (hasPixels, hasTransparentColour, isComplete) = (false, false, false)
        var rest = bytes.dropFirst(Self.signature.count)
        while let part = Part(&rest) {
            guard !isComplete, (part.name == "IHDR") == (header == nil) else { return nil }
            switch part.name {
            case "IHDR": header = part.content
            case "IDAT": hasPixels = true
            case "tRNS": hasTransparentColour = true
            case "IEND": isComplete = true
            default: break
            }
        }
        guard isComplete, hasPixels, rest.isEmpty, let fields = header, fields.count == Self.headerLength else {
            return nil
        }
        widthPixels = Int(fields.bigEndian(at: 0))
        heightPixels = Int(fields.bigEndian(at: 4))
        let (depth, colourType) = (fields[fields.startIndex + 8], fields[fields.startIndex + 9])
        guard (1...Self.sideMax).contains(widthPixels), (1...Self.sideMax).contains(heightPixels),
            Self.bitDepths[colourType]?.contains(depth) == true
        else { return nil }
        hasTransparency = hasTransparentColour || Self.colourTypesWithAlpha.contains(colourType)
    }

    /// One chunk of the file, with a valid checksum.
    private struct Part {
        let name: String
        let content: ArraySlice<UInt8>

        /// Removes and returns the first chunk; `nil` if there is no complete one.
        init?(_ bytes: inout ArraySlice<UInt8>) {
            guard bytes.count >= PNGImage.partOverhead else { return nil }
            let length = Int(bytes.bigEndian(at: 0))
            guard bytes.count - PNGImage.partOverhead >= length else { return nil }
            let start = bytes.startIndex
            let checked = bytes[(start + 4)..<(start + 8 + length)]
            guard CRC32.checksum(checked) == bytes.bigEndian(at: 8 + length) else { return nil }
            name = String(decoding: checked.prefix(4), as: UTF8.self)
            content = checked.dropFirst(4)
            bytes = bytes.dropFirst(PNGImage.partOverhead + length)
        }
    }
}

/// The checksum of PNG, as ISO 3309 defines it.
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        return ~bytes.reduce(0xFFFF_FFFF as UInt32) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }
}

extension ArraySlice<UInt8> {
    /// Four bytes at an offset from the start, which must exist.
    fileprivate func bigEndian(at offset: Int) -> UInt32 {
        self[(startIndex + offset)..<(startIndex + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
