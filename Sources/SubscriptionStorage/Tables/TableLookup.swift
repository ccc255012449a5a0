public import SubscriptionCore

/// Which rows of a table are wanted: those with the same values in the first columns of an index, in the order of the
/// columns that follow, and of the key.
public struct TableLookup: Hashable, Sendable {
    /// The direction of the order.
    public enum Order: Hashable, Sendable {
        case ascending
        case descending
    }

    /// The app whose rows are wanted; nil for a table of the database.
    public var app: AppID?
    /// The index; nil for the primary key.
    public var index: TableIndex?
    /// The values of its first columns.
    public var equal: [ColumnValue]
    /// A cursor: only rows behind these values of the columns that follow, in the order of the look-up.
    public var after: [ColumnValue]
    /// The last value of the first column that follows, itself included.
    public var through: ColumnValue?
    /// The order of the rows, by the columns that follow.
    public var order: Order
    /// How many rows are wanted at most; nil for all.
    public var limit: Int?

    /// Says which rows are wanted.
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

    /// The columns that order the rows: the rest of the index, then the key, so that no two rows have one place.
    package func orderColumns(of table: TableDescription) -> ArraySlice<String> {
        let columns = columns(of: table)
        return (columns + table.key.filter { !columns.contains($0) }).dropFirst(equal.count)
    }

    /// A column whose nulls the index leaves out, where the values do not say so already.
    package func omitsNullsOf(in table: TableDescription) -> String? {
        guard let column = index?.omitsNullsOf, !columns(of: table).prefix(equal.count).contains(column) else {
            return nil
        }
        return column
    }

    /// What a write locks before it looks up.
    package func lock(in table: TableDescription) -> HeldByLookup {
        let names = columns(of: table).prefix(equal.count)
        let values = Dictionary(zip(names, equal)) { first, _ in first }
        return (index?.lock ?? table.lock).held(table, app: app) { values[$0] }
    }

    /// The one text by which several look-ups of an app may differ; nil where this one is of another kind.
    package func onlyText(in table: TableDescription) -> String? {
        guard app != nil, equal.count == 1, after.isEmpty, through == nil, limit == nil, order == .ascending,
            case .string(let text) = equal[0]
        else { return nil }
        return text
    }
}

/// What is locked for a look-up or a row.
package enum HeldByLookup: Hashable {
    case nothing
    case app(AppID)
    case appAlone(AppID)
    case row([ColumnValue])
    case customer(CustomerID)
    case purchase(OriginalTransactionID)
}

extension TableLock {
    /// What is locked where the columns have these values; nothing where a value that names it is not known.
    func held(_ table: TableDescription, app: AppID?, value: (String) -> ColumnValue?) -> HeldByLookup {
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
    /// What a write locks before it changes a row.
    package func lock(ofRow row: [ColumnValue], app: AppID?) -> HeldByLookup {
        lock.held(self, app: app) { name in self.position(of: name).map { row[$0] } }
    }
}
