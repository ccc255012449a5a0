import Foundation
import SubscriptionStorage

/// A database file before it is opened: the checks refuse what would fail, with a remedy, without changing anything.
struct SQLiteFile {
    /// The absolute path.
    let path: String

    init(path: String) {
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// Checks the folder, the permissions and the first bytes.
    func check() throws(StorageError) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try checkKinds(folder: folder)
        for file in [path, path + "-wal", path + "-shm"] {
            try requireWritable(file, remedy: "Give the user of this program the right to write it (chmod u+w).")
        }
        try requireWritable(folder, remedy: "SQLite keeps files beside the database: make the folder writable.")
        try checkHeader()
    }

    /// Creates an empty file that only this user may read, if there is none. SQLite gives its companions the same
    /// permissions.
    func make() throws(StorageError) {
        let ownerOnly: mode_t = 0o600
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, ownerOnly)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw StorageError(
                .unavailable,
                "\(path) cannot be made. Check the folder's permissions and the free space.",
                isRetryable: true,
                detail: "errno \(errno)"
            )
        }
    }

    /// The identity of the file at this path; nil if there is none.
    var identity: FileIdentity? { FileIdentity(path: path) }

    /// Those of the database and its companions that other users may read or write.
    func openToOthers() -> [String] {
        [path, path + "-wal", path + "-shm"].filter { file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
            return ((attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o077 != 0
        }
    }

    /// Whether there is a file with at least one byte.
    func hasContent() throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return (size?.int64Value ?? 0) > 0
    }

    private func checkKinds(folder: String) throws(StorageError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw StorageError(
                .unavailable,
                "There is no folder \(folder). Create it, or name a database file elsewhere.",
                isRetryable: true
            )
        }
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw StorageError(.unavailable, "\(path) is a folder. Name a file in it.", isRetryable: false)
        }
    }

    /// Refuses read-only files even if the user (root) could write them. A file that does not exist is not refused:
    /// another program that closes the database, such as a backup, deletes the companions at any time.
    private func requireWritable(_ file: String, remedy: String) throws(StorageError) {
        let anyoneMayWrite: mode_t = 0o222
        var information = stat()
        let isMarkedReadOnly = stat(file, &information) == 0 && information.st_mode & anyoneMayWrite == 0
        let refusal = access(file, W_OK) == 0 ? 0 : errno
        guard isMarkedReadOnly || (refusal != 0 && refusal != ENOENT) else { return }
        let remedy = refusal == EROFS ? "Its file system is mounted read-only: mount it for writing." : remedy
        throw StorageError(.readOnly, "\(file) may not be written. \(remedy)", isRetryable: true)
    }

    private func checkHeader() throws(StorageError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let header: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            header = Array(try handle.read(upToCount: SQLiteHeader.byteCount) ?? Data())
        } catch {
            throw StorageError(
                .unavailable,
                "\(path) cannot be read. Give the user of this program the right to read it.",
                isRetryable: true,
                detail: String(describing: error)
            )
        }
        guard header.isEmpty || SQLiteHeader(header).isAcceptable else {
            throw StorageError(
                .notADatabase,
                "\(path) is not a database of this program; it was left as it is. Name another file.",
                isRetryable: false
            )
        }
    }
}

/// The identity of a file, independent of its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    /// The file at a path; nil if there is none.
    init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        self.init(information)
    }

    /// The file of a descriptor; nil if the system refuses it.
    init?(descriptor: Int32) {
        var information = stat()
        guard fstat(descriptor, &information) == 0 else { return nil }
        self.init(information)
    }

    private init(_ information: stat) {
        device = UInt64(information.st_dev)
        number = UInt64(information.st_ino)
    }
}

/// The first bytes of a SQLite file.
///
/// - Source: SQLite, "Database File Format", section 1.3.
private struct SQLiteHeader {
    static let byteCount = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let applicationIDOffset = 68

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A database of this program or without an application id (a new one has none until its first checkpoint).
    var isAcceptable: Bool {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { return false }
        let applicationID = bytes[Self.applicationIDOffset..<Self.applicationIDOffset + 4]
            .reduce(into: Int64(0)) { $0 = $0 << 8 | Int64($1) }
        return applicationID == 0 || applicationID == SQLiteSchema.applicationID
    }
}
