import Dispatch
import GRDB
import SubscriptionStorage
import Synchronization

/// Threads that read: what comes while all of them are busy shares the next view that one of them takes.
///
/// A view costs more than most reads, and so does waking a thread: under load one of each serves many. Nobody waits for
/// others to come.
final class SQLiteReaders: Sendable {
    /// Reads in a view, or is told that there is none; called once.
    private typealias Job = @Sendable (Result<SQLiteReader, any Error>) -> Void

    private struct Line {
        var jobs: [Job] = []
        /// Threads without work.
        var idle: [DispatchQueue]
        var isClosed = false
    }

    /// How many reads share a view: a slow one holds up no more than these.
    private static let sharedMax = 16

    private let pool: DatabasePool
    private let queues: [DispatchQueue]
    private let line: Mutex<Line>

    init(pool: DatabasePool, count: Int) {
        self.pool = pool
        let queues = (0..<max(1, count)).map { DispatchQueue(label: "perennial.sqlite.reader.\($0)") }
        self.queues = queues
        line = Mutex(Line(idle: queues))
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
            let (isClosed, free) = line.withLock { line -> (Bool, DispatchQueue?) in
                guard !line.isClosed else { return (true, nil) }
                line.jobs.append(job)
                return (false, line.idle.popLast())
            }
            if isClosed { job(.failure(StorageError(.unavailable, "The database is closed.", isRetryable: true))) }
            if let free { free.async { self.work(on: free) } }
        }
    }

    /// Waits for the reads in line, and takes no more.
    func close() {
        line.withLock { $0.isClosed = true }
        for queue in queues { queue.sync {} }
    }

    /// Takes reads again.
    func open() {
        line.withLock { $0.isClosed = false }
    }

    private func work(on queue: DispatchQueue) {
        while true {
            let jobs = line.withLock { line in
                let jobs = Array(line.jobs.prefix(Self.sharedMax))
                line.jobs.removeFirst(jobs.count)
                if jobs.isEmpty { line.idle.append(queue) }
                return jobs
            }
            guard !jobs.isEmpty else { return }
            var begun = 0
            do {
                try pool.read { db in
                    for job in jobs {
                        begun += 1
                        job(.success(SQLiteReader(connection: SQLiteConnection(db))))
                    }
                }
            } catch {
                // Those whose turn had come were answered; the end of a view tells nothing about them.
                for job in jobs[begun...] { job(.failure(error)) }
            }
        }
    }
}
