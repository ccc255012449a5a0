import Foundation
import SubscriptionStorage
import SubscriptionStorageSQLite
import SubscriptionStorageTesting
import Testing

@Suite
struct `Every engine keeps the same promises` {
    enum Engine: String, CaseIterable, CustomTestStringConvertible {
        case memory
        case sqlite

        var testDescription: String { rawValue }

        func makeDatabase(in folder: URL) throws -> any SubscriptionDatabase {
            switch self {
            case .memory: InMemoryDatabase()
            case .sqlite: try SQLiteDatabase.open(path: folder.appendingPathComponent("test.db").path)
            }
        }
    }

    @Test(arguments: Engine.allCases, StorageConformance.checks)
    func `what one engine promises, all keep`(engine: Engine, check: ConformanceCheck) async throws {
        try await withTemporaryFolder { folder in
            try await check.run { try engine.makeDatabase(in: folder) }
        }
    }

    @Test func `no promise is checked twice under one name`() {
        let names = StorageConformance.checks.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 30)
    }
}
