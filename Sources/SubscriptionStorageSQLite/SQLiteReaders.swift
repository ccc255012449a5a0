import Dispatch
import GRDB
import SubscriptionStorage
import Synchronization

/// A pool of reader threads. Reads that arrive while all threads are busy share the next snapshot.
///
/// Beginning a snapshot or waking a thread costs as much as most reads, so under load one of each serves many reads. No
/// read waits for others to arrive.
final class SQLiteReaders: Sendable {
    /// Reads from a snapshot, or gets the error that prevented it; called once.
    private typealias Job = @Sendable (Result<SQLiteConnection, any Error>) -> Void

    /// A thread with its own connection.
    private struct Thread: Sendable {
        let queue: DispatchQueue
        let connection: DatabaseQueue
    }

    private struct Line {
        var jobs: [Job] = []
        /// Idle threads.
        var idle: [Thread]
        var isClosed = false
    }

    /// The maximum number of reads that share a snapshot; it limits how many reads a slow one delays.
    private static let sharedMax = 16

    private let threads: [Thread]
    private let runsOnCaller: Bool
    private let line: Mutex<Line>
    private let tables = SQLiteTableStatements()

    /// Opens the connections.
    ///
    /// - Parameters:
    ///   - path: A database file in write-ahead mode that is open for writing too.
    ///   - configuration: The configuration of the connections.
    ///   - runsOnCaller: Whether a read runs on the calling thread instead.
    /// - Throws: The engine's error.
    init(path: String, configuration: Configuration, count: Int, runsOnCaller: Bool) throws {
        var configuration = configuration
        configuration.readonly = true
        let threads = try (0..<max(1, count)).map { number in
            Thread(
                queue: DispatchQueue(label: "perennial.sqlite.reader.\(number)"),
                connection: try DatabaseQueue(path: path, configuration: configuration)
            )
        }
        self.threads = threads
        self.runsOnCaller = runsOnCaller
        line = Mutex(Line(idle: threads))
    }

    /// Runs a body on a snapshot that begins after this call.
    ///
    /// - Throws: What the body throws, or the engine's error if no snapshot can begin.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job: Job = { connection in
                continuation.resume(with: connection.flatMap { connection in Result { try body(connection) } })
            }
            let (isClosed, free) = line.withLock { line -> (Bool, Thread?) in
                guard !line.isClosed else { return (true, nil) }
                line.jobs.append(job)
                return (false, line.idle.popLast())
            }
            if isClosed { job(.failure(StorageError(.unavailable, "The database is closed.", isRetryable: true))) }
            guard let free else { return }
            if runsOnCaller { free.queue.sync { work(on: free) } } else { free.queue.async { self.work(on: free) } }
        }
    }

    /// Waits for the queued reads and refuses further ones.
    func stop() {
        line.withLock { $0.isClosed = true }
        for thread in threads { thread.queue.sync {} }
    }

    /// Accepts reads again.
    func resume() {
        line.withLock { $0.isClosed = false }
    }

    /// Closes the connections; only after ``stop()``.
    ///
    /// - Throws: The engine's error.
    func close() throws {
        for thread in threads { try thread.connection.close() }
    }

    private func work(on thread: Thread) {
        while true {
            let jobs = line.withLock { line in
                let jobs = Array(line.jobs.prefix(Self.sharedMax))
                line.jobs.removeFirst(jobs.count)
                if jobs.isEmpty { line.idle.append(thread) }
                return jobs
            }
            guard !jobs.isEmpty else { return }
            var begun = 0
            do {
                try thread.connection.unsafeRead { db in
                    try SQLiteConnection(db, tables: tables).inView { connection in
                        for job in jobs {
                            begun += 1
                            job(.success(connection))
                        }
                    }
                }
            } catch {
                // The reads that ran have their results; an error at the end of the snapshot does not affect them.
                for job in jobs[begun...] { job(.failure(error)) }
            }
        }
    }
}

extension SQLiteConnection {
    private static let begin: SQLiteStatement = "BEGIN DEFERRED TRANSACTION"
    private static let end: SQLiteStatement = "COMMIT TRANSACTION"
    private static let abandon: SQLiteStatement = "ROLLBACK TRANSACTION"

    /// Runs a body in a read transaction.
    fileprivate func inView(_ body: (SQLiteConnection) -> Void) throws {
        try run(Self.begin, [])
        body(self)
        do {
            try run(Self.end, [])
        } catch {
            try run(Self.abandon, [])
        }
    }
}
