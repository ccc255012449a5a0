import GRDB
import SubscriptionStorage
import Synchronization

/// Notices commits of other processes, such as `perennial rebuild --apply`, so that nothing cached outlives them.
///
/// SQLite's `data_version` of the writer's connection changes only by commits of other connections, and no other
/// connection of this process writes. Each write looks at it. Without writes, it is looked at when it is needed.
final class SQLiteOtherProcesses: Sendable {
    /// How long a commit of another process may stay unnoticed.
    private static let recent = Duration.milliseconds(100)

    private struct State {
        var version: Int64?
        var lookedAt: ContinuousClock.Instant?
        var isLooking = false
    }

    private let state = Mutex(State())

    /// Whether somebody looked recently.
    var isRecent: Bool {
        let now = ContinuousClock.now
        return state.withLock { state in state.lookedAt.map { now - $0 < Self.recent } ?? false }
    }

    /// Whether a look may begin; only one runs at a time.
    func begin() -> Bool {
        state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
    }

    /// Ends a look without a result.
    func end() { state.withLock { $0.isLooking = false } }

    /// Looks, on the writer's connection.
    func look(_ db: Database, _ counts: CustomerCommits) throws {
        let now = ContinuousClock.now
        let statement = try db.cachedStatement(sql: "PRAGMA data_version")
        let version = try Int64.fetchOne(statement)
        state.withLock { state in
            // Before the look counts as recent. Nothing was cached before the first one.
            if let before = state.version, before != version { counts.noteUnknown() }
            state.version = version
            state.lookedAt = now
            state.isLooking = false
        }
    }
}
