import Foundation
import SubscriptionStorage
import Synchronization

/// A database that kills its process (SIGKILL) before, during or after a commit.
///
/// Each write has three points: before it starts, before its commit, and after its commit before it returns.
struct KillingDatabase: SubscriptionDatabase {
    /// Counts the passed points.
    final class Points: Sendable {
        private let count = Mutex(0)
        private let last: Int

        /// Kills the process at a point, counted from 0. `.max` only counts.
        init(killingAt last: Int = .max) {
            self.last = last
        }

        /// The number of passed points.
        var passed: Int { count.withLock { $0 } }

        func pass() {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if number == last { kill(getpid(), SIGKILL) }
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
        points.pass()
        let result = try await engine.write { [points] storage throws(StorageError) in
            let result = try body(storage)
            points.pass()
            return result
        }
        points.pass()
        return result
    }

    func close() async throws(StorageError) {
        try await engine.close()
    }
}
