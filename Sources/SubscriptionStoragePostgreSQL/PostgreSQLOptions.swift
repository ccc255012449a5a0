#if PostgreSQL
    /// The operator's choices for a PostgreSQL database.
    public struct PostgreSQLOptions: Hashable, Sendable {
        /// How many writes run at a time; each has a connection and a thread of its own.
        public var writersMax: Int
        /// How many reads run at a time; each has a connection and a thread of its own.
        public var readersMax: Int
        /// How many reads, and how many writes, may wait for a connection; one more is refused as busy.
        public var waitingMax: Int
        /// How long connecting to one host may take.
        ///
        /// - Units: milliseconds.
        public var connectTimeoutMilliseconds: Int
        /// How long one statement may run.
        ///
        /// - Units: milliseconds.
        public var statementTimeoutMilliseconds: Int
        /// How long a write waits for another that touches the same purchase or customer.
        ///
        /// - Units: milliseconds.
        public var lockTimeoutMilliseconds: Int
        /// How often a transaction is begun in all, when it collides with others or its connection was lost on the way.
        public var attemptsMax: Int
        /// Whether a schema without our tables gets them; otherwise it is refused.
        public var makesTables: Bool
        /// Whether opening brings the tables up to date; otherwise it refuses tables that are not.
        public var migrates: Bool

        /// Makes options; the defaults fit one of several servers that share a database.
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

        /// The same for steps of the schema, which may take as long as tables are large; and for waiting until another
        /// process has done them.
        var forMigration: PostgreSQLOptions {
            let milliseconds = 24 * 60 * 60 * 1_000
            var options = self
            options.statementTimeoutMilliseconds = max(milliseconds, statementTimeoutMilliseconds)
            options.lockTimeoutMilliseconds = max(milliseconds, lockTimeoutMilliseconds)
            return options
        }
    }
#endif
