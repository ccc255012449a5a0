import Foundation
public import SubscriptionStorage
import SubscriptionStorageSQLite

/// Picks the storage engine: the only place that knows one.
public enum DatabaseAddress {
    /// Opens the database at an address, and brings its schema up to date.
    ///
    /// - Parameter address: `sqlite:PATH`.
    /// - Throws: ``StartError`` `database_not_supported`, or storage's code and remedy.
    public static func open(_ address: String) async throws(StartError) -> any SubscriptionDatabase {
        try open(path: try path(address))
    }

    /// Opens the database at an address, and never makes one: a path with a slip in it is told.
    ///
    /// - Parameter address: `sqlite:PATH`.
    /// - Throws: ``StartError`` `database_not_found`, and as ``open(_:)``.
    public static func openExisting(_ address: String) async throws(StartError) -> any SubscriptionDatabase {
        let path = try path(address)
        guard FileManager.default.fileExists(atPath: path) else { throw .databaseNotFound(path) }
        return try open(path: path)
    }

    private static func path(_ address: String) throws(StartError) -> String {
        guard address.hasPrefix("sqlite:"), address.utf8.count > "sqlite:".utf8.count else {
            throw StartError(
                "database_not_supported",
                "The database must be given as sqlite:PATH, such as sqlite:perennial.db.",
                kind: .configuration
            )
        }
        return String(address.dropFirst("sqlite:".count))
    }

    private static func open(path: String) throws(StartError) -> any SubscriptionDatabase {
        do {
            return try SQLiteDatabase.open(path: path)
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
