import Foundation
import PostgreSQLTesting
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import SubscriptionStorageTesting

/// The engines on which a test runs.
enum TestEngine: String, CaseIterable, Sendable {
    case memory, sqlite, postgreSQL

    /// An empty database, and how to close and remove it.
    func open() async throws -> (database: any SubscriptionDatabase, close: @Sendable () async throws -> Void) {
        switch self {
        case .memory: return (InMemoryDatabase(), {})
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let database = try SQLiteDatabase.open(path: folder.appendingPathComponent("perennial.db").path)
            return (
                database,
                {
                    try await database.close()
                    try FileManager.default.removeItem(at: folder)
                }
            )
        case .postgreSQL:
            let server = try PostgreSQLTestServer()
            let url = server.url(schema: try server.makeSchema())
            let database = try await PostgreSQLDatabase.open(url: url, options: .patient)
            return (
                database,
                {
                    try await database.close()
                    try server.remove()
                }
            )
        }
    }

    /// Does something with an empty database, and removes it.
    func run<Value>(_ work: (any SubscriptionDatabase) async throws -> Value) async throws -> Value {
        let opened = try await open()
        let value: Value
        do {
            value = try await work(opened.database)
        } catch {
            try await opened.close()
            throw error
        }
        try await opened.close()
        return value
    }

    /// Does something with a scene on an empty database, and removes the database.
    func run<Scene: EngineScene>(_ scene: Scene.Type, _ work: (Scene) async throws -> Void) async throws {
        try await run { database in try await work(try await Scene(database)) }
    }
}

/// What a test begins with, on the database of an engine.
protocol EngineScene {
    init(_ database: any SubscriptionDatabase) async throws
}

extension PostgreSQLOptions {
    /// Options with which nobody gives up waiting for a lock because the machine stood still.
    static var patient: PostgreSQLOptions { PostgreSQLOptions(lockTimeoutMilliseconds: 60_000) }
}
