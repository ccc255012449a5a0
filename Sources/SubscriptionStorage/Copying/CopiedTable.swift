/// A table as an export contains it: the same columns for both engines.
///
/// What an engine derives for itself (SQLite's row positions, PostgreSQL's counters) is not among the columns.
package struct CopiedTable: Sendable {
    /// The name in the database and of the file.
    package let name: String
    /// The columns, with the app first.
    package let columns: [TableColumn]
    /// The names of the columns of the key, in order; never null.
    package let key: [String]
    /// Whether rows are only added, in the order of the key, and never changed.
    package let isAppendOnly: Bool

    /// Whether the rows have secrets: an export has them only on request.
    package var isSecret: Bool { columns.contains(where: \.isSecret) }

    /// Describes a table.
    init(_ name: String, _ columns: [TableColumn], key: [String], isAppendOnly: Bool = false) {
        self.name = name
        self.columns = columns
        self.key = key
        self.isAppendOnly = isAppendOnly
    }

    /// A table with a description.
    init(_ table: TableDescription) {
        let app = table.scope == .app ? [TableColumn.text("app_id")] : []
        self.init(table.name, app + table.columns, key: app.map(\.name) + table.key)
    }

    /// The key of a row.
    package func key(of row: [ColumnValue]) -> [ColumnValue] {
        key.map { name in columns.firstIndex { $0.name == name }.map { row[$0] } ?? .null }
    }

    /// The values of a row, by the types of the columns.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is missing or has another type.
    package func values(of row: some ColumnReading) throws(StorageError) -> [ColumnValue] {
        var values: [ColumnValue] = []
        values.reserveCapacity(columns.count)
        for (index, column) in columns.enumerated() {
            let value: ColumnValue
            switch column.kind {
            case .text: value = .text(try row.optionalText(index))
            case .integer: value = .integer(try row.optionalInteger(index))
            case .flag: value = .flag(try row.optionalFlag(index))
            case .bytes: value = .bytes(try row.optionalBytes(index))
            }
            guard column.isOptional || value != .null else { throw .unreadable("column \(column.name) is absent") }
            values.append(value)
        }
        return values
    }
}

/// A row of values in memory.
package struct StoredRow: ColumnReading {
    /// The values of the columns.
    package let values: [ColumnValue]

    /// Makes a row.
    package init(values: [ColumnValue]) { self.values = values }

    /// Text.
    package func optionalText(_ column: Int) throws(StorageError) -> String? {
        switch values[column] {
        case .null: nil
        case .string(let text): text
        default: throw .unreadable("column \(column) is no text")
        }
    }

    /// A whole number.
    package func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
        switch values[column] {
        case .null: nil
        case .number(let number): number
        default: throw .unreadable("column \(column) is no integer")
        }
    }

    /// Bytes.
    package func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]? {
        switch values[column] {
        case .null: nil
        case .blob(let bytes): Array(bytes)
        default: throw .unreadable("column \(column) is no bytes")
        }
    }

    /// A Boolean.
    package func optionalFlag(_ column: Int) throws(StorageError) -> Bool? {
        switch values[column] {
        case .null: nil
        case .truth(let truth): truth
        default: throw .unreadable("column \(column) is no truth value")
        }
    }
}
