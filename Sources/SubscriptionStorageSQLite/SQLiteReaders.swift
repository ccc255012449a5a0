import Dispatch
import GRDB
import SubscriptionStorage
import Synchronization

/// Threads that read: what comes while all of them are busy shares the next view that one of them takes.
///
/// A view costs as much as most reads, and so does waking a thread: under load one of each serves many. Nobody waits
/// for others to come.
final class SQLiteReaders: Sendable {
    /// Reads in a view, or is told that there is none; called once.
    private typealias Job = @Sendable (Result<SQLiteReader, any Error>) -> Void

    /// A thread with a connection of its own.
    private struct Thread: Sendable {
        let queue: DispatchQueue
        let connection: DatabaseQueue
    }

    private struct Line {
        var jobs: [Job] = []
        /// Threads without work.
        var idle: [Thread]
        var isClosed = false
    }

    /// How many reads share a view: a slow one holds up no more than these.
    private static let sharedMax = 16

    private let threads: [Thread]
    private let line: Mutex<Line>
    private let tables = SQLiteTableStatements()

    /// Opens the connections.
    ///
    /// - Parameters:
    ///   - path: A database file in write-ahead mode that is open for writing too.
    ///   - configuration: How to open it.
    /// - Throws: The engine's error.
    init(path: String, configuration: Configuration, count: Int) throws {
        var configuration = configuration
        configuration.readonly = true
        let threads = try (0..<max(1, count)).map { number in
            Thread(
                queue: DispatchQueue(label: "perennial.sqlite.reader.\(number)"),
                connection: try DatabaseQueue(path: path, configuration: configuration)
            )
        }
        self.threads = threads
        line = Mutex(Line(idle: threads))
    }

    /// Runs a body in a view that is taken after this call.
    ///
    /// - Throws: What the body throws, or the engine's error where no view can be had.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job: Job = { reader in
                continuation.resume(with: reader.flatMap { reader in Result { try body(reader) } })
            }
            let (isClosed, free) = line.withLock { line -> (Bool, Thread?) in
                guard !line.isClosed else { return (true, nil) }
                line.jobs.append(job)
                return (false, line.idle.popLast())
            }
            if isClosed { job(.failure(StorageError(.unavailable, "The database is closed.", isRetryable: true))) }
            if let free { free.queue.async { self.work(on: free) } }
        }
    }

    /// Waits for the reads in line, and takes no more.
    func stop() {
        line.withLock { $0.isClosed = true }
        for thread in threads { thread.queue.sync {} }
    }

    /// Takes reads again.
    func goOn() {
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
                            job(.success(SQLiteReader(connection: connection)))
                        }
                    }
                }
            } catch {
                // Those whose turn had come were answered; the end of a view tells nothing about them.
                for job in jobs[begun...] { job(.failure(error)) }
            }
        }
    }
}

extension SQLiteConnection {
    private static let begin: SQLiteStatement = "BEGIN DEFERRED TRANSACTION"
    private static let end: SQLiteStatement = "COMMIT TRANSACTION"
    private static let abandon: SQLiteStatement = "ROLLBACK TRANSACTION"

    /// Runs a body in a read transaction: what it reads does not change meanwhile.
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
