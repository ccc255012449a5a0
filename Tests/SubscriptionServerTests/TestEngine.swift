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
            let database = try await PostgreSQLDatabase.open(url: server.url(schema: try server.makeSchema()))
            return (
                database,
                {
                    try await database.close()
                    try server.remove()
                }
            )
        }
    }
}
