/// The operator's choices for the database, for either engine.
public struct DatabaseOptions: Hashable, Sendable {
    /// Choices for a SQLite file.
    public struct SQLite: Hashable, Sendable {
        /// How many reads run at a time.
        public var readers: Int
        /// How long a transaction waits for another process that holds the file.
        ///
        /// - Units: milliseconds.
        public var busyTimeoutMilliseconds: Int
        /// The size beyond which the file does not grow; nil leaves that to the disk.
        ///
        /// - Units: bytes.
        public var fileBytesMax: Int64?

        /// Makes choices.
        public init(readers: Int = 4, busyTimeoutMilliseconds: Int = 5_000, fileBytesMax: Int64? = nil) {
            self.readers = readers
            self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
            self.fileBytesMax = fileBytesMax
        }
    }

    /// Choices for a PostgreSQL database.
    public struct PostgreSQL: Hashable, Sendable {
        /// How many writes run at a time.
        public var writers: Int
        /// How many reads run at a time.
        public var readers: Int
        /// How many reads, and how many writes, may wait for a connection.
        public var waiting: Int
        /// How often a transaction is begun in all.
        public var attempts: Int
        /// How long connecting to one host may take.
        ///
        /// - Units: milliseconds.
        public var connectTimeoutMilliseconds: Int
        /// How long one statement of a request may run.
        ///
        /// - Units: milliseconds.
        public var statementTimeoutMilliseconds: Int
        /// How long a write waits for another that touches the same data.
        ///
        /// - Units: milliseconds.
        public var lockTimeoutMilliseconds: Int

        /// Makes choices.
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

    /// Whether opening brings the tables up to date; otherwise it refuses tables that are not.
    public var migrates: Bool
    /// For a SQLite file.
    public var sqlite: SQLite
    /// For a PostgreSQL database.
    public var postgreSQL: PostgreSQL

    /// Makes choices; the defaults fit most servers.
    public init(migrates: Bool = true, sqlite: SQLite = SQLite(), postgreSQL: PostgreSQL = PostgreSQL()) {
        self.migrates = migrates
        self.sqlite = sqlite
        self.postgreSQL = postgreSQL
    }
}
