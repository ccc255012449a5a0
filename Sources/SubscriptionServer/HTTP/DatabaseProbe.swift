import SubscriptionOperations
package import SubscriptionStorage
import Synchronization

/// Asks the database for what watches the server: that gives up after some seconds itself, and the engine, which ends a
/// read that takes too long, much later.
///
/// One question is under way at a time, and whoever comes meanwhile gets its answer: a frozen database is asked once,
/// however often somebody looks.
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

    /// Nothing is asked yet.
    ///
    /// - Parameter clock: The clock by which an answer is waited for.
    package init(_ database: any SubscriptionDatabase, by clock: any Clock<Duration>) {
        self.database = database
        self.clock = clock
    }

    /// The answer.
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
        // Not waited for: a frozen database keeps its reader. There is one of them.
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
        "The database did not answer within five seconds. Check that it runs, and how busy it is; retry.",
        isRetryable: true
    )
}
