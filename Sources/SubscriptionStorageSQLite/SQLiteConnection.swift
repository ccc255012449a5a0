import GRDB
import SubscriptionCore
import SubscriptionStorage

/// A connection inside one transaction: runs prepared statements and records the first failure.
final class SQLiteConnection {
    /// The first error of the engine; a transaction with one is not committed, even if the body ignored it.
    private(set) var failure: StorageError?
    /// The entitlement definitions of apps that this transaction has read and not changed.
    var definitions: [AppID: [EntitlementDefinition]] = [:]
    /// For tables that are often empty: whether apps have any row, as found by this transaction.
    var haveRows: [String: [AppID: Bool]] = [:]
    /// Whether apps have any grants, as found by this transaction. Most have none, and then no customer is looked up.
    var haveGrants: [AppID: Bool] = [:]
    /// Whether apps have any shared purchases, as found by this transaction.
    var haveShares: [AppID: Bool] = [:]
    /// The numbers of apps that this transaction has found or made.
    var appNumbers: [AppID: Int64] = [:]
    /// The purchases that this transaction has read or changed.
    var purchases = SQLitePurchases()
    /// The next sequence numbers of each app's evidence, once this transaction has used one.
    var nextEvidence: [AppID: Int64] = [:]
    /// The next sequence numbers of each app's events, once this transaction has used one.
    var nextEvent: [AppID: Int64] = [:]
    /// New headers, which other transactions may use only after the commit.
    var newHeaders = EvidenceHeaders()
    private let knownHeaders: EvidenceHeaders
    /// The statements on described tables.
    let tables: SQLiteTableStatements
    /// The customers that this transaction saved.
    var savedCustomers: [(customer: CustomerID, app: AppID)] = []
    private let db: Database
    /// GRDB caches them by their text while the connection is open. The statement is retained too, because an object
    /// identifier is unique only during its lifetime.
    private var statements: [ObjectIdentifier: (query: SQLiteStatement, prepared: Statement)] = [:]

    init(_ db: Database, tables: SQLiteTableStatements, headers: EvidenceHeaders = EvidenceHeaders()) {
        self.db = db
        self.tables = tables
        knownHeaders = headers
    }

    /// The number of a cached header; nil if a query is needed.
    func header(_ bytes: ArraySlice<UInt8>, of app: AppID) -> Int64? {
        knownHeaders.number(of: bytes, app: app) ?? newHeaders.number(of: bytes, app: app)
    }

    /// Runs a statement that returns nothing.
    func run(_ query: SQLiteStatement, _ values: [ColumnValue]) throws(StorageError) {
        try attempt { try prepared(query).run(values) { _ in true } }
    }

    /// Runs a statement and returns whether it changed any row.
    func changes(_ query: SQLiteStatement, _ values: [ColumnValue]) throws(StorageError) -> Bool {
        try run(query, values)
        return db.changesCount > 0
    }

    /// Runs a query and decodes each row by column index.
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

    /// Runs a query and passes on its rows until the body returns false.
    func visit(
        _ query: SQLiteStatement,
        _ values: [ColumnValue],
        _ body: (SQLiteRow) throws -> Bool
    ) throws(StorageError) {
        try attempt { try prepared(query).run(values, body) }
    }

    /// Runs a query and decodes its first row.
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

    /// Records that a stored value was unreadable.
    func failed(_ error: StorageError) -> StorageError {
        failure = failure ?? error
        return error
    }

    /// Decodes, and records an unreadable stored value.
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
