#if PostgreSQL
    public import SubscriptionStorage

    /// The engine for any number of servers: a PostgreSQL database, through libpq.
    ///
    /// Writes and reads have connections of their own, so that reads go on while writes wait for each other. A read
    /// sees one snapshot. A write locks each purchase and customer that it reads or changes until its commit, so that
    /// servers that touch the same end as if one came after the other; one that got in another's way runs again. When
    /// the server is away, calls fail at once with `unavailable`, and connections come back by themselves.
    public final class PostgreSQLDatabase: SubscriptionDatabase {
        private let writers: PostgreSQLWorkers
        private let readers: PostgreSQLWorkers

        private init(address: PostgreSQLAddress, options: PostgreSQLOptions) {
            writers = PostgreSQLWorkers("writer", count: options.writersMax, address: address, options: options)
            readers = PostgreSQLWorkers("reader", count: options.readersMax, address: address, options: options)
        }

        /// Checks the form of an address, and connects to nothing.
        ///
        /// - Throws: ``StorageError`` with `address_malformed`.
        public static func check(url: String) throws(StorageError) {
            _ = try PostgreSQLAddress(url)
        }

        /// Opens a database and brings its tables up to date.
        ///
        /// - Parameters:
        ///   - url: `postgres://USER@HOST:PORT/DATABASE`, or anything else libpq takes. Of several hosts, the one that
        ///     takes writes is used, also when that changes later.
        ///   - options: The operator's choices.
        /// - Throws: ``StorageError`` with `address_malformed`; `access_denied` for user, password and rights;
        ///   `not_found` for the database, the schema or (unless they may be made) the tables; `server_unsuitable`;
        ///   `read_only` where only standbys answer; `not_a_database`; `schema_too_new`; `unavailable`.
        public static func open(
            url: String,
            options: PostgreSQLOptions = PostgreSQLOptions()
        ) async throws(StorageError) -> PostgreSQLDatabase {
            let address = try PostgreSQLAddress(url)
            let database = PostgreSQLDatabase(address: address, options: options)
            do throws(StorageError) {
                try await bringUpToDate(address, options: options)
            } catch {
                try await database.close()
                throw error.named(address.summary)
            }
            return database
        }

        /// Says which of the steps to the present tables a database has seen. Changes nothing.
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

        /// Does the steps that the schema has not seen, or requires that it has seen all.
        private static func bringUpToDate(
            _ address: PostgreSQLAddress,
            options: PostgreSQLOptions
        ) async throws(StorageError) {
            guard options.migrates else {
                let status = try await once("status", address, options: options) { transaction throws(StorageError) in
                    try PostgreSQLSchema.status(transaction)
                }
                guard status.pending == 0 else { throw StorageError.schemaOutdated }
                return
            }
            try await once("migration", address, options: options.forMigration) { transaction throws(StorageError) in
                try PostgreSQLSchema.bringUpToDate(transaction, makesTables: options.makesTables)
            }
        }

        /// One write on a connection of its own, which is closed behind it.
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

        /// Runs a body on a reader's thread, on one snapshot.
        public func read<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await readers.perform { session, deliver in
                session.transaction(isWriting: false) { transaction throws(StorageError) in
                    try body(PostgreSQLReader(transaction: transaction))
                } deliver: {
                    deliver($0)
                }
            }
        }

        /// Runs a body on a writer's thread, in one transaction that is on the server's disk when the call returns.
        ///
        /// A body that swallows an error of the engine does not commit either.
        public func write<Result: Sendable>(
            _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
        ) async throws(StorageError) -> Result {
            try await writers.perform { session, deliver in
                session.transaction(isWriting: true) { transaction throws(StorageError) in
                    try body(PostgreSQLWriter(transaction: transaction))
                } deliver: {
                    deliver($0)
                }
            }
        }

        /// Waits for running transactions and closes the connections.
        public func close() async throws(StorageError) {
            await writers.close()
            await readers.close()
        }
    }

    extension PostgreSQLDatabase {
        /// The queries that run once or more per request or notification, so that a test can ask the server for its
        /// plans.
        package static let hotQueries = PostgreSQLQuery.hot.map { (name: $0.name, text: $0.text) }

        /// Refuses a server that is too old, or a database whose text is not UTF-8.
        ///
        /// - Throws: ``StorageError`` with `server_unsuitable`.
        package static func requireSuitable(version: Int32, encoding: String) throws(StorageError) {
            try PostgreSQLConnection.requireSuitable(version: version, encoding: encoding)
        }
    }

    extension StorageError {
        /// The same with the place it happened at.
        fileprivate func named(_ place: String) -> StorageError {
            StorageError(code, "\(message) (\(place))", isRetryable: isRetryable, detail: detail)
        }
    }
#endif
