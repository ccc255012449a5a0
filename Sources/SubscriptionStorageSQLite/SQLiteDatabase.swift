import Dispatch
import GRDB
public import SubscriptionStorage
import Synchronization

/// The engine for one machine: a SQLite file in write-ahead mode that is synchronised to the disk at each commit.
///
/// Writes run one after another on the writer's thread. Reads run concurrently on other threads, each on a snapshot.
/// Other processes may open the file too and wait for each other's writes, but only one server may use it.
public final class SQLiteDatabase: SubscriptionDatabase {
    /// Counts the commits of this process; nil while a recent commit of another process may be unnoticed.
    public var commits: CustomerCommits? {
        if others.isRecent { return counts }
        lookForOthers()
        return nil
    }

    private let counts = CustomerCommits()
    private let others = SQLiteOtherProcesses()
    private let file: SQLiteFile
    private let identity: FileIdentity?
    private let pool: DatabasePool
    private let readers: SQLiteReaders
    private let closing = DispatchQueue(label: "perennial.sqlite.close")
    /// Set before the pool closes: GRDB releases its connections without a lock, so no new call may reach it then.
    private let isClosed = Mutex(false)
    /// Committed headers of signed inputs.
    private let headers = Mutex(EvidenceHeaders())
    private let tables = SQLiteTableStatements()

    private init(file: SQLiteFile, pool: DatabasePool, readers: SQLiteReaders) {
        self.file = file
        identity = file.identity
        self.pool = pool
        self.readers = readers
    }

    /// Opens or creates a database file and migrates its tables.
    ///
    /// - Throws: ``StorageError`` with `unavailable` if the folder is missing or the file cannot be opened, `read_only`
    ///   if file or folder are not writable, `not_a_database` if the file is something else (it is not changed),
    ///   `schema_too_new` if a newer version of the program wrote it, `busy` and `full`.
    public static func open(path: String) throws(StorageError) -> SQLiteDatabase {
        try open(path: path, options: SQLiteOptions())
    }

    /// Opens or creates a database file and migrates its tables. If several processes do it at the same time, one
    /// migrates and the others wait.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - options: The options.
    ///   - onProgress: Called for each step of a migration.
    /// - Throws: As ``open(path:)``.
    public static func open(
        path: String,
        options: SQLiteOptions,
        onProgress: @escaping MigrationProgress.Observer = { _ in }
    ) throws(StorageError) -> SQLiteDatabase {
        let file = SQLiteFile(path: path)
        try file.check()
        do {
            let isCurrent = try isCurrent(file, options)
            guard options.migrates, !isCurrent else { return try opened(file, options, onProgress) }
            let lock = try SQLiteMigrationLock(file) { onProgress(.waiting) }
            defer { lock.release() }
            // Another process may have migrated the file since: the steps are looked up again.
            return try opened(file, options, onProgress)
        } catch {
            throw StorageError(engine: error)
        }
    }

    /// Those of the database file and its companions that other users may read or write; empty without a file.
    public static func filesOpenToOthers(path: String) -> [String] { SQLiteFile(path: path).openToOthers() }

    /// The applied schema steps of a file; none if it does not exist. It changes nothing except that SQLite rolls back
    /// an interrupted transaction.
    ///
    /// - Throws: As ``open(path:)``.
    public static func schemaStatus(path: String) throws(StorageError) -> SchemaStatus {
        let file = SQLiteFile(path: path)
        try file.check()
        do {
            guard try file.hasContent() else { return SQLiteSchema.status(done: []) }
            do {
                return try lookUp(file, isReadOnly: true) { db in try SQLiteSchema.status(db) }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
                // A killed process left a journal that only a writer can recover; `check` has verified the owner.
                return try lookUp(file, isReadOnly: false) { db in try SQLiteSchema.status(db) }
            }
        } catch {
            throw StorageError(engine: error)
        }
    }

    /// Runs a body on a reader's thread, in a read transaction that begins after the call.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await readWithConnection { connection throws(StorageError) in
            try body(SQLiteReader(connection: connection))
        }
    }

    /// Runs a body on a reader's thread, with the connection of a read transaction.
    func readWithConnection<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try checkOpen()
        try checkFile()
        do {
            return try await readers.read(body)
        } catch {
            throw translated(error)
        }
    }

    /// Runs a body on the writer's thread, in one transaction that is durable when the call returns.
    ///
    /// A body that ignores an error of the engine is not committed either.
    public func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await writeWithConnection { connection throws(StorageError) in
            let writer = SQLiteWriter(connection: connection)
            let result = try body(writer)
            try writer.saveFacts()
            return result
        }
    }

    /// Runs a body on the writer's thread, with the connection of a write transaction.
    func writeWithConnection<Result: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try checkOpen()
        do {
            let known = headers.withLock { $0 }
            let (result, new, saved) = try await pool.write { [tables, others, counts] db in
                try others.look(db, counts)
                let connection = SQLiteConnection(db, tables: tables, headers: known)
                let result = try body(connection)
                if let failure = connection.failure { throw failure }
                return (result, connection.newHeaders, connection.savedCustomers)
            }
            counts.note(saved)
            if !new.isEmpty { headers.withLock { $0.take(new) } }
            // After the commit: data in a removed file is lost and must not be reported as stored.
            try checkFile()
            return result
        } catch {
            counts.noteUnknown()
            throw translated(error)
        }
    }

    /// Looks for commits of other processes on the writer's thread, without waiting.
    private func lookForOthers() {
        guard others.begin() else { return }
        isClosed.withLock { isClosed in
            guard !isClosed else { return others.end() }
            pool.asyncWriteWithoutTransaction { [others, counts] db in
                do { try others.look(db, counts) } catch { others.end() }
            }
        }
    }

    /// Waits for running transactions and closes the file.
    public func close() async throws(StorageError) {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        guard !wasClosed else { return }
        let outcome = await withCheckedContinuation { continuation in
            closing.async { [pool, readers] in
                readers.stop()
                continuation.resume(returning: Swift.Result { try Self.finish(pool, readers) })
            }
        }
        do {
            try outcome.get()
        } catch {
            isClosed.withLock { $0 = false }
            readers.resume()
            throw StorageError(engine: error)
        }
    }

    private func checkFile() throws(StorageError) {
        guard file.identity == identity else {
            throw StorageError(
                .fileReplaced,
                "The database file was removed or replaced while the server ran. Stop the server, put the file "
                    + "back, and start"
                    + " it again.",
                isRetryable: true,
                detail: file.path
            )
        }
    }

    private func checkOpen() throws(StorageError) {
        guard isClosed.withLock({ $0 }) else { return }
        throw StorageError(
            .unavailable,
            "The database is closed. Retry against a running server.",
            isRetryable: true
        )
    }

    /// Translates an engine's error; after closing, every error means that the database is closed.
    private func translated(_ error: any Error) -> StorageError {
        do {
            try checkOpen()
        } catch {
            return error
        }
        return StorageError(engine: error)
    }
}

