/// A database whose stored rows can be read and written as they are, for an export and an import.
///
/// As in every transaction, an engine may repeat a body after a lost connection.
package protocol CopyableDatabase: SubscriptionDatabase {
    /// Runs a body on a consistent snapshot.
    ///
    /// - Throws: ``StorageError``; what the body throws passes through.
    func readRows<Result: Sendable>(
        _ body: @escaping @Sendable (any CopiedRowReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Runs a body in one transaction in which no other process can write.
    ///
    /// - Throws: ``StorageError``; what the body throws rolls back and passes through.
    func writeRows<Result: Sendable>(
        _ body: @escaping @Sendable (any CopiedRowWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result
}

/// Reads the rows of tables as they are stored.
package protocol CopiedRowReading {
    /// The rows after a key up to a limit, in the order of the key; the first ones without a key.
    ///
    /// - Throws: ``StorageError``.
    func page(
        of table: CopiedTable,
        after key: [ColumnValue]?,
        limit: CopiedPage.Limit
    ) throws(StorageError) -> CopiedPage
}

/// Fills the tables of an empty database.
package protocol CopiedRowWriting: CopiedRowReading {
    /// Adds rows in the order of their keys. The tables before this one in ``CopiedTables/all`` must be complete.
    ///
    /// - Throws: ``StorageError``; with `storage_failed` if a row with the same key is already stored.
    func insert(_ rows: [[ColumnValue]], into table: CopiedTable) throws(StorageError)

    /// Derives what the engine keeps for itself. The last call; it may be repeated after further rows.
    ///
    /// - Throws: ``StorageError``.
    func finish() throws(StorageError)
}

extension CopiedRowReading {
    /// The first row after a key; the first one of the table without a key.
    ///
    /// - Throws: ``StorageError``.
    package func row(of table: CopiedTable, after key: [ColumnValue]?) throws(StorageError) -> [ColumnValue]? {
        try page(of: table, after: key, limit: CopiedPage.Limit(rowsMax: 1)).rows.first
    }

    /// Whether no table has a row.
    ///
    /// - Throws: ``StorageError``.
    package func isEmpty() throws(StorageError) -> Bool {
        for table in CopiedTables.all where try row(of: table, after: nil) != nil { return false }
        return true
    }
}

extension SQLDialect {
    /// A page of a table: the parameters are the key after which it begins, if there is one, and the number of rows.
    ///
    /// - Parameters:
    ///   - value: What is selected instead of the columns.
    ///   - condition: A condition for the rows.
    package func page(
        of table: CopiedTable,
        isFirst: Bool,
        selecting value: String? = nil,
        where condition: String? = nil
    ) -> String {
        let parameters = table.key.indices.map { parameter($0 + 1) }
        let after = isFirst ? nil : "(\(list(table.key))) > (\(list(parameters)))"
        let conditions = [after, condition].compactMap(\.self)
        let clause = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let selected = value ?? list(table.columns.map(\.name))
        return "SELECT \(selected) FROM \(table.name)\(clause) ORDER BY \(list(table.key)) "
            + "LIMIT \(parameter(isFirst ? 1 : table.key.count + 1))"
    }
}
