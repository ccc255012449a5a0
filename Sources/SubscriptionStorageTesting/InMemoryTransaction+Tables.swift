import SubscriptionCore
import SubscriptionStorage

extension InMemoryTransaction {
    func rows<Record: TableRow>(of type: Record.Type, _ lookup: TableLookup) throws(StorageError) -> [Record] {
        var records: [Record] = []
        for row in found(lookup, in: Record.table) { records.append(try Record(row: StoredRow(values: row))) }
        return records
    }

    func save<Record: TableRecord>(_ record: Record, in app: AppID?) throws(StorageError) {
        let row = try record.columns
        let key = Record.table.values(of: Record.table.key, in: row)
        changeTable(Record.table.name) { $0[app, default: [:]][key] = row }
    }

    func update<Record: TableRecord>(
        _ record: Record,
        from previous: Record,
        in app: AppID?
    ) throws(StorageError) {
        let key = Record.table.values(of: Record.table.key, in: try previous.columns)
        guard snapshot.tables[Record.table.name]?[app]?[key] != nil else { return }
        try save(record, in: app)
    }

    func insert<Record: TableRecord>(once record: Record, in app: AppID?) throws(StorageError) {
        let table = Record.table
        let row = try record.columns
        let key = table.values(of: table.key, in: row)
        let unique = table.indexes.filter(\.isUnique).map(\.columns)
        let rows = snapshot.tables[table.name]?[app] ?? [:]
        let isTaken = rows.values.contains { other in
            unique.contains { columns in
                let values = table.values(of: columns, in: row)
                // As in SQL, a null is not equal to anything.
                return !values.contains(.null) && table.values(of: columns, in: other) == values
            }
        }
        guard rows[key] == nil, !isTaken else { return }
        try save(record, in: app)
    }

    func remove<Record: TableRecord>(_ type: Record.Type, _ lookup: TableLookup) throws(StorageError) {
        let table = Record.table
        let keys = found(lookup, in: table).map { table.values(of: table.key, in: $0) }
        changeTable(table.name) { apps in for key in keys { apps[lookup.app]?[key] = nil } }
    }

    private func found(_ lookup: TableLookup, in table: TableDescription) -> [[ColumnValue]] {
        // As in SQL, a null is not equal to anything.
        guard !lookup.equal.contains(.null) else { return [] }
        let columns = lookup.columns(of: table).prefix(lookup.equal.count)
        let order = lookup.orderColumns(of: table)
        let rows = (snapshot.tables[table.name]?[lookup.app] ?? [:]).values.filter { row in
            if let column = lookup.index?.omitsNullsOf, table.values(of: [column], in: row) == [.null] { return false }
            return table.values(of: columns, in: row) == lookup.equal
        }
        let isDescending = lookup.order == .descending
        let inOrder = rows.map { (order: table.values(of: order, in: $0), row: $0) }
            .sorted { isDescending ? $1.order.precedes($0.order) : $0.order.precedes($1.order) }
        let wanted = inOrder.filter { entry in
            let position = Array(entry.order.prefix(lookup.after.count))
            let isAfterCursor = isDescending ? position.precedes(lookup.after) : lookup.after.precedes(position)
            guard lookup.after.isEmpty || isAfterCursor else { return false }
            guard let end = lookup.through else { return true }
            let first = Array(entry.order.prefix(1))
            return isDescending ? !first.precedes([end]) : ![end].precedes(first)
        }
        return wanted.prefix(lookup.limit.map { max(0, $0) } ?? .max).map(\.row)
    }
}

extension [ColumnValue] {
    /// The order of an index: value by value, text by its bytes.
    fileprivate func precedes(_ other: [ColumnValue]) -> Bool {
        for (left, right) in zip(self, other) where left != right { return left.precedes(right) }
        return count < other.count
    }
}

extension ColumnValue {
    fileprivate func precedes(_ other: ColumnValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
        case (.truth(let left), .truth(let right)): !left && right
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .number, .truth: 1
        case .string: 2
        case .blob: 3
        }
    }
}
