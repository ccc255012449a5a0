#if PostgreSQL
    public import SubscriptionStorage

    /// The engine for any number of server processes: a PostgreSQL database, through libpq.
    ///
    /// Writes and reads have separate connections, so reads proceed while writes wait for each other. A read sees one
    /// snapshot. A write locks each purchase and customer that it reads or changes until its commit, so writes are
    /// serializable; a write that conflicts with another one is retried. While the database server is unavailable,
    /// calls fail at once with `unavailable`, and connections are restored automatically.
    public final class PostgreSQLDatabase: SubscriptionDatabase {
        private let writers: PostgreSQLWorkers
        private let readers: PostgreSQLWorkers

        private init(address: PostgreSQLAddress, options: PostgreSQLOptions) {
            writers = PostgreSQLWorkers("writer", count: options.writersMax, address: address, options: options)
            readers = PostgreSQLWorkers("reader", count: options.readersMax, address: address, options: options)
        }

        /// Checks the form of an address without connecting.
        ///
        /// - Throws: ``StorageError`` with `address_malformed`.
        public static func check(url: String) throws(StorageError) {
            _ = try PostgreSQLAddress(url)
        }

        /// Opens a database and migrates its tables. If several processes do it at the same time, one migrates and the
        /// others wait.
        ///
        /// - Parameters:
        ///   - url: `postgres://USER@HOST:PORT/DATABASE`, or any other form that libpq accepts. With several hosts, the
        ///     one that accepts writes is used, also after a failover.
        ///   - options: The options.
        ///   - onProgress: Called for each step of a migration.
        /// - Throws: ``StorageError`` with `address_malformed`; `access_denied` for user, password and rights;
        ///   `not_found` for the database, the schema or (unless they may be created) the tables; `server_unsuitable`;
        ///   `read_only` if only standbys respond; `not_a_database`; `schema_too_new`; `unavailable`.
        public static func open(
            url: String,
            options: PostgreSQLOptions = PostgreSQLOptions(),
            onProgress: @escaping MigrationProgress.Observer = { _ in }
        ) async throws(StorageError) -> PostgreSQLDatabase {
            let address = try PostgreSQLAddress(url)
            let database = PostgreSQLDatabase(address: address, options: options)
            do throws(StorageError) {
                try await bringUpToDate(address, options: options, onProgress: onProgress)
            } catch {
                try await database.close()
                throw error.named(address.summary)
            }
            return database
        }

        /// The applied schema steps of a database. It changes nothing.
        ///
        /// - Throws: As ``open(url:options:)``.
        public static func schemaStatus(
            url: String,
            options: PostgreSQLOptions = PostgreSQLOptions()
        ) async throws(StorageError) -> SchemaStatus {
            let address = try PostgreSQLAddress(url)
            do throws(StorageError) {
                return try await once("status", address, options: options) { transaction throws(StorageError) in
                    try PostgreSQLSchema.status(transaction)
                }
            } catch {
                throw error.named(address.summary)
            }
        }

        /// Runs the missing schema steps, or requires that none is missing.
        private static func bringUpToDate(
            _ address: PostgreSQLAddress,
            options: PostgreSQLOptions,
            onProgress: @escaping MigrationProgress.Observer
        ) async throws(StorageError) {
            guard options.migrates else {
                let status = try await once("status", address, options: options) { transaction throws(StorageError) in
                    try PostgreSQLSchema.status(transaction)
                }
                guard status.pending == 0 else { throw StorageError.schemaOutdated }
                return
            }
            let reporter = MigrationReporter(onProgress)
            do throws(StorageError) {
                try await once("migration", address, options: options.forMigration) {
                    transaction throws(StorageError) in
                    try PostgreSQLSchema.bringUpToDate(
                        transaction,
                        makesTables: options.makesTables,
                        reporter: reporter
                    )
                }
            } catch {
                throw reporter.named(error)
            }
        }

        /// Runs one write on a separate connection, which is closed afterwards.
        private static func once<Result: Sendable>(
            _ name: String,
            _ address: PostgreSQLAddress,
            options: PostgreSQLOptions,
            _ body: @escaping @Sendable (PostgreSQLTransaction) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            let worker = PostgreSQLWorkers(name, count: 1, address: address, options: options)
            let outcome: Swift.Result<Result, StorageError>
            do throws(StorageError) {
                outcome = .success(
                    try await worker.perform { session, deliver in
                        session.transaction(isWriting: true, body, deliver: deliver)
                    }
                )
            } catch {
                outcome = .failure(error)
            }
            await worker.close()
            return try outcome.get()
        }

        /// Runs a body on a reader's thread and on one snapshot.
        public func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await readWithTransaction { transaction throws(StorageError) in
                try body(PostgreSQLReader(transaction: transaction))
            }
        }

        /// Runs a body in a read transaction on a reader's thread.
        func readWithTransaction<Result: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLTransaction) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await readers.perform { session, deliver in
                session.transaction(isWriting: false, body, deliver: deliver)
            }
        }

        /// Runs a body on a writer's thread, in one transaction that is durable when the call returns.
        ///
        /// A body that ignores an error of the engine is not committed either.
        public func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await writeWithTransaction { transaction throws(StorageError) in
                try body(PostgreSQLWriter(transaction: transaction))
            }
        }

        /// Runs a body in a write transaction on a writer's thread.
        func writeWithTransaction<Result: Sendable>(
            _ body: @escaping @Sendable (PostgreSQLTransaction) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await writers.perform { session, deliver in
                session.transaction(isWriting: true, body, deliver: deliver)
            }
        }

        /// Waits for running transactions and closes the connections.
        public func close() async throws(StorageError) {
            await writers.close()
            await readers.close()
        }
    }

    extension PostgreSQLDatabase {
        /// The queries that run at least once per request or notification, for a test of their plans.
        package static let hotQueries = PostgreSQLQuery.hot.map { (name: $0.name, text: $0.text) }

        /// Refuses a server that is too old, or a database whose text is not UTF-8.
        ///
        /// - Throws: ``StorageError`` with `server_unsuitable`.
        package static func requireSuitable(version: Int32, encoding: String) throws(StorageError) {
            try PostgreSQLConnection.requireSuitable(version: version, encoding: encoding)
        }
    }

    extension StorageError {
        /// The error with the location in its message.
        fileprivate func named(_ location: String) -> StorageError {
            StorageError(code, "\(message) (\(location))", isRetryable: isRetryable, detail: detail)
        }
    }
#endif
