/// The options of the database, for either engine.
public struct DatabaseOptions: Hashable, Sendable {
    /// The options of a SQLite file.
    public struct SQLite: Hashable, Sendable {
        /// The maximum number of concurrent reads.
        public var readers: Int
        /// Whether a read runs on the thread that asks for it, which is blocked meanwhile.
        public var readsOnCaller: Bool
        /// How long a transaction waits for another process that has locked the file.
        ///
        /// - Units: milliseconds.
        public var busyTimeoutMilliseconds: Int
        /// The maximum size of the file; nil for no limit.
        ///
        /// - Units: bytes.
        public var fileBytesMax: Int64?

        /// Makes options.
        public init(
            readers: Int = 4,
            readsOnCaller: Bool = false,
            busyTimeoutMilliseconds: Int = 5_000,
            fileBytesMax: Int64? = nil
        ) {
            self.readers = readers
            self.readsOnCaller = readsOnCaller
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
            self.fileBytesMax = fileBytesMax
        }
    }

    /// The options of a PostgreSQL database.
    public struct PostgreSQL: Hashable, Sendable {
        /// The maximum number of concurrent writes.
        public var writers: Int
        /// The maximum number of concurrent reads.
        public var readers: Int
        /// The maximum number of reads, and of writes, that wait for a connection.
        public var waiting: Int
        /// The maximum number of attempts of a transaction.
        public var attempts: Int
        /// The time limit for connecting to one host.
        ///
        /// - Units: milliseconds.
        public var connectTimeoutMilliseconds: Int
        /// The time limit of a statement of a request.
        ///
        /// - Units: milliseconds.
        public var statementTimeoutMilliseconds: Int
        /// How long a write waits for another one that uses the same data.
        ///
        /// - Units: milliseconds.
        public var lockTimeoutMilliseconds: Int

        /// Makes options.
        public init(
            writers: Int = 4,
            readers: Int = 4,
            waiting: Int = 1_024,
            attempts: Int = 8,
            connectTimeoutMilliseconds: Int = 5_000,
            statementTimeoutMilliseconds: Int = 30_000,
            lockTimeoutMilliseconds: Int = 5_000
        ) {
            self.writers = writers
            self.readers = readers
            self.waiting = waiting
            self.attempts = attempts
            self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
            self.statementTimeoutMilliseconds = statementTimeoutMilliseconds
            self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
        }
    }

    /// Whether opening migrates the tables; otherwise outdated tables are refused.
    public var migrates: Bool
    /// The options of a SQLite file.
    public var sqlite: SQLite
    /// The options of a PostgreSQL database.
    public var postgreSQL: PostgreSQL

    /// Makes options; the defaults suit most servers.
    public init(migrates: Bool = true, sqlite: SQLite = SQLite(), postgreSQL: PostgreSQL = PostgreSQL()) {
        self.migrates = migrates
        self.sqlite = sqlite
        self.postgreSQL = postgreSQL
    }
}
