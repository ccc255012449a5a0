/// The SQL that each engine needs for a table's description.
package enum SQLDialect: Sendable {
    case sqlite
    case postgreSQL

    private static let app = "app_id"

    // MARK: Definitions

    /// The statements of a schema step that make a table or add to it.
    package func definitions(of table: TableDescription, step: Int) -> [String] {
        var statements: [String] = []
        if step == table.step {
            statements.append(creation(of: table))
            for column in table.columns where column.isCompressed && column.step == nil {
                statements += storage(of: column, in: table)
            }
        }
        for column in table.columns where column.step == step {
            statements.append("ALTER TABLE \(table.name) ADD COLUMN \(definition(of: column))")
            if column.isCompressed { statements += storage(of: column, in: table) }
        }
        for index in table.indexes where (index.step ?? table.step) == step {
            statements.append(creation(of: index, in: table))
        }
        return statements
    }

    private func creation(of table: TableDescription) -> String {
        let app = table.scope == .app ? [TableColumn.text(Self.app)] : []
        let columns = (app + table.columns.filter { $0.step == nil }).map(definition)
        let key = "PRIMARY KEY (\(list(leading(table) + table.key)))"
        return "CREATE TABLE \(table.name) (\(list(columns + [key])))\(options(of: table))"
    }

    private func creation(of index: TableIndex, in table: TableDescription) -> String {
        let condition = index.omitsNullsOf.map { " WHERE \($0) IS NOT NULL" } ?? ""
        return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(index.name) ON \(table.name) "
            + "(\(list(leading(table) + index.columns)))\(condition)"
    }

    private func definition(of column: TableColumn) -> String {
        "\(column.name) \(type(of: column.kind))\(column.isOptional ? "" : " NOT NULL")"
    }

    private func type(of kind: TableColumn.Kind) -> String {
        switch (self, kind) {
        case (.sqlite, .text): "TEXT"
        case (.sqlite, .integer), (.sqlite, .flag): "INTEGER"
        case (.sqlite, .bytes): "BLOB"
        // Compared by bytes, independent of the locale of the database.
        case (.postgreSQL, .text): "TEXT COLLATE \"C\""
        case (.postgreSQL, .integer): "BIGINT"
        case (.postgreSQL, .flag): "BOOLEAN"
        case (.postgreSQL, .bytes): "BYTEA"
        }
    }

    /// SQLite stores the rows in the primary key, unless they are large: then the key is a separate index.
    private func options(of table: TableDescription) -> String {
        guard self == .sqlite else { return "" }
        return table.columns.contains(where: \.isCompressed) ? " STRICT" : " STRICT, WITHOUT ROWID"
    }

    private func storage(of column: TableColumn, in table: TableDescription) -> [String] {
        guard self == .postgreSQL else { return [] }
        return ["ALTER TABLE \(table.name) ALTER COLUMN \(column.name) SET STORAGE EXTERNAL"]
    }

    // MARK: Statements

    /// The rows of a look-up, with the table's columns in order.
    ///
    /// - Parameter unread: The columns that are null instead.
    package func select(_ table: TableDescription, _ lookup: TableLookup, unread: Set<String> = []) -> String {
        let columns = table.columns.map { unread.contains($0.name) ? "NULL" : $0.name }
        return "SELECT \(list(columns)) FROM \(rows(table, lookup))"
    }

    /// The rows of several look-ups of an app that differ in one text only. Each row ends with the one-based number of
    /// its look-up. PostgreSQL only: the texts are an array.
    ///
    /// For `column = ANY($2)` the planner may scan all rows of an app if the statistics are from a time with few rows.
    /// PostgreSQL does not flatten a subquery with OFFSET, so this form always uses the index for each value.
    package func selectMany(_ table: TableDescription, _ lookup: TableLookup) -> String {
        let columns = lookup.columns(of: table)
        let order = ["wanted.number"] + lookup.orderColumns(of: table).map { "found.\($0)" }
        return """
            SELECT found.*, wanted.number FROM unnest($2::text[]) WITH ORDINALITY AS wanted (value, number), LATERAL (
                SELECT \(list(table.columns.map(\.name))) FROM \(table.name)
                WHERE \(Self.app) = $1 AND \(columns[0]) = wanted.value COLLATE "C" OFFSET 0
            ) AS found ORDER BY \(list(order))
            """
    }

    /// Checks whether an app has any row in a table; the app is the parameter.
    package func any(_ table: TableDescription) -> String {
        "SELECT 1 FROM \(table.name) WHERE \(Self.app) = \(parameter(1)) LIMIT 1"
    }

    /// Adds a row, or replaces the one with the same key.
    package func save(_ table: TableDescription) -> String {
        let changed = table.columns.map(\.name).filter { !table.key.contains($0) }
        guard !changed.isEmpty else { return insert(table) }
        let changes = changed.map { "\($0) = excluded.\($0)" }
        let key = list(leading(table) + table.key)
        return "\(insertion(table)) ON CONFLICT (\(key)) DO UPDATE SET \(list(changes))"
    }

    /// Sets some columns of the row with a key; the values of the columns come before those of the key.
    package func update(_ table: TableDescription, _ columns: [String]) -> String {
        let changes = columns.enumerated().map { "\($1) = \(parameter($0 + 1))" }
        let key = (leading(table) + table.key).enumerated().map { "\($1) = \(parameter(columns.count + $0 + 1))" }
        return "UPDATE \(table.name) SET \(list(changes)) WHERE \(key.joined(separator: " AND "))"
    }

    /// Adds a row; an existing one with the same key is not changed.
    package func insert(_ table: TableDescription) -> String {
        "\(insertion(table)) ON CONFLICT DO NOTHING"
    }

    /// Deletes the rows of a look-up.
    package func delete(_ table: TableDescription, _ lookup: TableLookup) -> String {
        guard lookup.limit != nil else {
            return "DELETE FROM \(source(table, lookup))\(conditions(table, lookup).clause)"
        }
        let key = list(leading(table) + table.key)
        // Other writes run concurrently on PostgreSQL; rows that they have locked are skipped.
        let unlocked = self == .postgreSQL ? " FOR UPDATE SKIP LOCKED" : ""
        return "DELETE FROM \(table.name) WHERE (\(key)) IN (SELECT \(key) FROM \(rows(table, lookup))\(unlocked))"
    }

    private func insertion(_ table: TableDescription) -> String {
        let names = leading(table) + table.columns.map(\.name)
        let parameters = names.indices.map { parameter($0 + 1) }
        return "INSERT INTO \(table.name) (\(list(names))) VALUES (\(list(parameters)))"
    }

    /// The part after FROM.
    private func rows(_ table: TableDescription, _ lookup: TableLookup) -> String {
        let conditions = conditions(table, lookup)
        var text = "\(source(table, lookup))\(conditions.clause)"
        let order = lookup.orderColumns(of: table)
        if !order.isEmpty {
            let direction = lookup.order == .descending ? " DESC" : ""
            text += " ORDER BY \(list(order.map { "\($0)\(direction)" }))"
        }
        if lookup.limit != nil { text += " LIMIT \(parameter(conditions.count + 1))" }
        return text
    }

    /// SQLite's planner assumes about ten rows per app and would scan them all, so the index is forced.
    private func source(_ table: TableDescription, _ lookup: TableLookup) -> String {
        guard self == .sqlite, let index = lookup.index else { return table.name }
        return "\(table.name) INDEXED BY \(index.name)"
    }

    /// The WHERE clause of a look-up and its number of parameters.
    private func conditions(_ table: TableDescription, _ lookup: TableLookup) -> (clause: String, count: Int) {
        var count = 0
        func next() -> String {
            count += 1
            return parameter(count)
        }
        var conditions: [String] = []
        if lookup.app != nil { conditions.append("\(Self.app) = \(next())") }
        for name in lookup.columns(of: table).prefix(lookup.equal.count) { conditions.append("\(name) = \(next())") }
        if let column = lookup.omitsNullsOf(in: table) { conditions.append("\(column) IS NOT NULL") }
        let order = lookup.orderColumns(of: table)
        if !lookup.after.isEmpty {
            let cursor = lookup.after.map { _ in next() }
            let isBehind = lookup.order == .descending ? "<" : ">"
            conditions.append("(\(list(order.prefix(cursor.count)))) \(isBehind) (\(list(cursor)))")
        }
        if lookup.through != nil, let first = order.first {
            conditions.append("\(first) \(lookup.order == .descending ? ">=" : "<=") \(next())")
        }
        let clause = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        return (clause, count)
    }

    private func leading(_ table: TableDescription) -> [String] { table.scope == .app ? [Self.app] : [] }

    func parameter(_ number: Int) -> String {
        switch self {
        case .sqlite: "?\(number)"
        case .postgreSQL: "$\(number)"
        }
    }

    func list(_ parts: some Sequence<String>) -> String { parts.joined(separator: ", ") }
}
