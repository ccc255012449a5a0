/// A value that is stored as one row of a table.
public protocol TableRecord: TableRow {
    /// The values of the columns, in the order of the table's description.
    ///
    /// - Throws: ``StorageError`` if a part of the record cannot be stored.
    var columns: [ColumnValue] { get throws(StorageError) }
}

/// A row of a described table as it is read: the whole record, or the part of it that a reader needs.
public protocol TableRow: Sendable {
    /// The table.
    static var table: TableDescription { get }

    /// The columns that are not read: they are null in the row.
    static var unread: Set<String> { get }

    /// Reads a row; the columns are numbered as in the table's description.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    init(row: some ColumnReading) throws(StorageError)
}

extension TableRow {
    /// Nothing: all columns are read.
    public static var unread: Set<String> { [] }
}
