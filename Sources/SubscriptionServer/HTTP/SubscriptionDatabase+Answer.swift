import SubscriptionOperations
import SubscriptionStorage

extension SubscriptionDatabase {
    /// Reads for an answer; a storage failure is the caller's 503.
    func answer<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        do {
            return try await read(body)
        } catch {
            throw OperationError(error)
        }
    }

    /// Reads for an answer to what watches the server: that gives up after some seconds itself, and the engine, which ends a
    /// read that takes too long, much later.
    ///
    /// - Throws: `storage_timed_out` after five seconds, as the others the caller's 503.
    func promptAnswer<Value: Sendable>(
        by clock: any Clock<Duration>,
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        let (answers, answer) = AsyncStream.makeStream(of: Result<Value, OperationError>.self)
        // Neither is waited for: a frozen database keeps its reader.
        Task {
            do throws(OperationError) {
                answer.yield(.success(try await self.answer(body)))
            } catch {
                answer.yield(.failure(error))
            }
        }
        let timer = Task {
            try await clock.sleep(for: .seconds(5))
            answer.finish()
        }
        defer { timer.cancel() }
        var iterator = answers.makeAsyncIterator()
        guard let first = await iterator.next() else { throw OperationError(.tooSlow) }
        return try first.get()
    }

    /// Writes for an answer; a storage failure is the caller's 503.
    func change<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Value
    ) async throws(OperationError) -> Value {
        do {
            return try await write(body)
        } catch {
            throw OperationError(error)
        }
    }
}

extension StorageError {
    fileprivate static let tooSlow = StorageError(
        .timedOut,
        "The database did not answer within five seconds. Check that it runs, and how busy it is; retry.",
        isRetryable: true
    )
}
