import Foundation
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Rows of every table, from each engine to each.
@Suite struct `An imported database` {
    @Test(arguments: CopyEngine.pairs)
    func `has the rows of every table`(pair: CopyPair) async throws {
        try await withCopyFolder { folder in
            let (source, target) = (try await pair.from.open(in: folder), try await pair.to.open(in: folder))
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export").path
            let written = try await DatabaseExport(of: source, to: export, withKeys: true).run()
            let read = try await DatabaseImport(into: target, from: export).run()
            #expect(written == read)
            let (before, after) = (try await source.allRows(), try await target.allRows())
            for table in CopiedTables.all {
                #expect(before[table.name]?.isEmpty == false, "no samples of \(table.name)")
                #expect(before[table.name] == after[table.name], "\(table.name)")
            }
            try await source.close()
            try await target.close()
        }
    }

    /// The order of evidence about a purchase and all sequence numbers go on.
    @Test(arguments: CopyEngine.pairs)
    func `continues like the exported one`(pair: CopyPair) async throws {
        try await withCopyFolder { folder in
            let (source, target) = (try await pair.from.open(in: folder), try await pair.to.open(in: folder))
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export").path
            _ = try await DatabaseExport(of: source, to: export, withKeys: true).run()
            _ = try await DatabaseImport(into: target, from: export).run()
            try await StorageSamples.continue(source)
            try await StorageSamples.continue(target)
            #expect(try await source.allRows() == target.allRows())
            #expect(try await StorageSamples.evidence(source) == StorageSamples.evidence(target))
            try await source.close()
            try await target.close()
        }
    }

    @Test(arguments: CopyEngine.allCases)
    func `has no keys unless they were asked for`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let (source, target) = (try await engine.open(in: folder), try await engine.open(in: folder))
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export")
            _ = try await DatabaseExport(of: source, to: export.path, withKeys: false).run()
            let names = try FileManager.default.contentsOfDirectory(atPath: export.path)
            #expect(names.contains("evidence.ndjson") && !names.contains("api_keys.ndjson"))
            #expect(!names.contains("signing_keys.ndjson"))
            _ = try await DatabaseImport(into: target, from: export.path).run()
            let (before, after) = (try await source.allRows(), try await target.allRows())
            for table in CopiedTables.all {
                #expect(after[table.name] == (table.isSecret ? [] : before[table.name]), "\(table.name)")
            }
            try await source.close()
            try await target.close()
        }
    }

    @Test(arguments: CopyEngine.allCases)
    func `must be empty before`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let (source, target) = (try await engine.open(in: folder), try await engine.open(in: folder))
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export").path
            _ = try await DatabaseExport(of: source, to: export, withKeys: true).run()
            try await target.write { storage throws(StorageError) in try storage.save(.production) }
            let before = try await target.allRows()
            let code = try await storageCode { _ = try await DatabaseImport(into: target, from: export).run() }
            #expect(code == .databaseNotEmpty)
            #expect(try await target.allRows() == before)
            try await source.close()
            try await target.close()
        }
    }

    @Test func `is readable by its user only, as are the files`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export")
            _ = try await DatabaseExport(of: source, to: export.path, withKeys: true).run()
            func rights(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try rights(export.path) == 0o700)
            for name in try FileManager.default.contentsOfDirectory(atPath: export.path) {
                #expect(try rights(export.appendingPathComponent(name).path) == 0o600, "\(name)")
            }
            try await source.close()
        }
    }
}
