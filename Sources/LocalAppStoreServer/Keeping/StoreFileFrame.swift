/// The first line of a store's file, which says what the file is, and that it is whole.
///
/// `perennial-store-data VERSION LENGTH CHECKSUM`, a line feed, and then so many bytes of JSON.
enum StoreFileFrame {
    private static let name = "perennial-store-data"
    /// Raised whenever a version writes what an older one would misunderstand.
    private static let version = 1
    /// The longest first line.
    private static let lineBytesMax = 128

    /// Puts the line before the content.
    static func framed(_ content: [UInt8]) -> [UInt8] {
        Array("\(name) \(version) \(content.count) \(checksum(content[...]))\n".utf8) + content
    }

    /// Checks the line and returns what follows.
    ///
    /// - Throws: `data_foreign`, `data_newer`, `data_damaged`.
    static func content(of bytes: [UInt8], path: String) throws(StoreFileError) -> ArraySlice<UInt8> {
        guard bytes.starts(with: Array("\(name) ".utf8)),
            let end = bytes.prefix(lineBytesMax).firstIndex(of: UInt8(ascii: "\n"))
        else {
            throw StoreFileError(
                .foreign,
                "\(path) is no file of a store, and stays as it is: name another file, or none that exists"
            )
        }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").dropFirst()
        guard let first = words.first, let version = Int(first) else { throw damaged(path) }
        guard version <= Self.version else {
            throw StoreFileError(
                .newer,
                "\(path) has format \(version), and this version reads up to \(Self.version): use a newer perennial"
            )
        }
        let content = bytes[(end + 1)...]
        guard words.dropFirst().elementsEqual([Substring(String(content.count)), Substring(checksum(content))]) else {
            throw damaged(path)
        }
        return content
    }

    private static func damaged(_ path: String) -> StoreFileError {
        StoreFileError(
            .damaged,
            "\(path) is cut short or was changed, and stays as it is: restore a copy, or name another file"
        )
    }

    /// FNV-1a with 64 bits: finds damage; it is no protection against forgery.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
