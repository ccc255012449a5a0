import Foundation
public import SubscriptionStorage
import SubscriptionStorageSQLite

#if PostgreSQL
    import SubscriptionStoragePostgreSQL
#endif

/// Picks the storage engine: the only place that knows one.
public enum DatabaseAddress {
    private enum Engine {
        case sqlite(path: String)
        case postgreSQL(url: String)
    }

    /// Opens the database at an address, and brings its schema up to date.
    ///
    /// - Parameter address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    /// - Throws: ``StartError`` `database_not_supported`, or storage's code and remedy.
    public static func open(_ address: String) async throws(StartError) -> any SubscriptionDatabase {
        switch try engine(address) {
        case .sqlite(let path): try open(path: path)
        case .postgreSQL(let url): try await open(url: url, makesTables: true)
        }
    }

    /// Opens the database at an address, and never makes one: an address with a slip in it is told.
    ///
    /// - Parameter address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    /// - Throws: ``StartError`` `database_not_found`, and as ``open(_:)``.
    public static func openExisting(_ address: String) async throws(StartError) -> any SubscriptionDatabase {
        switch try engine(address) {
        case .sqlite(let path):
            guard FileManager.default.fileExists(atPath: path) else { throw .databaseNotFound(path) }
            return try open(path: path)
        case .postgreSQL(let url):
            return try await open(url: url, makesTables: false)
        }
    }

    /// The address is not repeated in an error: a password may be in it.
    private static func engine(_ address: String) throws(StartError) -> Engine {
        let sqlite = "sqlite:"
        if address.hasPrefix(sqlite), address.utf8.count > sqlite.utf8.count {
            return .sqlite(path: String(address.dropFirst(sqlite.count)))
        }
        if ["postgres://", "postgresql://"].contains(where: address.hasPrefix) { return .postgreSQL(url: address) }
        throw StartError(
            "database_not_supported",
            "The database must be given as sqlite:PATH, such as sqlite:perennial.db, or as "
                + "postgres://USER@HOST:PORT/DATABASE.",
            kind: .configuration
        )
    }

    private static func open(path: String) throws(StartError) -> any SubscriptionDatabase {
        do {
            return try SQLiteDatabase.open(path: path)
        } catch {
            throw StartError(error)
        }
    }

    private static func open(url: String, makesTables: Bool) async throws(StartError) -> any SubscriptionDatabase {
        #if PostgreSQL
            do {
                return try await PostgreSQLDatabase.open(url: url, options: PostgreSQLOptions(makesTables: makesTables))
            } catch {
                throw StartError(error)
            }
        #else
            throw StartError(
                "database_not_supported",
                "This program was built without the package trait PostgreSQL. Build it with the trait, or use sqlite:PATH.",
                kind: .configuration
            )
        #endif
    }
}

extension StartError {
    /// A database that does not open.
    init(_ error: StorageError) {
        self.init(error.code.rawValue, error.message, kind: .surroundings)
    }
}
