#if PostgreSQL
    import Foundation
    import SubscriptionCore
    import SubscriptionStorage

    /// One transaction on a connection. Writes are put in line and go to the server with the next read, or the commit.
    final class PostgreSQLTransaction {
        /// How many statements may be in line.
        private static let lineMax = 256

        let connection: PostgreSQLConnection
        let isWriting: Bool
        var locks = PostgreSQLLocks()
        /// What this write has learnt or saved about purchases it has locked; the inner nil is one that is not stored.
        var purchases: [PurchaseKey: PurchaseRecord?] = [:]
        /// The rules of apps, as long as this write shares them.
        var definitions: [AppID: [EntitlementDefinition]] = [:]
        /// What waits for its place in an order.
        var waiting: [AppID: Waiting] = [:]
        /// Headers that are known to others only once this is committed.
        var newHeaders: [Int64: PostgreSQLHeader] = [:]
        /// The first error of the engine; a transaction with one is not committed, even if the body swallowed it.
        private(set) var failure: PostgreSQLFailure?
        private let encoder: JSONEncoder
        private let decoder = JSONDecoder()
        private var lineCount = 0
        private var isCommitting = false

        /// A purchase of an app.
        struct PurchaseKey: Hashable {
            let app: AppID
            let id: OriginalTransactionID
        }

        /// Appended to an app's orders, but not placed yet: parameters up to the place.
        struct Waiting {
            var evidence: [[PostgreSQLValue]] = []
            var evidenceIDs: Set<EvidenceID> = []
            var events: [[PostgreSQLValue]] = []
        }

        init(_ connection: PostgreSQLConnection, isWriting: Bool) {
            self.connection = connection
            self.isWriting = isWriting
            encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        }

        /// Begins; comes before everything else.
        func begin() throws(StorageError) {
            try enqueue(isWriting ? PostgreSQLQuery.beginWrite : PostgreSQLQuery.beginRead, [])
        }

        /// Puts a statement in line.
        func enqueue(_ statement: PostgreSQLStatement, _ values: [PostgreSQLValue]) throws(StorageError) {
            for case .string(let text) in values where text.utf8.contains(0) {
                let refusal = StorageError(.failed, "Text with a zero character cannot be stored.", isRetryable: false)
                failure = failure ?? PostgreSQLFailure(error: refusal, recovery: .none)
                throw refusal
            }
            try attempt { () throws(PostgreSQLFailure) in try connection.enqueue(statement, values) }
            lineCount += 1
            if lineCount >= Self.lineMax { _ = try synchronise() }
        }

        /// Runs queries in one exchange with the server, behind what is in line.
        func answers(
            _ queries: [(statement: PostgreSQLStatement, values: [PostgreSQLValue])]
        ) throws(StorageError) -> [PostgreSQLResult] {
            if lineCount + queries.count >= Self.lineMax { _ = try synchronise() }
            for query in queries { try enqueue(query.statement, query.values) }
            return try synchronise().suffix(queries.count)
        }

        /// Runs a query and decodes each row by the places of its columns.
        func rows<Value>(
            _ statement: PostgreSQLStatement,
            _ values: [PostgreSQLValue],
            decode: (PostgreSQLRow) throws(StorageError) -> Value
        ) throws(StorageError) -> [Value] {
            let answer = try answers([(statement, values)])
            return try decoded { () throws(StorageError) in try answer.last?.rows(decode) ?? [] }
        }

        /// Runs a query of which at most one row is wanted.
        func row<Value>(
            _ statement: PostgreSQLStatement,
            _ values: [PostgreSQLValue],
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
            try placeWaiting()
            // So that it is not the statement that fills the line, whose answers nobody would look at.
            if lineCount + 1 >= Self.lineMax { _ = try synchronise() }
            try enqueue(PostgreSQLQuery.commit, [])
            isCommitting = true
            let answer = try synchronise()
            guard answer.last?.command == "COMMIT" else {
                throw StorageError(.failed, "The database did not commit.", isRetryable: false)
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
                try connection.enqueue(PostgreSQLQuery.rollback, [])
                _ = try connection.synchronise()
            } catch {
                _ = connection.lose("rollback")
            }
        }

        /// The value as JSON text, the same for equal values.
        func text(_ value: some Encodable) throws(StorageError) -> String {
            do {
                return String(decoding: try encoder.encode(value), as: UTF8.self)
            } catch {
                throw StorageError(.failed, "A value has no JSON form.", isRetryable: false, detail: "\(error)")
            }
        }

        /// The value that ``text(_:)`` wrote.
        func value<Value: Decodable>(_ type: Value.Type, from text: String) throws(StorageError) -> Value {
            do {
                return try decoder.decode(type, from: Data(text.utf8))
            } catch {
                throw .unreadable("\(type): \(error)")
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
