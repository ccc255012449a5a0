import Foundation
public import SubscriptionStorage
import SubscriptionStorageSQLite

#if PostgreSQL
    import SubscriptionStoragePostgreSQL
#endif

/// Selects the storage engine. No other code of the server depends on an engine.
public enum DatabaseAddress {
    private enum Engine {
        case sqlite(path: String)
        case postgreSQL(url: String)
    }

    /// Opens the database at an address and migrates its schema if the options allow it.
    ///
    /// - Parameters:
    ///   - address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    ///   - options: The options.
    ///   - onProgress: Called for each step of a migration.
    /// - Throws: ``StartError`` `database_not_supported`, or storage's code and remedy.
    public static func open(
        _ address: String,
        options: DatabaseOptions = DatabaseOptions(),
        onProgress: @escaping MigrationProgress.Observer = { _ in }
    ) async throws(StartError) -> any SubscriptionDatabase {
        try await openCopyable(address, options: options, makesTables: true, onProgress: onProgress)
    }

    /// The schema status of the database at an address. It changes nothing.
    ///
    /// - Parameter address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    /// - Throws: As ``open(_:options:)``.
    public static func schemaStatus(_ address: String) async throws(StartError) -> SchemaStatus {
        let engine = try engine(address)
        do throws(StorageError) {
            switch engine {
            case .sqlite(let path): return try SQLiteDatabase.schemaStatus(path: path)
            case .postgreSQL(let url): return try await schemaStatus(url: url)
            }
        } catch {
            throw StartError(error)
        }
    }

    private static func schemaStatus(url: String) async throws(StorageError) -> SchemaStatus {
        #if PostgreSQL
            return try await PostgreSQLDatabase.schemaStatus(url: url)
        #else
            throw StorageError(
                StorageError.Code(rawValue: "database_not_supported"),
                """
                This program was built without the package trait PostgreSQL. Build it with the trait, or use \
                sqlite:PATH.
                """,
                isRetryable: false
            )
        #endif
    }

    /// Whether opening the database at an address creates a new file; always false for PostgreSQL.
    static func isMissing(_ address: String) throws(StartError) -> Bool {
        guard case .sqlite(let path) = try engine(address) else { return false }
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
        return (size?.int64Value ?? 0) == 0
    }

    /// Warnings about unsafe permissions of the database files, for the log; empty without files.
    public static func warnings(_ address: String) throws(StartError) -> [String] {
        guard case .sqlite(let path) = try engine(address) else { return [] }
        return SQLiteDatabase.filesOpenToOthers(path: path).map {
            "Other users may read or write \($0), which contains customers' purchases. Run chmod 600 on it."
        }
    }

    /// The path of the database file; nil for PostgreSQL.
    ///
    /// - Throws: ``StartError`` `database_not_supported`.
    static func filePath(_ address: String) throws(StartError) -> String? {
        guard case .sqlite(let path) = try engine(address) else { return nil }
        return path
    }

    /// Checks the form of an address without opening the database.
    ///
    /// - Throws: ``StartError`` `database_not_supported`, or storage's code for an address it cannot read.
    static func check(_ address: String) throws(StartError) {
        guard case .postgreSQL(let url) = try engine(address) else { return }
        #if PostgreSQL
            do throws(StorageError) {
                try PostgreSQLDatabase.check(url: url)
            } catch {
                throw StartError(error)
            }
        #else
            _ = url
        #endif
    }

    /// Checks that the database file exists; does nothing for PostgreSQL.
    ///
    /// - Throws: ``StartError`` `database_not_found`.
    public static func requireExisting(_ address: String) throws(StartError) {
        guard case .sqlite(let path) = try engine(address) else { return }
        guard FileManager.default.fileExists(atPath: path) else { throw .databaseNotFound(path) }
    }

    /// Opens an existing database and never creates one, so that a mistyped address is an error.
    ///
    /// - Parameter address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    /// - Throws: ``StartError`` `database_not_found`, and as ``open(_:)``.
    public static func openExisting(_ address: String) async throws(StartError) -> any SubscriptionDatabase {
        try requireExisting(address)
        return try await openCopyable(address, options: DatabaseOptions(), makesTables: false)
    }

    /// Opens an existing database to export it. It never changes the tables.
    ///
    /// - Parameter address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    /// - Throws: ``StartError`` `database_not_found`, `storage_schema_outdated`, and as ``open(_:)``.
    package static func openForExport(_ address: String) async throws(StartError) -> any CopyableDatabase {
        try requireExisting(address)
        return try await openCopyable(address, options: DatabaseOptions(migrates: false), makesTables: false)
    }