extension SQLiteDatabase {
    /// Enough for the inner pages of all indexes with 5,000,000 subscriptions: half of this is not (decision 49).
    private static let writerCacheKibibytes = 131_072

    /// Copies the log into the database, so that one file contains everything, and closes the connections.
    private static func finish(_ pool: DatabasePool, _ readers: SQLiteReaders) throws {
        do {
            try emptyLog(pool)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_FULL {
            // No data is lost: the log stays next to the database, and the next process reads both.
        }
        try readers.close()
        try pool.close()
    }

    /// Copies the log into the file and truncates it.
    private static func emptyLog(_ pool: DatabasePool) throws {
        func checkpoint() throws { _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) } }
        do {
            try checkpoint()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            // A task that was cancelled between two statements interrupts only the next statement on its connection.
            try checkpoint()
        }
    }

    private static func opened(
        _ file: SQLiteFile,
        _ options: SQLiteOptions,
        _ onProgress: @escaping MigrationProgress.Observer
    ) throws -> SQLiteDatabase {
        try file.make()
        let pool = try DatabasePool(path: file.path, configuration: configuration(options))
        try pool.writeWithoutTransaction { db in try prepareWriter(db, options: options) }
        try SQLiteSchema.bringUpToDate(pool, migrates: options.migrates, onProgress: onProgress)
        let readers = try SQLiteReaders(
            path: file.path,
            configuration: configuration(options),
            count: options.readersMax,
            runsOnCaller: options.readsOnCaller
        )
        return SQLiteDatabase(file: file, pool: pool, readers: readers)
    }

    /// Whether a file has all steps. Refuses another program's database before a writable connection opens it, because
    /// opening a pool changes the header.
    private static func isCurrent(_ file: SQLiteFile, _ options: SQLiteOptions) throws -> Bool {
        guard try file.hasContent() else { return false }
        do {
            return try lookUp(file, options, isReadOnly: true) { db in try SQLiteSchema.status(db).pending == 0 }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_READONLY {
            // A killed process left a journal that only a writer can recover; the pool checks the owner again.
            return false
        }
    }

    /// Reads on a separate connection, which is closed afterwards.
    private static func lookUp<Value>(
        _ file: SQLiteFile,
        _ options: SQLiteOptions = SQLiteOptions(),
        isReadOnly: Bool,
        _ body: (Database) throws -> Value
    ) throws -> Value {
        var configuration = configuration(options)
        configuration.readonly = isReadOnly
        let queue = try DatabaseQueue(path: file.path, configuration: configuration)
        let value = try queue.read(body)
        try queue.close()
        return value
    }

    private static func configuration(_ options: SQLiteOptions) -> Configuration {
        var configuration = Configuration()
        configuration.label = "perennial.sqlite"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(options.busyTimeoutMilliseconds) / 1000)
        return configuration
    }

    /// GRDB sets `synchronous = NORMAL` when it opens a pool, which may lose commits at a power failure, so set it
    /// afterwards.
    private static func prepareWriter(_ db: Database, options: SQLiteOptions) throws {
        let full: Int64 = 2
        try db.execute(sql: "PRAGMA synchronous = FULL")
        guard try Int64.fetchOne(db, sql: "PRAGMA synchronous") == full else {
            throw StorageError(
                .failed,
                "SQLite cannot make commits durable on this disk. Put the database on a local file system.",
                isRetryable: false
            )
        }
        // Deleted personal data is overwritten, not only unlinked.
        _ = try Int64.fetchOne(db, sql: "PRAGMA secure_delete = ON")
        // A commit of many notifications changes more pages than the default cache of 2 MB; SQLite would write some
        // twice.
        try db.execute(sql: "PRAGMA cache_size = -\(writerCacheKibibytes)")
        // Checkpoints run at SQLite's default of 1,000 pages: later ones are not cheaper and block commits for longer.
        // On another thread they do not raise the rate, and SQLite before 3.51.3 can lose commits then (WAL-reset bug).
        guard let bytes = options.fileBytesMax, let page = try Int64.fetchOne(db, sql: "PRAGMA page_size") else {
            return
        }
        _ = try Int64.fetchOne(db, sql: "PRAGMA max_page_count = \(max(1, bytes / page))")
    }
}
