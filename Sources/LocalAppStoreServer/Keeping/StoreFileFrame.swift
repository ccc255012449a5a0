/// How a store's file is laid out, so that it can be seen that it is whole.
///
/// The first line is `perennial-store-data VERSION`. Entries follow, each a line `entry NUMBER LENGTH CHECKSUM CHECK`,
/// the last word being the checksum of the line before it, a line feed, and so many bytes. The first entry is the whole
/// store, each other one what a command changed.
enum StoreFileFrame {
    private static let name = "perennial-store-data"
    /// Raised whenever a version writes what an older one would misunderstand.
    private static let version = 4
    /// The longest line.
    private static let lineBytesMax = 128

    /// What a file begins with.
    static var head: [UInt8] { Array("\(name) \(version)\n".utf8) }

    /// Puts its line before an entry.
    ///
    /// - Parameter number: Its place in the file, from 0.
    static func framed(_ content: [UInt8], number: Int) -> [UInt8] {
        let line = "entry \(number) \(content.count) \(checksum(content[...]))"
        return Array("\(line) \(checksum(Array(line.utf8)[...]))\n".utf8) + content
    }

    /// Checks a file and returns its entries.
    ///
    /// An entry at the end of which a part is missing was being written when the store was killed: nobody was answered
    /// yet, and it is left out. The first entry must be whole, since its file took the place of the one before when it
    /// was.
    ///
    /// - Throws: `data_foreign`, `data_newer`, `data_older`, `data_damaged`.
    static func entries(of bytes: [UInt8], path: String) throws(StoreFileError) -> [ArraySlice<UInt8>] {
        var rest = try content(of: bytes, path: path)
        var entries: [ArraySlice<UInt8>] = []
        while !rest.isEmpty {
            guard let end = rest.prefix(lineBytesMax).firstIndex(of: UInt8(ascii: "\n")) else {
                let start = Array("entry \(entries.count) ".utf8)
                let isTorn =
                    rest.count < lineBytesMax && rest.prefix(start.count).elementsEqual(start.prefix(rest.count))
                guard isTorn, !entries.isEmpty else { throw damaged(path) }
                break
            }
            let (length, sum) = try line(rest[..<end], number: entries.count, path: path)
            rest = rest[(end + 1)...]
            guard rest.count >= length else {
                guard !entries.isEmpty else { throw damaged(path) }
                break
            }
            guard checksum(rest.prefix(length)) == sum else { throw damaged(path) }
            entries.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        guard !entries.isEmpty else { throw damaged(path) }
        return entries
    }

    /// What follows the first line.
    private static func content(of bytes: [UInt8], path: String) throws(StoreFileError) -> ArraySlice<UInt8> {
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
                "\(path) has format \(version), and this version reads format \(Self.version): use a newer perennial"
            )
        }
        guard version == Self.version else {
            throw StoreFileError(
                .older,
                "\(path) has format \(version), and this version reads format \(Self.version): use the perennial that "
                    + "wrote it, or another file"
            )
        }
        guard words.count == 1 else { throw damaged(path) }
        return bytes[(end + 1)...]
    }

    /// The length and the checksum that an entry's line tells.
    private static func line(
        _ bytes: ArraySlice<UInt8>,
        number: Int,
        path: String
    ) throws(StoreFileError) -> (length: Int, checksum: String) {
        let words = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 5, words[0] == "entry", words[1] == String(number),
            let length = Int(words[2]), length >= 0,
            checksum(Array(words[0...3].joined(separator: " ").utf8)[...]) == words[4]
        else { throw damaged(path) }
        return (length, words[3])
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

/// How far a store's file reaches.
struct StoreFileExtent: Hashable, Sendable {
    /// How many entries it has.
    var entries: Int
    /// Where the first entry ends, which is the whole store.
    let wholeBytes: Int
    /// The bytes of the others.
    var appendedBytes = 0

    /// Where the last entry ends.
    var bytes: Int { wholeBytes + appendedBytes }
}

extension StoreFileExtent {
    /// The extent of the file that these entries are slices of.
    init(of entries: [ArraySlice<UInt8>]) {
        let wholeBytes = entries.first?.endIndex ?? 0
        self.init(
            entries: entries.count,
            wholeBytes: wholeBytes,
            appendedBytes: (entries.last?.endIndex ?? 0) - wholeBytes
        )
    }
}
