#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// One transaction on a connection. Writes are put in line and go to the server with the next read, or the commit.
    final class PostgreSQLTransaction {
        /// How many statements may be in line.
        private static let lineMax = 256

        let connection: PostgreSQLConnection
        let isWriting: Bool
        var locks = PostgreSQLLocks()
        /// What it has read and saved.
        var known: [AppID: PostgreSQLKnown] = [:]
        /// What it has found in described tables.
        var found = PostgreSQLFoundRows()
        /// What it has saved, and not sent yet.
        var pending: [AppID: PostgreSQLPending] = [:]
        var pendingCount = 0
        /// What waits for its place in an order.
        var waiting: [AppID: Waiting] = [:]
        /// Headers that are known to others only once this is committed.
        var newHeaders = EvidenceHeaders()
        /// The first error of the engine; a transaction with one is not committed, even if the body swallowed it.
        private(set) var failure: PostgreSQLFailure?
        private var lineCount = 0
        private var isCommitting = false

        /// Appended to an app's orders, but not placed yet.
        struct Waiting {
            var evidence: [[ColumnValue]] = []
            var events: [[ColumnValue]] = []
        }

        init(_ connection: PostgreSQLConnection, isWriting: Bool) {
            self.connection = connection
            self.isWriting = isWriting
        }

        /// Begins; comes before everything else.
        ///
        /// The first, second, fourth, eighth transaction of a connection and so on have plans made anew, so that those
        /// of tables that were empty do not stay.
        func begin() throws(StorageError) {
            try enqueue(isWriting ? PostgreSQLQuery.beginWrite : PostgreSQLQuery.beginRead, [])
            connection.transactionCount += 1
            if connection.transactionCount.nonzeroBitCount == 1 { try enqueue(PostgreSQLQuery.discardPlans, []) }
        }

        /// Puts a statement in line, behind what was saved.
        func enqueue(_ statement: PostgreSQLStatement, _ values: [ColumnValue]) throws(StorageError) {
            try sendPending()
            try enqueue(statement, PostgreSQLParameters(values))
        }

        /// Puts a statement in line that neither sees nor changes what is saved.
        func enqueue(_ statement: PostgreSQLStatement, _ parameters: PostgreSQLParameters) throws(StorageError) {
            if parameters.hasZeroCharacter {
                failure = failure ?? PostgreSQLFailure(error: .zeroCharacter, recovery: .none)
                throw StorageError.zeroCharacter
            }
            try attempt { () throws(PostgreSQLFailure) in try connection.enqueue(statement, parameters) }
            lineCount += 1
            if lineCount >= Self.lineMax { _ = try synchronise() }
        }

        /// Runs queries in one exchange with the server, behind what is in line.
        func answers(
            _ queries: [(statement: PostgreSQLStatement, values: [ColumnValue])]
        ) throws(StorageError) -> [PostgreSQLResult] {
            // Before the room is counted: what is pending takes room too.
            try sendPending()
            if lineCount + queries.count >= Self.lineMax { _ = try synchronise() }
            for query in queries { try enqueue(query.statement, query.values) }
            return try synchronise().suffix(queries.count)
        }

        /// Runs a query and decodes each row by the places of its columns.
        func rows<Value>(
            _ statement: PostgreSQLStatement,
            _ values: [ColumnValue],
            decode: (PostgreSQLRow) throws(StorageError) -> Value
        ) throws(StorageError) -> [Value] {
            let answer = try answers([(statement, values)])
            return try decoded { () throws(StorageError) in try answer.last?.rows(decode) ?? [] }
        }

        /// Runs a query of which at most one row is wanted.
        func row<Value>(
            _ statement: PostgreSQLStatement,
            _ values: [ColumnValue],
            decode: (PostgreSQLRow) throws(StorageError) -> Value
        ) throws(StorageError) -> Value? {
            let answer = try answers([(statement, values)])
            return try decoded { () throws(StorageError) in try answer.last?.first(decode) }
        }

        /// Commits, and says so only when the server did.
        ///
        /// - Throws: ``StorageError``; ``failure`` says what can be done about it.
        func commit() throws(StorageError) {
            if let failure { throw failure.error }
            try sendPending()
            try placeWaiting()
            // So that it is not the statement that fills the line, whose answers nobody would look at.
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

        /// Undoes everything. A connection that cannot even do that is lost, and the server undoes by itself.
        func rollBack() {
            guard !connection.isLost else { return }
            do throws(PostgreSQLFailure) {
                // What is in line is answered first: the error among it is known, or of no interest any more.
                do throws(PostgreSQLFailure) { _ = try connection.synchronise() } catch {}
                guard !connection.isLost else { return }
                try connection.enqueue(PostgreSQLQuery.rollback, PostgreSQLParameters([]))
                _ = try connection.synchronise()
            } catch {
                _ = connection.lose("rollback")
            }
        }

        /// Decodes, and remembers that a stored value was unreadable.
        func decoded<Value>(_ work: () throws(StorageError) -> Value) throws(StorageError) -> Value {
            do throws(StorageError) {
                return try work()
            } catch {
                failure = failure ?? PostgreSQLFailure(error: error, recovery: .none)
                throw error
            }
        }

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
