import SubscriptionCore

/// The columns of the tables of products, behind the app.
package enum ProductColumns {
    /// Of `sold_products`.
    package static let sold = "product_id, kind, group_id"
    /// Of `listed_products`.
    package static let listed = "product_id, kind, group_id, name"
}

extension SoldProduct {
    /// The record by columns.
    package var columns: [ColumnValue] { [.text(id), .text(kind), .text(groupID)] }

    /// Reads a row of ``ProductColumns/sold``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading) throws(StorageError) {
        self.init(id: try row.identifier(0), kind: try row.choice(1), groupID: try row.optionalIdentifier(2))
    }
}

extension ListedProduct {
    /// The record by columns.
    package var columns: [ColumnValue] { [.text(id), .text(kind), .text(groupID), .text(name)] }

    /// Reads a row of ``ProductColumns/listed``.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            kind: try row.choice(1),
            groupID: try row.optionalIdentifier(2),
            name: try row.optionalText(3)
        )
    }
}
