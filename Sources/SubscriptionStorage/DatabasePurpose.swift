/// The purpose of a database: real apps, or local stores of a developer.
public enum DatabasePurpose: Hashable, Sendable {
    /// Apps that sell in the App Store.
    case production
    /// Local stores, identified by the SHA-256 of their root certificates in hexadecimal digits.
    case development(storeRoots: Set<String>)

    private static let productionName = "production"
    private static let developmentName = "development"

    /// The purpose by its columns: `purpose`, `store_root`.
    package var columns: [ColumnValue] {
        switch self {
        case .production: [.text(Self.productionName), .text(nil as String?)]
        case .development(let roots): [.text(Self.developmentName), .text(roots.sorted().joined(separator: ","))]
        }
    }

    /// Reads a row of `purpose`, `store_root`.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    package init(row: some ColumnReading) throws(StorageError) {
        switch (try row.text(0), try row.optionalText(1)) {
        case (Self.productionName, nil): self = .production
        case (Self.developmentName, let roots?):
            self = .development(storeRoots: Set(roots.split(separator: ",").map(String.init)))
        default: throw .unreadable("the purpose of the database")
        }
    }
}
