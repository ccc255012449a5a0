#if PostgreSQL
    import Dispatch
    import Foundation
    import SubscriptionStorage
    import Synchronization

    /// Threads with one connection each, which run jobs in order of arrival.
    ///
    /// libpq blocks and a connection belongs to one thread, so jobs never run on the cooperative thread pool.
    final class PostgreSQLWorkers: Sendable {
        typealias Job = @Sendable (PostgreSQLSession) -> Void

        private struct Line {
            var jobs: [Job] = []
            /// The index of the next job; the jobs before it are done.
            var next = 0
            var isClosed = false
            var threadsLeft: Int
            var onEnd: [CheckedContinuation<Void, Never>] = []
        }

        private let line: Mutex<Line>
        /// Counts the queued jobs, plus one for each thread at the end.
        private let signal = DispatchSemaphore(value: 0)
        private let waitingMax: Int
        private let threadCount: Int

        /// Starts the threads, which connect with their first job.
        init(_ name: String, count: Int, address: PostgreSQLAddress, options: PostgreSQLOptions) {
            threadCount = max(1, count)
            waitingMax = max(1, options.waitingMax)
            line = Mutex(Line(threadsLeft: threadCount))
            for number in 1...threadCount {
                let thread = Thread { [self] in work(PostgreSQLSession(address: address, options: options)) }
                thread.name = "perennial.postgresql.\(name).\(number)"
                thread.start()
            }
        }

        /// Runs a job on one of the threads.
        ///
        /// - Throws: ``StorageError`` with `busy` if too many jobs wait, `unavailable` after closing, and what the job
        ///   throws.
        func perform<Value: Sendable>(
            _ job: @escaping @Sendable (PostgreSQLSession, @escaping (Result<Value, StorageError>) -> Void) -> Void
        ) async throws(StorageError) -> Value {
            let outcome: Result<Value, StorageError> = await withCheckedContinuation { continuation in
                let refusal = enqueue { session in job(session) { continuation.resume(returning: $0) } }
                if let refusal { continuation.resume(returning: .failure(refusal)) }
            }
            return try outcome.get()
        }

        /// Waits for the queued jobs and ends the threads.
        func close() async {
            await withCheckedContinuation { continuation in
                let (isFirst, isOver) = line.withLock { line in
                    defer { line.isClosed = true }
                    if line.threadsLeft > 0 { line.onEnd.append(continuation) }
                    return (!line.isClosed, line.threadsLeft == 0)
                }
                if isOver { continuation.resume() }
                if isFirst { for _ in 0..<threadCount { signal.signal() } }
            }
        }

        /// Queues a job, or returns the reason for a refusal.
        private func enqueue(_ job: @escaping Job) -> StorageError? {
            let refusal: StorageError? = line.withLock { line in
                if line.isClosed { return .databaseClosed }
                if line.jobs.count - line.next >= waitingMax {
                    return StorageError(
                        .busy,
                        "The queue for the database is full. Retry in a few seconds.",
                        isRetryable: true
                    )
                }
                line.jobs.append(job)
                return nil
            }
            if refusal == nil { signal.signal() }
            return refusal
        }

        private func work(_ session: PostgreSQLSession) {
            while true {
                signal.wait()
                guard let job = line.withLock({ line in Self.nextJob(&line) }) else { break }
                job(session)
            }
            let waiting: [CheckedContinuation<Void, Never>] = line.withLock { line in
                line.threadsLeft -= 1
                guard line.threadsLeft == 0 else { return [] }
                defer { line.onEnd = [] }
                return line.onEnd
            }
            for continuation in waiting { continuation.resume() }
        }

        private static func nextJob(_ line: inout Line) -> Job? {
            guard line.next < line.jobs.count else { return nil }
            let job = line.jobs[line.next]
            line.next += 1
            let doneMax = 64
            if line.next >= doneMax || line.next == line.jobs.count {
                line.jobs.removeFirst(line.next)
                line.next = 0
            }
            return job
        }
    }
#endif
