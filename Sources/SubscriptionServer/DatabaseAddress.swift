public import SubscriptionStorage
import SubscriptionStorageSQLite

/// Picks the storage engine: the only place that knows one.
public enum DatabaseAddress {
    /// Opens the database at an address, and brings its schema up to date.
    ///
    /// - Parameter address: `sqlite:PATH`.
    /// - Throws: ``StartError`` `database_not_supported`, or storage's code and remedy.
    public static func open(_ address: String) async throws(StartError) -> any SubscriptionDatabase {
        guard address.hasPrefix("sqlite:"), address.utf8.count > "sqlite:".utf8.count else {
            throw StartError(
                "database_not_supported",
                "The database must be given as sqlite:PATH, such as sqlite:perennial.db.",
                kind: .configuration
            )
        }
        do {
            return try SQLiteDatabase.open(path: String(address.dropFirst("sqlite:".count)))
        } catch {
            throw StartError(error)
        }
    }
}

extension StartError {
    /// A database that does not open.
    init(_ error: StorageError) {
        self.init(error.code.rawValue, error.message, kind: .surroundings)
    }
}
