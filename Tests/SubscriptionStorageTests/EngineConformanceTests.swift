import Foundation
import PostgreSQLTesting
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import SubscriptionStorageTesting
import Testing

@Suite struct `Every storage engine` {
    enum Engine: String, CaseIterable, CustomTestStringConvertible {
        case memory
        case sqlite
        case postgresql

        var testDescription: String { rawValue }

        func makeDatabase(in folder: URL) async throws -> any SubscriptionDatabase {
            switch self {
            case .memory: InMemoryDatabase()
            case .sqlite: try SQLiteDatabase.open(path: folder.appendingPathComponent("test.db").path)
            case .postgresql: try await PostgreSQLDatabase.openNew()
            }
        }
    }

    @Test(arguments: Engine.allCases, StorageConformance.checks)
    func `passes every conformance check`(engine: Engine, check: ConformanceCheck) async throws {
        try await withTemporaryFolder { folder in
            try await check.run { try await engine.makeDatabase(in: folder) }
        }
    }

    @Test func `has conformance checks with unique names`() {
        let names = StorageConformance.checks.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 30)
    }
}

extension PostgreSQLDatabase {
    /// Opens a database in a new schema on the test server.
    static func openNew() async throws -> PostgreSQLDatabase {
        let server = try PostgreSQLTestServer.shared()
        return try await open(url: server.url(schema: server.makeSchema()))
    }
}
