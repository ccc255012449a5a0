public import SubscriptionCore

/// A look-up in a table: the rows with given values in the first columns of an index, ordered by the remaining columns
/// and the key.
public struct TableLookup: Hashable, Sendable {
    /// The direction of the order.
    public enum Order: Hashable, Sendable {
        case ascending
        case descending
    }

    /// The app; nil for a table of the database.
    public var app: AppID?
    /// The index; nil for the primary key.
    public var index: TableIndex?
    /// The values of its first columns.
    public var equal: [ColumnValue]
    /// A cursor: only rows after these values of the remaining columns, in the order of the look-up.
    public var after: [ColumnValue]
    /// The inclusive upper bound of the first remaining column (lower bound if descending).
    public var through: ColumnValue?
    /// The order of the rows by the remaining columns.
    public var order: Order
    /// The maximum number of rows; nil for all.
    public var limit: Int?

    /// Makes a look-up.
    ///
    /// - Parameter index: The index; nil for the primary key.
    public init(
        of app: AppID?,
        by index: TableIndex? = nil,
        equal: [ColumnValue] = [],
        after: [ColumnValue] = [],
        through: ColumnValue? = nil,
        order: Order = .ascending,
        limit: Int? = nil
    ) {
        self.app = app
        self.index = index
        self.equal = equal
        self.after = after
        self.through = through
        self.order = order
        self.limit = limit
    }
}

extension TableLookup {
    /// The columns of the index.
    package func columns(of table: TableDescription) -> [String] { index?.columns ?? table.key }

    /// The columns of the order: the rest of the index, then the key, which makes the order total.
    package func orderColumns(of table: TableDescription) -> ArraySlice<String> {
        let columns = columns(of: table)
        return (columns + table.key.filter { !columns.contains($0) }).dropFirst(equal.count)
    }

    /// A column whose nulls the index omits, if the given values do not already exclude nulls.
    package func omitsNullsOf(in table: TableDescription) -> String? {
        guard let column = index?.omitsNullsOf, !columns(of: table).prefix(equal.count).contains(column) else {
            return nil
        }
        return column
    }

    /// The lock that a write takes before the look-up.
    package func lock(in table: TableDescription) -> LockTarget {
        let names = columns(of: table).prefix(equal.count)
        let values = Dictionary(zip(names, equal)) { first, _ in first }
        return (index?.lock ?? table.lock).target(table, app: app) { values[$0] }
    }

    /// The only text by which several look-ups of an app may differ; nil for other look-ups.
    package func onlyText(in table: TableDescription) -> String? {
        guard app != nil, equal.count == 1, after.isEmpty, through == nil, limit == nil, order == .ascending,
            case .string(let text) = equal[0]
        else { return nil }
        return text
    }
}

/// The object that is locked for a look-up or a row.
package enum LockTarget: Hashable {
    case nothing
    case app(AppID)
    case appAlone(AppID)
    case row([ColumnValue])
    case customer(CustomerID)
    case purchase(OriginalTransactionID)
}

extension TableLock {
    /// The object to lock for these column values; nothing if a needed value is missing.
    func target(_ table: TableDescription, app: AppID?, value: (String) -> ColumnValue?) -> LockTarget {
        switch self {
        case .none: return .nothing
        case .app, .appAlone:
            guard let app = app ?? text(value("app_id")).map({ AppID(rawValue: $0) }) else { return .nothing }
            return self == .app ? .app(app) : .appAlone(app)
        case .row:
            let key = table.key.compactMap(value)
            return key.count == table.key.count ? .row(key) : .nothing
        case .customer(let column): return text(value(column)).map { .customer(CustomerID($0)) } ?? .nothing
        case .purchase(let column): return text(value(column)).map { .purchase(OriginalTransactionID($0)) } ?? .nothing
        }
    }

    private func text(_ value: ColumnValue?) -> String? {
        guard case .string(let text) = value else { return nil }
        return text
    }
}

extension TableDescription {
    /// The lock that a write takes before it changes a row.
    package func lock(ofRow row: [ColumnValue], app: AppID?) -> LockTarget {
        lock.target(self, app: app) { name in self.position(of: name).map { row[$0] } }
    }
}
