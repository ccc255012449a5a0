#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// One transaction on a connection. Writes are queued and sent with the next read or the commit.
    final class PostgreSQLTransaction {
        /// The maximum number of queued statements.
        private static let lineMax = 256

        let connection: PostgreSQLConnection
        let isWriting: Bool
        var locks = PostgreSQLLocks()
        /// The cache of what it has read and saved.
        var known: [AppID: PostgreSQLKnown] = [:]
        /// The cache of rows from described tables.
        var found = PostgreSQLFoundRows()
        /// The saved but unsent rows.
        var pending: [AppID: PostgreSQLPending] = [:]
        var pendingCount = 0
        /// The rows that wait for sequence numbers.
        var waiting: [AppID: Waiting] = [:]
        /// New headers, which other transactions may use only after the commit.
        var newHeaders = EvidenceHeaders()
        /// The first error of the engine; a transaction with one is not committed, even if the body ignored it.
        private(set) var failure: PostgreSQLFailure?
        private var lineCount = 0
        private var isCommitting = false

        /// Appended rows without sequence numbers.
        struct Waiting {
            var evidence: [[ColumnValue]] = []
            var events: [[ColumnValue]] = []
        }

        init(_ connection: PostgreSQLConnection, isWriting: Bool) {
            self.connection = connection
            self.isWriting = isWriting
        }

        /// Begins the transaction; must be called first.
        ///
        /// Cached plans are discarded before transactions 1, 2, 4, 8, … of a connection, so that plans for empty tables
        /// do not stay.
        func begin() throws(StorageError) {
            try enqueue(isWriting ? PostgreSQLQuery.beginWrite : PostgreSQLQuery.beginRead, [])
            connection.transactionCount += 1
            if connection.transactionCount.nonzeroBitCount == 1 { try enqueue(PostgreSQLQuery.discardPlans, []) }
        }

        /// Queues a statement after the saved rows.
        func enqueue(_ statement: PostgreSQLStatement, _ values: [ColumnValue]) throws(StorageError) {
            try sendPending()
            try enqueue(statement, PostgreSQLParameters(values))
        }

        /// Queues a statement that is independent of the saved rows.
        func enqueue(_ statement: PostgreSQLStatement, _ parameters: PostgreSQLParameters) throws(StorageError) {
            if parameters.hasZeroCharacter {
                failure = failure ?? PostgreSQLFailure(error: .zeroCharacter, recovery: .none)
                throw StorageError.zeroCharacter
            }
            try attempt { () throws(PostgreSQLFailure) in try connection.enqueue(statement, parameters) }
            lineCount += 1
            if lineCount >= Self.lineMax { _ = try synchronise() }
        }

        /// Runs queries in one round trip, after the queued statements.
        func answers(
            _ queries: [(statement: PostgreSQLStatement, values: [ColumnValue])]
        ) throws(StorageError) -> [PostgreSQLResult] {
            // Pending rows must be queued before the queue length is checked.
            try sendPending()
            if lineCount + queries.count >= Self.lineMax { _ = try synchronise() }
            for query in queries { try enqueue(query.statement, query.values) }
            return try synchronise().suffix(queries.count)
        }

        /// Runs a query and decodes each row by column index.
        func rows<Value>(
            _ statement: PostgreSQLStatement,
            _ values: [ColumnValue],
            decode: (PostgreSQLRow) throws(StorageError) -> Value
        ) throws(StorageError) -> [Value] {
            let answer = try answers([(statement, values)])
            return try decoded { () throws(StorageError) in try answer.last?.rows(decode) ?? [] }
        }

        /// Runs a query and decodes its first row.
        func row<Value>(
            _ statement: PostgreSQLStatement,
            _ values: [ColumnValue],
            decode: (PostgreSQLRow) throws(StorageError) -> Value
        ) throws(StorageError) -> Value? {
            let answer = try answers([(statement, values)])
            return try decoded { () throws(StorageError) in try answer.last?.first(decode) }
        }

        /// Commits, and returns only if the server confirmed it.
        ///
        /// - Throws: ``StorageError``; ``failure`` contains the possible recovery.
        func commit() throws(StorageError) {
            if let failure { throw failure.error }
            try sendPending()
            try flushWaiting()
            // COMMIT must not be the statement that fills the queue, because its result would be dropped.
            if lineCount + 1 >= Self.lineMax { _ = try synchronise() }
            try enqueue(PostgreSQLQuery.commit, [])
            isCommitting = true
            let answer = try synchronise()
            guard answer.last?.command == "COMMIT" else {
                throw StorageError(
                    .failed,
                    """
                    The database rolled a transaction back instead of committing it. Report it with the log of \
                    the database.
                    """,
                    isRetryable: false
                )
            }
            connection.remember(newHeaders)
        }

        /// Rolls back. If that fails, the connection is lost and the server rolls back by itself.
        func rollBack() {
            guard !connection.isLost else { return }
            do throws(PostgreSQLFailure) {
                // The results of the queued statements come first; their errors are already known or irrelevant.
                do throws(PostgreSQLFailure) { _ = try connection.synchronise() } catch {}
                guard !connection.isLost else { return }
                try connection.enqueue(PostgreSQLQuery.rollback, PostgreSQLParameters([]))
                _ = try connection.synchronise()
            } catch {
                _ = connection.lose("rollback")
            }
        }

        /// Decodes, and records an unreadable stored value.
        func decoded<Value>(_ work: () throws(StorageError) -> Value) throws(StorageError) -> Value {
            do throws(StorageError) {
                return try work()
            } catch {
                failure = failure ?? PostgreSQLFailure(error: error, recovery: .none)
                throw error
            }
        }

        /// Sends the queued statements and waits for their results.
        func send() throws(StorageError) { _ = try synchronise() }

        private func synchronise() throws(StorageError) -> [PostgreSQLResult] {
            lineCount = 0
            return try attempt { () throws(PostgreSQLFailure) in try connection.synchronise() }
        }

        private func attempt<Value>(_ work: () throws(PostgreSQLFailure) -> Value) throws(StorageError) -> Value {
            do throws(PostgreSQLFailure) {
                return try work()
            } catch {
                let known = isCommitting ? error.inDoubt() : error
                failure = failure ?? known
                throw known.error
            }
        }
    }
#endif
