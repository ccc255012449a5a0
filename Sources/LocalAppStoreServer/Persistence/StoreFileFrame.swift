import PerennialPrimitives

/// The layout of a store's file, which allows a check that it is complete.
///
/// The first line is `perennial-store-data VERSION`. Entries follow. Each entry is a line `entry NUMBER LENGTH CHECKSUM
/// CHECK`, a line feed, and LENGTH bytes. CHECK is the checksum of the line before it. The first entry is the complete
/// store; each other entry contains the changes of a command.
enum StoreFileFrame {
    private static let name = "perennial-store-data"
    /// Increased whenever an older version would misread the new format.
    private static let version = 4
    /// The maximum length of a line.
    private static let lineBytesMax = 128

    /// The first bytes of a file.
    static var head: [UInt8] { Array("\(name) \(version)\n".utf8) }

    /// Adds the line of an entry before it.
    ///
    /// - Parameter number: The position in the file, from 0.
    static func framed(_ content: [UInt8], number: Int) -> [UInt8] {
        let line = "entry \(number) \(content.count) \(checksum(content[...]))"
        return Array("\(line) \(checksum(Array(line.utf8)[...]))\n".utf8) + content
    }

    /// Checks a file and returns its entries.
    ///
    /// An incomplete last entry was being written when the store was killed. No caller had an answer yet, so it is
    /// ignored. The first entry must be complete, because its file replaced the previous one only when complete.
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

    /// The bytes after the first line.
    private static func content(of bytes: [UInt8], path: String) throws(StoreFileError) -> ArraySlice<UInt8> {
        guard bytes.starts(with: Array("\(name) ".utf8)),
            let end = bytes.prefix(lineBytesMax).firstIndex(of: UInt8(ascii: "\n"))
        else {
            throw StoreFileError(
                .foreign,
                "\(path) is not a store's file, and stays unchanged: give another file, or a new one"
            )
        }
        let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").dropFirst()
        guard let first = fields.first, let version = Int(first) else { throw damaged(path) }
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
        guard fields.count == 1 else { throw damaged(path) }
        return bytes[(end + 1)...]
    }

    /// The length and the checksum in an entry's line.
    private static func line(
        _ bytes: ArraySlice<UInt8>,
        number: Int,
        path: String
    ) throws(StoreFileError) -> (length: Int, checksum: String) {
        let fields = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard fields.count == 5, fields[0] == "entry", fields[1] == String(number),
            let length = Int(fields[2]), length >= 0,
            checksum(Array(fields[0...3].joined(separator: " ").utf8)[...]) == fields[4]
        else { throw damaged(path) }
        return (length, fields[3])
    }

    private static func damaged(_ path: String) -> StoreFileError {
        StoreFileError(
            .damaged,
            "\(path) is truncated or damaged, and stays unchanged: restore a copy, or give another file"
        )
    }

    /// Detects damage, but is no protection against forgery.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
        String(FNV1a(of: bytes).value, radix: 16)
    }
}

/// The extent of a store's file.
struct StoreFileExtent: Hashable, Sendable {
    /// The number of entries.
    var entries: Int
    /// The end of the first entry, which is the complete store.
    let wholeBytes: Int
    /// The bytes of the other entries.
    var appendedBytes = 0

    /// The end of the last entry.
    var bytes: Int { wholeBytes + appendedBytes }
}

extension StoreFileExtent {
    /// The extent of the file that contains these entries.
    init(of entries: [ArraySlice<UInt8>]) {
        let wholeBytes = entries.first?.endIndex ?? 0
        self.init(
            entries: entries.count,
            wholeBytes: wholeBytes,
            appendedBytes: (entries.last?.endIndex ?? 0) - wholeBytes
        )
    }
}
