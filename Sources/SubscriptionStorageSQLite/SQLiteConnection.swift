import GRDB
import SubscriptionCore
import SubscriptionStorage

/// A connection inside one transaction: runs statements that are prepared once, and remembers that one failed.
final class SQLiteConnection {
    /// The first error of the engine; a transaction with one is not committed, even if the body swallowed it.
    private(set) var failure: StorageError?
    /// The rules of apps, as this transaction has read or not changed them.
    var definitions: [AppID: [EntitlementDefinition]] = [:]
    /// By table, whether apps have any row in it, as this transaction has found; for tables that are often empty.
    var haveRows: [String: [AppID: Bool]] = [:]
    /// Whether apps have grants at all, as this transaction has found: most have none, and no customer is looked for
    /// then.
    var haveGrants: [AppID: Bool] = [:]
    /// Whether apps have shared purchases at all, in the same way.
    var haveShares: [AppID: Bool] = [:]
    /// The numbers of apps, as this transaction has found or made them.
    var appNumbers: [AppID: Int64] = [:]
    /// Purchases as this transaction has read and changed them.
    var purchases = SQLitePurchases()
    /// The places behind the last of each app's evidence and events, once this transaction has taken one.
    var nextEvidence: [AppID: Int64] = [:]
    /// As ``nextEvidence``.
    var nextEvent: [AppID: Int64] = [:]
    /// Headers that are known to others only once this transaction is committed.
    var newHeaders = EvidenceHeaders()
    private let knownHeaders: EvidenceHeaders
    /// The statements on described tables.
    let tables: SQLiteTableStatements
    /// Whom this transaction saved.
    var savedCustomers: [(customer: CustomerID, app: AppID)] = []
    private let db: Database
    /// GRDB keeps them for as long as the connection is open, and finds them by their text. The text is held too: an
    /// object's identity is its own only while it lives.
    private var statements: [ObjectIdentifier: (query: SQLiteStatement, prepared: Statement)] = [:]

    init(_ db: Database, tables: SQLiteTableStatements, headers: EvidenceHeaders = EvidenceHeaders()) {
        self.db = db
        self.tables = tables
        knownHeaders = headers
    }

    /// The number of a header that is stored already; nil where the database has to be asked.
    func header(_ bytes: ArraySlice<UInt8>, of app: AppID) -> Int64? {
        knownHeaders.number(of: bytes, app: app) ?? newHeaders.number(of: bytes, app: app)
    }

    /// Runs a statement that returns nothing.
    func run(_ query: SQLiteStatement, _ values: [ColumnValue]) throws(StorageError) {
        try attempt { try prepared(query).run(values) { _ in true } }
    }

    /// Runs a statement, and says whether it changed any row.
    func changes(_ query: SQLiteStatement, _ values: [ColumnValue]) throws(StorageError) -> Bool {
        try run(query, values)
        return db.changesCount > 0
    }

    /// Runs a query and decodes each row by the places of its columns.
    func rows<Value>(
        _ query: SQLiteStatement,
        _ values: [ColumnValue],
        decode: (SQLiteRow) throws -> Value
    ) throws(StorageError) -> [Value] {
        try attempt {
            var decoded: [Value] = []
            try prepared(query).run(values) { row in
                decoded.append(try decode(row))
                return true
            }
            return decoded
        }
    }

    /// Runs a query of which at most one row is wanted.
    func row<Value>(
        _ query: SQLiteStatement,
        _ values: [ColumnValue],
        decode: (SQLiteRow) throws -> Value
    ) throws(StorageError) -> Value? {
        try attempt {
            var decoded: Value?
            try prepared(query).run(values) { row in
                decoded = try decode(row)
                return false
            }
            return decoded
        }
    }

    /// Remembers that a stored value was unreadable.
    func failed(_ error: StorageError) -> StorageError {
        failure = failure ?? error
        return error
    }

    /// Decodes, and remembers that a stored value was unreadable.
    func decoded<Value>(_ work: () throws(StorageError) -> Value) throws(StorageError) -> Value {
        try attempt(work)
    }

    private func prepared(_ query: SQLiteStatement) throws -> SQLitePrepared {
        let key = ObjectIdentifier(query)
        if let statement = statements[key] { return SQLitePrepared(statement.prepared.sqliteStatement) }
        let statement = try db.cachedStatement(sql: query.text)
        statements[key] = (query, statement)
        return SQLitePrepared(statement.sqliteStatement)
    }

    private func attempt<Value>(_ work: () throws -> Value) throws(StorageError) -> Value {
        do {
            return try work()
        } catch {
            let translated = StorageError(engine: error)
            failure = failure ?? translated
            throw translated
        }
    }
}
