import Foundation
import SubscriptionStorage
import Synchronization

/// A database that stops before, during or after a commit: it kills its process (SIGKILL), or it refuses everything.
///
/// Each write has three points: before it starts, before its commit, and after its commit before it returns.
struct KillingDatabase: SubscriptionDatabase {
    /// Counts the passed points.
    final class Points: Sendable {
        private let count = Mutex(0)
        private let last: Int
        private let killsProcess: Bool
        private let isRetryable: Bool

        /// Kills the process at a point, counted from 0. `.max` only counts.
        init(killingAt last: Int = .max) {
            self.last = last
            killsProcess = true
            isRetryable = true
        }

        /// Writes nothing from a point on.
        ///
        /// - Parameter isRetryable: Whether its errors say that a later attempt may succeed.
        init(failingAt last: Int, isRetryable: Bool = true) {
            self.last = last
            killsProcess = false
            self.isRetryable = isRetryable
        }

        /// The number of passed points.
        var passed: Int { count.withLock { $0 } }

        func pass() throws(StorageError) {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if killsProcess {
                if number == last { kill(getpid(), SIGKILL) }
            } else if number >= last {
                throw StorageError(.unavailable, "The database is gone.", isRetryable: isRetryable)
            }
        }
    }

    let engine: any SubscriptionDatabase
    let points: Points

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await engine.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try points.pass()
        let result = try await engine.write { [points] storage throws(StorageError) in
            let result = try body(storage)
            try points.pass()
            return result
        }
        try points.pass()
        return result
    }

    func close() async throws(StorageError) {
        try await engine.close()
    }
}
