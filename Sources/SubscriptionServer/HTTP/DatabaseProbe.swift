import SubscriptionOperations
package import SubscriptionStorage
import Synchronization

/// Queries the database for health checks and metrics, with a shorter time limit than the engine's.
///
/// Only one query runs at a time, and concurrent callers share its result. So a frozen database gets only one query.
package final class DatabaseProbe<Value: Sendable>: Sendable {
    private typealias Outcome = Result<Value, OperationError>

    private struct State {
        var isAsking = false
        var lastWaiting = 0
        var waiting: [Int: AsyncStream<Outcome>.Continuation] = [:]
    }

    private let database: any SubscriptionDatabase
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// Makes a probe.
    ///
    /// - Parameter clock: The clock for the time limit.
    package init(_ database: any SubscriptionDatabase, by clock: any Clock<Duration>) {
        self.database = database
        self.clock = clock
    }

    /// The result.
    ///
    /// - Throws: ``OperationError`` `storage_timed_out` after five seconds, or storage's codes.
    func answer(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Outcome.self)
        let (number, isFirst) = state.withLock { state in
            state.lastWaiting += 1
            state.waiting[state.lastWaiting] = outcome
            defer { state.isAsking = true }
            return (state.lastWaiting, !state.isAsking)
        }
        // The task is not awaited: with a frozen database it stays, but only one of it.
        if isFirst { Task { await ask(body) } }
        let timer = Task { [clock] in
            try await clock.sleep(for: .seconds(5))
            outcome.finish()
        }
        defer {
            timer.cancel()
            state.withLock { $0.waiting[number] = nil }
        }
        var iterator = outcomes.makeAsyncIterator()
        guard let first = await iterator.next() else { throw OperationError(.tooSlow) }
        return try first.get()
    }

    private func ask(_ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value) async {
        let outcome: Outcome
        do throws(OperationError) {
            outcome = .success(try await database.answer(body))
        } catch {
            outcome = .failure(error)
        }
        let waiting = state.withLock { state in
            defer {
                state.isAsking = false
                state.waiting = [:]
            }
            return state.waiting
        }
        for one in waiting.values { one.yield(outcome) }
    }
}

extension StorageError {
    fileprivate static let tooSlow = StorageError(
        .timedOut,
        "The database did not respond within five seconds. Check that it runs, and its load; retry.",
        isRetryable: true
    )
}
