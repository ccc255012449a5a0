import Foundation
import SubscriptionStorage
import Synchronization

/// An engine whose process is killed (SIGKILL) at one of the points around its commits.
///
/// Each write has three: before it begins; when all of it was said to the engine and nothing is committed; and when it
/// is committed and nobody was told. It stands in a test's process only: the engines know nothing of it.
struct KillingDatabase: SubscriptionDatabase {
    /// Counts the points that were passed.
    final class Points: Sendable {
        private let count = Mutex(0)
        private let last: Int

        /// Kills at a point, counted from 0; `.max` only counts.
        init(killingAt last: Int = .max) {
            self.last = last
        }

        /// How many were passed.
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
