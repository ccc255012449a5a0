import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// The statements on described tables. All threads share them, and each is made once.
final class SQLiteTableStatements: Sendable {
    private let made = Mutex<[TableStatement: SQLiteStatement]>([:])

    func statement(_ statement: TableStatement, text: () -> String) -> SQLiteStatement {
        made.withLock { made in
            if let known = made[statement] { return known }
            let new = SQLiteStatement(stringLiteral: text())
            made[statement] = new
            return new
        }
    }
}

extension SQLiteReading {
    func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) throws(StorageError) -> [Record] {
        let table = Record.table
        guard try mayHaveRows(table, of: lookup.app) else { return [] }
        let statement = connection.tables.statement(TableStatement(.select, table, lookup, unread: Record.unread)) {
            SQLDialect.sqlite.select(table, lookup, unread: Record.unread)
        }
        return try connection.rows(statement, lookup.values) { row in try Record(row: row) }
    }

    /// False if the table is often empty and this transaction found that the app has no row in it.
    private func mayHaveRows(_ table: TableDescription, of app: AppID?) throws(StorageError) -> Bool {
        guard let app, table.isOftenEmpty else { return true }
        if let known = connection.haveRows[table.name]?[app] { return known }
        let statement = connection.tables.statement(TableStatement(.any, table)) { SQLDialect.sqlite.any(table) }
        let found = try connection.row(statement, [.text(app)], decode: { _ in true }) ?? false
        connection.haveRows[table.name, default: [:]][app] = found
        return found
    }
}

extension SQLiteWriter {
    func save<Record: TableRecord>(_ record: Record, in app: AppID?) throws(StorageError) {
        try run(.save, record, in: app) { SQLDialect.sqlite.save(Record.table) }
    }

    func update<Record: TableRecord>(
        _ record: Record,
        from previous: Record,
        in app: AppID?
    ) throws(StorageError) {
        let table = Record.table
        guard let update = RowUpdate(of: table, to: try record.columns, from: try previous.columns, app: app) else {
            return
        }
        let statement = connection.tables.statement(TableStatement(updating: update.columns, of: table)) {
            SQLDialect.sqlite.update(table, update.columns)
        }
        try connection.run(statement, update.values)
    }

    func insert<Record: TableRecord>(once record: Record, in app: AppID?) throws(StorageError) {
        try run(.insert, record, in: app) { SQLDialect.sqlite.insert(Record.table) }
    }

    func remove<Record: TableRecord>(_ type: Record.Type, _ lookup: TableLookup) throws(StorageError) {
        let table = Record.table
        let statement = connection.tables.statement(TableStatement(.delete, table, lookup)) {
            SQLDialect.sqlite.delete(table, lookup)
        }
        try connection.run(statement, lookup.values)
    }

    private func run<Record: TableRecord>(
        _ verb: TableStatement.Verb,
        _ record: Record,
        in app: AppID?,
        text: () -> String
    ) throws(StorageError) {
        let table = Record.table
        if let app, table.isOftenEmpty { connection.haveRows[table.name, default: [:]][app] = true }
        let statement = connection.tables.statement(TableStatement(verb, table), text: text)
        try connection.run(statement, table.values(ofRow: try record.columns, app: app))
    }
}
