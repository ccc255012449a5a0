import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Copies the log into the database file on a thread of its own, so that commits do not wait for it.
///
/// The copy flushes the file. In a large database, the pages of a log lie far from each other, so a copy takes as long
/// as the commits themselves. Meanwhile the writer goes on with the log. After ``SQLiteCopyPlan/logPagesMax`` pages,
/// the writer copies the rest on its own thread: then the next commit begins the log anew. Nothing else in this process
/// copies the log, see ``SQLiteCopyPlan``.
final class SQLiteCheckpoints: Sendable {
    private let queue = DispatchQueue(label: "perennial.sqlite.checkpoints")
    private let connection: DatabaseQueue
    private let plan = Mutex(SQLiteCopyPlan())

    /// Opens the connection.
    ///
    /// - Parameter path: A database file in write-ahead mode.
    /// - Throws: The engine's error.
    init(path: String, configuration: Configuration) throws {
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Begins a copy if one is due. Called on the writer's thread, before a write.
    ///
    /// - Returns: Whether ``copyOnWriter(_:)`` must be called after the transaction.
    func noteWrites(of db: Database) -> Bool {
        guard let written = Self.pagesWritten(by: db) else { return false }
        switch plan.withLock({ $0.step(written: written) }) {
        case .none: return false
        case .copy:
            queue.async { self.copy() }
            return false
        case .copyOnWriter: return true
        }
    }

    /// Copies the log if that is still due. Called on the writer's thread, outside a transaction.
    func copyOnWriter(_ db: Database) {
        guard let written = Self.pagesWritten(by: db), plan.withLock({ $0.isWriterDue(written: written) }) else {
            return
        }
        // No other copy begins meanwhile: that happens on this thread. An error loses nothing, as in `copy`.
        let copied = try? db.checkpoint(.passive)
        let isWhole = copied.map { $0.checkpointedFrameCount == $0.walFrameCount } ?? false
        plan.withLock { $0.noteCopyOnWriter(written: written, isWhole: isWhole) }
    }

    /// Waits for a running copy. None begins while the caller is on the writer's thread.
    func wait() { queue.sync {} }

    /// Closes the connection; only after ``wait()``, when nothing writes any more.
    ///
    /// - Throws: The engine's error.
    func close() throws { try connection.close() }

    /// An error, such as that of a full disk, loses nothing: the log stays, and a later copy repeats what is missing.
    private func copy() {
        _ = try? connection.writeWithoutTransaction { db in try db.checkpoint(.passive) }
        plan.withLock { $0.noteCopy() }
    }

    /// The number of pages that a connection has written; nil if SQLite does not say it.
    private static func pagesWritten(by db: Database) -> UInt32? {
        var count: CInt = 0
        var peak: CInt = 0
        let code = sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &peak, 0)
        return code == SQLITE_OK ? UInt32(bitPattern: count) : nil
    }
}
