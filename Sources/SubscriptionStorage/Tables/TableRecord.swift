/// A value that is stored as one row of a table.
public protocol TableRecord: Sendable {
    /// The table.
    static var table: TableDescription { get }

    /// Reads a row; the columns are numbered as in the table's description.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    init(row: some ColumnReading) throws(StorageError)

    /// The values of the columns, in the order of the table's description.
    ///
    /// - Throws: ``StorageError`` if a part of the record cannot be stored.
    var columns: [ColumnValue] { get throws(StorageError) }
}
