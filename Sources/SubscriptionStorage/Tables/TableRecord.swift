/// A value that is stored as one row of a table.
public protocol TableRecord: Sendable {
    /// The table.
    static var table: TableDescription { get }

    /// Reads a row; the columns are numbered as in the table's description.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` where a value is not what was written.
    init(row: some ColumnReading) throws(StorageError)

    /// The values of the columns, in the order of the table's description.
    ///
    /// - Throws: ``StorageError`` where a part of the record has no stored form.
    var columns: [ColumnValue] { get throws(StorageError) }
}
