/// The purpose of a database: real apps, or one local store of a developer.
public enum DatabasePurpose: Hashable, Sendable {
    /// Apps that sell in the App Store.
    case production
    /// A local store, identified by the SHA-256 of its root certificate in hexadecimal digits.
    case development(storeRoot: String)

    private static let productionName = "production"
    private static let developmentName = "development"

    /// The purpose by its columns: `purpose`, `store_root`.
    package var columns: [ColumnValue] {
        switch self {
        case .production: [.text(Self.productionName), .text(nil as String?)]
        case .development(let root): [.text(Self.developmentName), .text(root)]
        }
    }

    /// Reads a row of `purpose`, `store_root`.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading) throws(StorageError) {
        switch (try row.text(0), try row.optionalText(1)) {
        case (Self.productionName, nil): self = .production
        case (Self.developmentName, let root?): self = .development(storeRoot: root)
        default: throw .unreadable("the purpose of the database")
        }
    }
}
