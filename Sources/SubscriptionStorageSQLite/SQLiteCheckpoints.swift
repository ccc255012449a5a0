import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// Copies the log into the database file on a thread of its own, so that commits do not wait for it.
///
/// The copy flushes the file. In a large database, the pages of a log lie far from each other, so a copy takes as long
/// as the commits themselves. Meanwhile the writer goes on with the log. If the log has ``logPagesMax`` pages after a
/// commit, SQLite copies the rest on the writer's thread: then the next commit begins the log anew.
final class SQLiteCheckpoints: Sendable {
    /// The length of the log at which SQLite copies it on the writer's thread.
    ///
    /// - Units: pages.
    static let logPagesMax = 8_000

    /// The number of written pages after which a copy begins.
    private static let interval: UInt32 = 1_000

    private struct State {
        /// The writer's count when the last copy began; it wraps.
        var begunAt: UInt32?
        var isRunning = false
    }

    private let queue = DispatchQueue(label: "perennial.sqlite.checkpoints")
    private let connection: DatabaseQueue
    private let state = Mutex(State())

    /// Opens the connection.
    ///
    /// - Parameter path: A database file in write-ahead mode.
    /// - Throws: The engine's error.
    init(path: String, configuration: Configuration) throws {
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Begins a copy if enough pages were written since the last one began. Called on the writer's thread.
    func noteWrites(of db: Database) {
        var count: CInt = 0
        var peak: CInt = 0
        guard sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &peak, 0) == SQLITE_OK
        else { return }
        let written = UInt32(bitPattern: count)
        let isDue = state.withLock { state in
            guard let begunAt = state.begunAt else {
                state.begunAt = written
                return false
            }
            guard !state.isRunning, written &- begunAt >= Self.interval else { return false }
            state.begunAt = written
            state.isRunning = true
            return true
        }
        if isDue { queue.async { self.copy() } }
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
        state.withLock { $0.isRunning = false }
    }
}
