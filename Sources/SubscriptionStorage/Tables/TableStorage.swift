public import SubscriptionCore

/// Reads tables by their descriptions.
public protocol TableReading {
    /// The rows of a look-up, in its order.
    ///
    /// - Throws: ``StorageError``.
    func rows<Record: TableRow>(
        of type: Record.Type,
        _ lookup: TableLookup
    ) throws(StorageError) -> [Record]

    /// The rows of several look-ups, in the same order; an engine with a server sends all of them at once.
    ///
    /// - Throws: ``StorageError``.
    func rows<Record: TableRow>(
        of type: Record.Type,
        _ lookups: [TableLookup]
    ) throws(StorageError) -> [[Record]]
}

/// Changes tables by their descriptions.
public protocol TableWriting: TableReading {
    /// Adds a row, or replaces the one with the same key.
    ///
    /// - Throws: ``StorageError``.
    func save<Record: TableRecord>(_ record: Record, in app: AppID?) throws(StorageError)

    /// Changes a row that this write has read: only the columns that differ are written, and only their indexes change.
    ///
    /// - Precondition: Both rows have the same key.
    /// - Throws: ``StorageError``.
    func update<Record: TableRecord>(
        _ record: Record,
        from previous: Record,
        in app: AppID?
    ) throws(StorageError)

    /// Adds a row; an existing one with the same key is not changed.
    ///
    /// - Throws: ``StorageError``.
    func insert<Record: TableRecord>(once record: Record, in app: AppID?) throws(StorageError)

    /// Removes the rows of a look-up. With a limit, rows that another write has locked may be skipped.
    ///
    /// - Throws: ``StorageError``.
    func remove<Record: TableRecord>(_ type: Record.Type, _ lookup: TableLookup) throws(StorageError)
}

extension TableReading {
    /// Runs one look-up after another.
    public func rows<Record: TableRow>(
        of type: Record.Type,
        _ lookups: [TableLookup]
    ) throws(StorageError) -> [[Record]] {
        var found: [[Record]] = []
        for lookup in lookups { found.append(try rows(of: type, lookup)) }
        return found
    }

    /// The row with a key; nil where there is none.
    ///
    /// - Throws: ``StorageError``.
    public func row<Record: TableRow>(
        of type: Record.Type,
        key: [ColumnValue],
        in app: AppID?
    ) throws(StorageError) -> Record? {
        try rows(of: type, TableLookup(of: app, equal: key)).first
    }
}
