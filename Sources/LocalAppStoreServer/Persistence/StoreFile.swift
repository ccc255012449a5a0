import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file that stores a store across restarts; one store at a time uses it.
///
/// It starts with the complete store, and each command appends its changes. From time to time it is replaced: the new
/// file is written beside it, flushed to disk, and renamed. A reader sees the state before or after a command, never in
/// between. The file contains private keys, and only its owner may read it.
public final class StoreFile: Sendable {
    /// The path of the file.
    public let path: String

    private let lock: Int32

    /// Locks a file, which need not exist.
    ///
    /// An empty `.lock` file beside it shows others that it is in use.
    ///
    /// - Throws: `data_unreadable` if the folder does not exist or is not accessible, `data_in_use`.
    public init(path: String) throws(StoreFileError) {
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        lock = open(self.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw StoreFileError(
                .unreadable,
                "\(path) cannot be used: \(Self.remedy(errno))"
            )
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw StoreFileError(.inUse, "another store uses \(path): stop it, or give each store a file of its own")
        }
    }

    deinit { close(lock) }

    /// The content of the file; `nil` if there is no file yet.
    ///
    /// - Throws: `data_unreadable`, `data_foreign`, `data_newer`, `data_older`, `data_damaged`.
    public func load() throws(StoreFileError) -> SavedStore? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw StoreFileError(.unreadable, "\(path) cannot be read: check that you may read it")
        }
        let entries = try StoreFileFrame.entries(of: Array(bytes), path: path)
        do {
            return try SavedStore(StoreReader(entries), extent: StoreFileExtent(of: entries))
        } catch {
            throw StoreFileError(
                .damaged,
                "\(path) is complete, but this version cannot read its content"
                    + " (\(Self.position(error))): use the version "
                    + "that wrote it, or another file"
            )
        }
    }

    /// Replaces the file by a single entry with the complete store, and returns after the flush to disk.
    ///
    /// - Returns: The extent of the file.
    /// - Throws: `data_not_written`; the file is unchanged then.
    func replace(with entry: StoreEntry) throws(StoreFileError) -> StoreFileExtent {
        let bytes = StoreFileFrame.head + StoreFileFrame.framed(try encoded(entry), number: 0)
        let new = path + ".new"
        try write(bytes, to: new, O_CREAT, from: 0)
        guard rename(new, path) == 0 else { throw notWritten() }
        flushFolder()
        return StoreFileExtent(entries: 1, wholeBytes: bytes.count)
    }

    /// Appends an entry and returns after the flush to disk; removes bytes after the last complete entry first.
    ///
    /// - Parameter extent: The current extent of the file.
    /// - Returns: The new extent.
    /// - Throws: `data_not_written`; an unknown part of the entry may be in the file then.
    func append(_ entry: StoreEntry, to extent: StoreFileExtent) throws(StoreFileError) -> StoreFileExtent {
        let bytes = StoreFileFrame.framed(try encoded(entry), number: extent.entries)
        try write(bytes, to: path, 0, from: extent.bytes)
        var longer = extent
        longer.entries += 1
        longer.appendedBytes += bytes.count
        return longer
    }

    private func encoded(_ entry: StoreEntry) throws(StoreFileError) -> [UInt8] {
        do {
            return try entry.encoded()
        } catch {
            throw StoreFileError(.notWritten, "the store could not be encoded: \(error)")
        }
    }

    /// Writes bytes at the end of a file.
    private func write(
        _ bytes: [UInt8],
        to path: String,
        _ mode: Int32,
        from start: Int
    ) throws(StoreFileError) {
        let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | mode, 0o600)
        guard file >= 0 else { throw notWritten() }
        guard ftruncate(file, off_t(start)) == 0, lseek(file, 0, SEEK_END) == off_t(start), writeAll(bytes, to: file),
            fsync(file) == 0
        else {
            let error = notWritten()
            close(file)
            throw error
        }
        guard close(file) == 0 else { throw notWritten() }
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = systemWrite(file, buffer[written...])
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                written += count
            }
            return true
        }
    }

    /// Makes the rename durable, as far as the file system supports it.
    private func flushFolder() {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func notWritten() -> StoreFileError {
        StoreFileError(.notWritten, "\(path) could not be written: \(Self.remedy(errno))")
    }

    private static func remedy(_ number: Int32) -> String {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: "no space is left; free some on its disk"
        case EACCES, EPERM, EROFS: "it is read-only; give the user of this program the right to write it"
        case ENOENT, ENOTDIR: "its folder is not there; make it, or give another file"
        case EISDIR: "it is a folder; name a file in it"
        case ELOOP: "it is a symbolic link; name the file itself"
        default: "the disk or the system failed; see the system's log"
        }
    }

    /// The position of the decoding error in the file, never the content, which may be a key.
    private static func position(_ error: any Error) -> String {
        let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            default: nil
            }
        guard let path = context?.codingPath, !path.isEmpty else { return "at its beginning" }
        return "at " + path.map(\.stringValue).joined(separator: ".")
    }
}

private func systemWrite(_ file: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let rest = UnsafeRawBufferPointer(rebasing: bytes)
    return write(file, rest.baseAddress, rest.count)
}
