import Foundation
package import SubscriptionStorage

/// The files of an export.
package protocol ExportDisk: Sendable {
    /// Makes a folder that only this user can read, unless it exists; returns the names in it.
    ///
    /// - Throws: ``StorageError`` with `export_not_written` or `export_disk_full`.
    func makeFolder(_ path: String) throws(StorageError) -> [String]

    /// Writes bytes at an offset, which becomes their beginning and the end of what was there before. A new file is
    /// readable by this user only.
    ///
    /// - Throws: ``StorageError`` with `export_not_written` or `export_disk_full`. A part of the bytes may be written.
    func write(_ bytes: [UInt8], to path: String, at offset: Int) throws(StorageError)

    /// Returns when the file is on the disk.
    ///
    /// - Throws: ``StorageError`` with `export_not_written` or `export_disk_full`.
    func flush(_ path: String) throws(StorageError)

    /// Renames a file, and returns when the new name is on the disk.
    ///
    /// - Throws: ``StorageError`` with `export_not_written` or `export_disk_full`.
    func rename(_ path: String, to newPath: String) throws(StorageError)

    /// Removes a file, and returns when it is no longer on the disk.
    ///
    /// - Throws: ``StorageError`` with `export_not_written` or `export_disk_full`.
    func remove(_ path: String) throws(StorageError)

    /// Reads a file in pieces; false without a file.
    ///
    /// - Throws: ``StorageError`` with `export_not_read`, and what the body throws.
    func read(
        _ path: String,
        _ body: (ArraySlice<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool
}

extension ExportDisk {
    /// All bytes of a small file; nil without a file.
    ///
    /// - Throws: ``StorageError`` with `export_not_read`.
    package func contents(of path: String) throws(StorageError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isThere = try read(path) { piece throws(StorageError) in bytes += piece }
        return isThere ? bytes : nil
    }

    /// Replaces a small file: at any time it has the old or the new bytes.
    ///
    /// - Throws: ``StorageError`` with `export_not_written` or `export_disk_full`.
    package func replace(_ path: String, with bytes: [UInt8]) throws(StorageError) {
        let partial = path + TableFile.partial
        try write(bytes, to: partial, at: 0)
        try flush(partial)
        try rename(partial, to: path)
    }
}

/// The file system.
package struct FileSystemDisk: ExportDisk {
    private static let pieceBytes = 1 << 20

    /// Makes a disk.
    package init() {}

    /// Makes a folder and lists it.
    package func makeFolder(_ path: String) throws(StorageError) -> [String] {
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw Self.notWritten(path, errno)
        }
    }

    /// Writes bytes and cuts off what follows them.
    package func write(_ bytes: [UInt8], to path: String, at offset: Int) throws(StorageError) {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.notWritten(path, errno) }
        var problem: Int32?
        if ftruncate(file, off_t(offset)) != 0 { problem = errno }
        var written = 0
        while problem == nil, written < bytes.count {
            let end = off_t(offset + written)
            let count = bytes[written...].withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, end) }
            if count < 0, errno != EINTR { problem = errno }
            if count > 0 { written += count }
            if count == 0 { problem = EIO }
        }
        if close(file) != 0 { problem = problem ?? errno }
        if let problem { throw Self.notWritten(path, problem) }
    }

    /// Flushes a file.
    package func flush(_ path: String) throws(StorageError) {
        try Self.flush(path, O_RDONLY)
    }

    /// Renames a file and flushes the folder.
    package func rename(_ path: String, to newPath: String) throws(StorageError) {
        guard Foundation.rename(path, newPath) == 0 else { throw Self.notWritten(newPath, errno) }
        try Self.flushFolder(of: newPath)
    }

    /// Removes a file and flushes the folder.
    package func remove(_ path: String) throws(StorageError) {
        guard unlink(path) == 0 else { throw Self.notWritten(path, errno) }
        try Self.flushFolder(of: path)
    }

    private static func flushFolder(of path: String) throws(StorageError) {
        try flush(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
    }

    private static func flush(_ path: String, _ flags: Int32) throws(StorageError) {
        let file = open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw notWritten(path, errno) }
        let problem = fsync(file) == 0 ? nil : errno
        close(file)
        if let problem { throw notWritten(path, problem) }
    }

    /// Reads a file.
    package func read(
        _ path: String,
        _ body: (ArraySlice<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return false }
            throw Self.notRead(path, errno)
        }
        defer { close(file) }
        var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = piece.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.notRead(path, errno) }
            guard count > 0 else { return true }
            try body(piece[..<count])
        }
    }

    private static func notRead(_ path: String, _ number: Int32) -> StorageError {
        StorageError(
            .exportNotRead,
            "\(path) cannot be read (\(String(cString: strerror(number)))). Check the path and its rights.",
            isRetryable: true
        )
    }

    private static func notWritten(_ path: String, _ number: Int32) -> StorageError {
        let isFull = [ENOSPC, EDQUOT, EFBIG].contains(number)
        return StorageError(
            isFull ? .exportDiskFull : .exportNotWritten,
            isFull
                ? "No space is left to write \(path). Free some space and run the same command again."
                : "\(path) cannot be written (\(String(cString: strerror(number)))). Check the path and its rights, "
                    + "and run the same command again.",
            isRetryable: true
        )
    }
}
