#if PostgreSQL
    /// The options of a PostgreSQL database.
    public struct PostgreSQLOptions: Hashable, Sendable {
        /// The maximum number of concurrent writes; each has its own connection and thread.
        public var writersMax: Int
        /// The maximum number of concurrent reads; each has its own connection and thread.
        public var readersMax: Int
        /// The maximum number of reads, and of writes, that wait for a connection; further ones are refused as busy.
        public var waitingMax: Int
        /// The time limit for connecting to one host.
        ///
        /// - Units: milliseconds.
        public var connectTimeoutMilliseconds: Int
        /// The time limit of a statement.
        ///
        /// - Units: milliseconds.
        public var statementTimeoutMilliseconds: Int
        /// How long a write waits for another one with the same purchase or customer.
        ///
        /// - Units: milliseconds.
        public var lockTimeoutMilliseconds: Int
        /// The maximum number of attempts of a transaction that conflicts with others or loses its connection.
        public var attemptsMax: Int
        /// Whether the tables are created in an empty schema; otherwise it is refused.
        public var makesTables: Bool
        /// Whether opening migrates the tables; otherwise outdated tables are refused.
        public var migrates: Bool

        /// Makes options; the defaults suit one of several servers that share a database.
        public init(
            writersMax: Int = 4,
            readersMax: Int = 4,
            waitingMax: Int = 1_024,
            connectTimeoutMilliseconds: Int = 5_000,
            statementTimeoutMilliseconds: Int = 30_000,
            lockTimeoutMilliseconds: Int = 5_000,
            attemptsMax: Int = 8,
            makesTables: Bool = true,
            migrates: Bool = true
        ) {
            self.writersMax = writersMax
            self.readersMax = readersMax
            self.waitingMax = waitingMax
            self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
            self.statementTimeoutMilliseconds = statementTimeoutMilliseconds
            self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
            self.attemptsMax = attemptsMax
            self.makesTables = makesTables
            self.migrates = migrates
        }

        /// The options for schema steps, which may take long on large tables, and for waiting for another process that
        /// runs them.
        var forMigration: PostgreSQLOptions {
            let milliseconds = 24 * 60 * 60 * 1_000
            var options = self
            options.statementTimeoutMilliseconds = max(milliseconds, statementTimeoutMilliseconds)
            options.lockTimeoutMilliseconds = max(milliseconds, lockTimeoutMilliseconds)
            return options
        }
    }
#endif
