package import SubscriptionCore

/// A statement on a table without its values; equal statements have the same text.
package struct TableStatement: Hashable, Sendable {
    /// The verb.
    package enum Verb: String, Hashable, Sendable {
        case select, selectMany, any, save, update, insert, delete
    }

    /// The verb.
    package let verb: Verb
    /// The table's name.
    package let table: String
    private let index: String?
    private let equalCount: Int
    private let afterCount: Int
    private let hasThrough: Bool
    private let order: TableLookup.Order
    private let isLimited: Bool
    private let unread: Set<String>
    private let updated: [String]

    /// A statement that reads or deletes the rows of a look-up.
    ///
    /// - Parameter unread: The columns that it does not read.
    package init(_ verb: Verb, _ table: TableDescription, _ lookup: TableLookup, unread: Set<String> = []) {
        self.verb = verb
        self.table = table.name
        index = lookup.index?.name
        equalCount = lookup.equal.count
        afterCount = lookup.after.count
        hasThrough = lookup.through != nil
        order = lookup.order
        isLimited = lookup.limit != nil
        self.unread = unread
        updated = []
    }

    /// A statement that saves or adds a row or checks whether an app has any.
    package init(_ verb: Verb, _ table: TableDescription) {
        self.init(verb, table, TableLookup(of: nil))
    }

    /// A statement that sets columns of a row.
    package init(updating columns: [String], of table: TableDescription) {
        verb = .update
        self.table = table.name
        (index, equalCount, afterCount, hasThrough, order, isLimited) = (nil, 0, 0, false, .ascending, false)
        unread = []
        updated = columns
    }

    /// The name of the prepared statement; unique for each statement.
    package var name: String {
        let flags = "\(hasThrough ? "t" : "")\(order == .descending ? "d" : "")\(isLimited ? "l" : "")"
        let omitted = unread.isEmpty ? "" : " without " + unread.sorted().joined(separator: " ")
        let changed = updated.isEmpty ? "" : " of " + updated.joined(separator: " ")
        return "\(verb.rawValue) \(table) \(index ?? "key") \(equalCount) \(afterCount) \(flags)\(omitted)\(changed)"
    }
}

extension TableLookup {
    /// The values of a statement that reads or deletes, in the order of its parameters.
    package var values: [ColumnValue] {
        var values: [ColumnValue] = []
        if let app { values.append(.text(app)) }
        values += equal
        values += after
        if let through { values.append(through) }
        if let limit { values.append(.integer(max(0, limit))) }
        return values
    }
}

extension TableDescription {
    /// The values of a statement that saves a row.
    package func values(ofRow row: consuming [ColumnValue], app: AppID?) -> [ColumnValue] {
        if let app, scope == .app { row.insert(.text(app), at: 0) }
        return row
    }
}

/// The difference between two rows with the same key.
package struct RowUpdate {
    /// The columns that differ, in the order of the table.
    package let columns: [String]
    /// Their new values, and then the key.
    package let values: [ColumnValue]

    /// Compares two rows; nil if they are equal.
    ///
    /// - Precondition: Both rows have the same key.
    package init?(of table: TableDescription, to row: [ColumnValue], from previous: [ColumnValue], app: AppID?) {
        let key = table.values(of: table.key, in: row)
        precondition(key == table.values(of: table.key, in: previous), "an update keeps the key of \(table.name)")
        let changed = row.indices.filter { row[$0] != previous[$0] }
        guard !changed.isEmpty else { return nil }
        columns = changed.map { table.columns[$0].name }
        values = changed.map { row[$0] } + table.values(ofRow: key, app: app)
    }
}