    /// Opens a database to fill it from an export. It makes the tables where there are none.
    ///
    /// - Parameter address: `sqlite:PATH` or `postgres://USER@HOST:PORT/DATABASE`.
    /// - Throws: As ``open(_:)``.
    package static func openForImport(_ address: String) async throws(StartError) -> any CopyableDatabase {
        // The last statements count and analyze whole tables.
        let day = 24 * 60 * 60 * 1_000
        let options = DatabaseOptions(postgreSQL: .init(statementTimeoutMilliseconds: day))
        return try await openCopyable(address, options: options, makesTables: true)
    }

    private static func openCopyable(
        _ address: String,
        options: DatabaseOptions,
        makesTables: Bool,
        onProgress: @escaping MigrationProgress.Observer = { _ in }
    ) async throws(StartError) -> any CopyableDatabase {
        switch try engine(address) {
        case .sqlite(let path):
            try open(path: path, options: options, onProgress: onProgress)
        case .postgreSQL(let url):
            try await open(url: url, options: options, makesTables: makesTables, onProgress: onProgress)
        }
    }

    /// Errors do not repeat the address, which may contain a password.
    private static func engine(_ address: String) throws(StartError) -> Engine {
        let sqlite = "sqlite:"
        if address.hasPrefix(sqlite), address.utf8.count > sqlite.utf8.count {
            let path = String(address.dropFirst(sqlite.count))
            // SQLite's special names (in-memory and URI) would become files with unexpected names.
            if !path.hasPrefix(":"), !path.hasPrefix("file:") { return .sqlite(path: path) }
        }
        if ["postgres://", "postgresql://"].contains(where: address.hasPrefix) { return .postgreSQL(url: address) }
        throw StartError(
            "database_not_supported",
            "The database must be given as sqlite:PATH, such as sqlite:perennial.db, or as "
                + "postgres://USER@HOST:PORT/DATABASE.",
            kind: .configuration
        )
    }

    private static func open(
        path: String,
        options: DatabaseOptions,
        onProgress: @escaping MigrationProgress.Observer
    ) throws(StartError) -> any CopyableDatabase {
        do {
            return try SQLiteDatabase.open(path: path, options: SQLiteOptions(options), onProgress: onProgress)
        } catch {
            throw StartError(error)
        }
    }

    private static func open(
        url: String,
        options: DatabaseOptions,
        makesTables: Bool,
        onProgress: @escaping MigrationProgress.Observer
    ) async throws(StartError) -> any CopyableDatabase {
        #if PostgreSQL
            do {
                let engine = PostgreSQLOptions(options, makesTables: makesTables)
                return try await PostgreSQLDatabase.open(url: url, options: engine, onProgress: onProgress)
            } catch {
                throw StartError(error)
            }
        #else
            throw StartError(
                "database_not_supported",
                """
                This program was built without the package trait PostgreSQL. Build it with the trait, or use \
                sqlite:PATH.
                """,
                kind: .configuration
            )
        #endif
    }
}

extension StartError {
    /// A database that cannot be opened.
    init(_ error: StorageError) {
        self.init(error.code.rawValue, error.message, kind: .surroundings, detail: error.detailToReport)
    }
}

extension SQLiteOptions {
    fileprivate init(_ options: DatabaseOptions) {
        self.init(
            busyTimeoutMilliseconds: options.sqlite.busyTimeoutMilliseconds,
            readersMax: options.sqlite.readers,
            readsOnCaller: options.sqlite.readsOnCaller,
            fileBytesMax: options.sqlite.fileBytesMax,
            migrates: options.migrates
        )
    }
}

#if PostgreSQL
    extension PostgreSQLOptions {
        fileprivate init(_ options: DatabaseOptions, makesTables: Bool) {
            let postgreSQL = options.postgreSQL
            self.init(
                writersMax: postgreSQL.writers,
                readersMax: postgreSQL.readers,
                waitingMax: postgreSQL.waiting,
                connectTimeoutMilliseconds: postgreSQL.connectTimeoutMilliseconds,
                statementTimeoutMilliseconds: postgreSQL.statementTimeoutMilliseconds,
                lockTimeoutMilliseconds: postgreSQL.lockTimeoutMilliseconds,
                attemptsMax: postgreSQL.attempts,
                makesTables: makesTables,
                migrates: options.migrates
            )
        }
    }
#endif
