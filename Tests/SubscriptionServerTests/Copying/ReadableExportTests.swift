import Foundation
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionServer

/// Readable files are only written into a folder of their own.
@Suite struct `A readable export` {
    @Test(arguments: ReadableExport.Format.allCases)
    func `is never written over a finished export of which a file was moved away`(
        format: ReadableExport.Format
    ) async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            let export = folder.appendingPathComponent("export")
            _ = try await ReadableExport(of: source, to: export.path, format: format).run()
            let moved = "customers.\(format.rawValue)"
            try FileManager.default.moveItem(
                at: export.appendingPathComponent(moved),
                to: folder.appendingPathComponent(moved)
            )
            let before = try files(in: export)
            #expect(before.count == ReadableTable.all.count - 1)
            try await StorageSamples.fill(source)
            let error = await #expect(throws: StorageError.self) {
                _ = try await ReadableExport(of: source, to: export.path, format: format).run()
            }
            #expect(error?.code == .exportFinished)
            #expect(error?.message.contains("without \(moved).") == true)
            #expect(try files(in: export) == before)
            try await source.close()
        }
    }

    @Test(arguments: CopyEngine.allCases, ReadableExport.Format.allCases)
    func `names a signed input that cannot be read`(engine: CopyEngine, format: ReadableExport.Format) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            let damaged = EvidenceRecord(
                appID: AppID(bundleID: "com.example.damaged", environment: .production),
                id: EvidenceID("transaction:damaged"),
                kind: .transaction,
                signedAt: Timestamp(milliseconds: 1),
                receivedAt: Timestamp(milliseconds: 2),
                signedBytes: Array("e30.e30.AA".utf8)
            )
            try await source.write { storage throws(StorageError) in _ = try storage.insert(damaged) }
            let export = folder.appendingPathComponent("export").path
            let error = await #expect(throws: StorageError.self) {
                _ = try await ReadableExport(of: source, to: export, format: format).run()
            }
            #expect(error?.code == .corrupt)
            let name = "transaction:damaged of app com.example.damaged/production with sequence number 1"
            #expect(error?.message.contains(name) == true)
            try await source.close()
        }
    }

    @Test func `has a column of CSV for each field of NDJSON`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            for format in ReadableExport.Format.allCases {
                let export = folder.appendingPathComponent(format.rawValue)
                _ = try await ReadableExport(of: source, to: export.path, format: format).run()
            }
            for table in ReadableTable.all.map(\.table.name) {
                let csv = try lines(of: folder.appendingPathComponent("csv/\(table).csv"))
                let columns = Set(try #require(csv.first).split(separator: ",").map(String.init))
                let rows = try lines(of: folder.appendingPathComponent("ndjson/\(table).ndjson"))
                var fields: Set<String> = []
                for row in rows {
                    let object = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
                    fields.formUnion(try #require(object).keys)
                }
                #expect(!fields.isEmpty)
                // The name of the type is the same in each row.
                #expect(fields.subtracting(columns).subtracting(["object"]) == [])
            }
            try await source.close()
        }
    }

    private func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test func `is never written over other files, or over an export in another format`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            let export = folder.appendingPathComponent("export").path
            _ = try await ReadableExport(of: source, to: export, format: .csv).run()
            let other = try await storageCode {
                _ = try await ReadableExport(of: source, to: export, format: .ndjson).run()
            }
            #expect(other == .exportFolderInUse)
            try Data().write(to: URL(fileURLWithPath: export).appendingPathComponent("notes.txt"))
            let foreign = try await storageCode {
                _ = try await ReadableExport(of: source, to: export, format: .csv).run()
            }
            #expect(foreign == .exportFolderInUse)
            try await source.close()
        }
    }
}
