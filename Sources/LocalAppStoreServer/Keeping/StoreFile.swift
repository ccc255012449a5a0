import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file that keeps a store over a restart, held by one store at a time.
///
/// It begins with the whole store, and each command appends what it changed. Now and then it is replaced as a whole:
/// written beside its place, flushed to the disk, and renamed. Whoever reads it sees the state before or after a
/// command, never one between. It holds private keys; only its owner may read it.
public final class StoreFile: Sendable {
    /// Where it lies.
    public let path: String

    private let lock: Int32

    /// Takes hold of a file, which need not exist.
    ///
    /// Beside it stands an empty `.lock` file, which shows others that it is in use.
    ///
    /// - Throws: `data_unreadable` when the folder is not there or not open to us, `data_in_use`.
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

    /// What the file holds; `nil` when there is no file yet.
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
                "\(path) is whole, but this version cannot read what it holds (\(Self.place(error))): use the version "
                    + "that wrote it, or another file"
            )
        }
    }

    /// Replaces the file by one with a single entry, the whole store, and returns when the disk has it.
    ///
    /// - Returns: How far the file reaches.
    /// - Throws: `data_not_written`; the file is as it was then.
    func replace(with entry: StoreEntry) throws(StoreFileError) -> StoreFileExtent {
        let bytes = StoreFileFrame.head + StoreFileFrame.framed(try encoded(entry), number: 0)
        let new = path + ".new"
        try write(bytes, to: new, O_CREAT, from: 0)
        guard rename(new, path) == 0 else { throw notWritten() }
        flushFolder()
        return StoreFileExtent(entries: 1, wholeBytes: bytes.count)
    }

    /// Appends an entry and returns when the disk has it; what lies after the last whole entry goes.
    ///
    /// - Parameter extent: How far the file reaches.
    /// - Returns: How far it reaches now.
    /// - Throws: `data_not_written`; how much of the entry the file has is not known then.
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

    /// Writes bytes that are the end of a file then.
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

    /// Makes the renaming itself last; a file system that cannot has done what it can.
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

    /// Where in the file the decoder stopped; never what stands there, which may be a key.
    private static func place(_ error: any Error) -> String {
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
