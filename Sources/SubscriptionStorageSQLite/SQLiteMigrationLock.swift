import Foundation
import SubscriptionStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lock of the process that migrates a database file. Others wait for it, without a time limit.
///
/// A lock of SQLite would end with each step, and nobody could see whether its holder migrates. This is a lock on an
/// empty file beside the database. The system releases it when the process ends.
struct SQLiteMigrationLock {
    private static let attemptsMax = 1_000
    /// The errors of a file system that has no such locks. There, one of two migrations at the same time fails.
    private static let unsupported = [ENOSYS, EOPNOTSUPP, ENOLCK, EINVAL]

    private let path: String
    private let descriptor: Int32

    /// Locks a database file for a migration.
    ///
    /// - Parameter onWaiting: Called once if another process migrates the file.
    /// - Throws: ``StorageError`` with `unavailable` if the lock's file cannot be used.
    init(_ file: SQLiteFile, onWaiting: () -> Void) throws(StorageError) {
        // As with SQLite's own files, a link and its target have the same one.
        path = URL(fileURLWithPath: file.path).resolvingSymlinksInPath().path + "-migration"
        descriptor = try Self.locked(path, onWaiting)
    }

    /// Unlocks, and removes the lock's file.
    func release() {
        // Before it is unlocked, so that nobody locks a file that is removed afterwards.
        if FileIdentity(descriptor: descriptor) == FileIdentity(path: path) { unlink(path) }
        close(descriptor)
    }

    private static func locked(_ path: String, _ onWaiting: () -> Void) throws(StorageError) -> Int32 {
        var hasWaited = false
        // Each further attempt follows the migration of another process.
        for _ in 0..<attemptsMax {
            let ownerOnly: mode_t = 0o600
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, ownerOnly)
            guard descriptor >= 0 else { throw unusable(path, errno) }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK, !hasWaited {
                    hasWaited = true
                    onWaiting()
                }
                while flock(descriptor, LOCK_EX) != 0 {
                    let number = errno
                    if unsupported.contains(number) { return descriptor }
                    guard number == EINTR else {
                        close(descriptor)
                        throw unusable(path, number)
                    }
                }
            }
            // The process before this one has removed its file. Others would lock a new one.
            if let identity = FileIdentity(descriptor: descriptor), identity == FileIdentity(path: path) {
                return descriptor
            }
            close(descriptor)
        }
        throw unusable(path, EAGAIN)
    }

    private static func unusable(_ path: String, _ number: Int32) -> StorageError {
        StorageError(
            .unavailable,
            """
            \(path), which locks the database during a migration, cannot be used. Check the folder's permissions \
            and the free space. If no process migrates the database, remove this file.
            """,
            isRetryable: true,
            detail: "errno \(number)"
        )
    }
}
