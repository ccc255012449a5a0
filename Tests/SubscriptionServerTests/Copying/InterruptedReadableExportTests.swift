import Foundation
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageSQLite
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionServer

/// A readable export that fails at every operation on the disk, the renames included, and runs again.
@Suite struct `An interrupted readable export` {
    /// The journal is on the disk before this operation, and names the first page.
    private static let afterFirstPage = 8

    @Test(arguments: CopyEngine.allCases, ReadableExport.Format.allCases)
    func `continues to the same files wherever it was interrupted`(
        engine: CopyEngine,
        format: ReadableExport.Format
    ) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            try await StorageSamples.fill(source)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            let disk = FailingDisk(failingAt: .max)
            _ = try await Self.inPages(of: source, to: undisturbed, format: format, disk: disk).run()
            let expected = try files(in: undisturbed)
            #expect(expected.count == ReadableTable.all.count)
            // Each file is written, flushed and renamed.
            #expect(disk.count >= 3 * ReadableTable.all.count)
            for number in 0..<disk.count {
                let export = folder.appendingPathComponent("interrupted \(number)")
                var isFinished = false
                // The second run is interrupted too, at another operation, unless it ends before.
                for index in [number, 2 + number / 2] {
                    let failing = FailingDisk(failingAt: index)
                    let code = try await storageCode {
                        _ = try await Self.inPages(of: source, to: export, format: format, disk: failing).run()
                    }
                    isFinished = code == nil
                    guard !isFinished else { break }
                    #expect(code == .exportDiskFull)
                    let left = try FileManager.default.contentsOfDirectory(atPath: export.path)
                    #expect(left.contains { $0.hasSuffix(".partial") }, "an incomplete export does not look complete")
                }
                if !isFinished { _ = try await Self.inPages(of: source, to: export, format: format).run() }
                #expect(try files(in: export) == expected, "interrupted at \(number)")
                let again = try await storageCode {
                    _ = try await Self.inPages(of: source, to: export, format: format).run()
                }
                #expect(again == .exportFinished)
                try FileManager.default.removeItem(at: export)
            }
            try await source.close()
        }
    }

    @Test(arguments: ReadableExport.Format.allCases)
    func `writes no signed input again that its journal names`(format: ReadableExport.Format) async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let counting = FailingDisk(failingAt: .max)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            _ = try await Self.inPages(of: source, to: undisturbed, format: format, disk: counting).run()
            var kept: Set<Int> = []
            // The first three operations write the empty journal.
            for number in 3..<counting.count {
                let export = folder.appendingPathComponent("interrupted \(number)")
                try await Self.interrupt(source, export, format, at: number)
                let position = try Self.journal(in: export, format).evidence
                let disk = FailingDisk(failingAt: .max)
                _ = try await Self.inPages(of: source, to: export, format: format, disk: disk).run()
                #expect(disk.lowestOffsets["evidence.\(format.rawValue).partial"] == position?.bytes ?? 0)
                kept.insert(position?.rows ?? 0)
            }
            // Two apps with 40 signed inputs each, in pages of 30.
            #expect(kept == [0, 30, 40, 70, 80])
            try await source.close()
        }
    }

    /// The file of evidence may end anywhere, in a quoted line end too, or in zeros after a power failure.
    @Test(arguments: ReadableExport.Format.allCases)
    func `cuts off what follows the last row of its journal`(format: ReadableExport.Format) async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            let app = AppID(bundleID: "com.example.lines", environment: .production)
            try await Self.addEvidence("first", type: "\"line\r\nend\",\n", of: app, to: source)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            _ = try await Self.inPages(of: source, to: undisturbed, format: format).run()
            let expected = try files(in: undisturbed)
            let name = "evidence.\(format.rawValue)"
            let evidence = try #require(expected[name])
            let interrupted = folder.appendingPathComponent("interrupted")
            try await Self.interrupt(source, interrupted, format, at: Self.afterFirstPage)
            let position = try #require(try Self.journal(in: interrupted, format).evidence)
            #expect(position.rows == 30)
            #expect(position.bytes < evidence.count)
            let journal = try #require(try files(in: interrupted)[ReadableJournal.name])
            var beginnings: [Data] = stride(from: 0, to: evidence.count, by: 97).map { length in
                evidence.prefix(length) + Data(repeating: 0, count: length % 3)
            }
            // A file that was changed is written again.
            beginnings.append(Data([0]) + evidence.dropFirst())
            for (number, beginning) in beginnings.enumerated() {
                let export = folder.appendingPathComponent("export \(number)")
                try FileManager.default.createDirectory(at: export, withIntermediateDirectories: true)
                try journal.write(to: export.appendingPathComponent(ReadableJournal.name))
                try beginning.write(to: export.appendingPathComponent("\(name).partial"))
                _ = try await Self.inPages(of: source, to: export, format: format).run()
                #expect(try files(in: export) == expected, "\(beginning.count) bytes")
                try FileManager.default.removeItem(at: export)
            }
            try await source.close()
        }
    }

    @Test func `is never continued with another database, in another format, or as another export`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let empty = try await CopyEngine.sqlite.open(in: folder)
            // Other signed inputs with the same sequence numbers.
            let other = try await CopyEngine.sqlite.open(in: folder)
            let rows = try await source.allRows()["evidence"] ?? []
            for case .string(let app) in Set(rows.map { $0[0] }) {
                try await Self.addEvidence("other", type: nil, of: AppID(rawValue: app), to: other)
            }
            let export = folder.appendingPathComponent("export")
            try await Self.interrupt(source, export, .csv, at: Self.afterFirstPage)
            let before = try files(in: export)
            for (database, format) in [(empty, ReadableExport.Format.csv), (other, .csv), (source, .ndjson)] {
                let code = try await storageCode {
                    _ = try await Self.inPages(of: database, to: export, format: format).run()
                }
                #expect(code == .exportFolderInUse)
            }
            let archive = try await storageCode {
                _ = try await DatabaseExport(of: source, to: export.path, withKeys: false).run()
            }
            #expect(archive == .exportFolderInUse)
            #expect(try files(in: export) == before)
            // The journal alone names the format too.
            try FileManager.default.removeItem(at: export.appendingPathComponent("evidence.csv.partial"))
            let code = try await storageCode {
                _ = try await Self.inPages(of: source, to: export, format: .ndjson).run()
            }
            #expect(code == .exportFolderInUse)
            _ = try await Self.inPages(of: source, to: export, format: .csv).run()
            let fresh = folder.appendingPathComponent("fresh")
            _ = try await Self.inPages(of: source, to: fresh, format: .csv).run()
            #expect(try files(in: export) == files(in: fresh))
            for database in [source, empty, other] { try await database.close() }
        }
    }

    @Test func `has the rows of all apps that were added after the interruption, each once`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export")
            // After the first page of the second app.
            try await Self.interrupt(source, export, .ndjson, at: Self.afterFirstPage + 10)
            #expect(try Self.journal(in: export, .ndjson).evidence?.rows == 70)
            try await StorageSamples.continue(source)
            _ = try await Self.inPages(of: source, to: export, format: .ndjson).run()
            let fresh = folder.appendingPathComponent("fresh")
            _ = try await Self.inPages(of: source, to: fresh, format: .ndjson).run()
            var (continued, expected) = (try files(in: export), try files(in: fresh))
            let lines = [continued, expected].map { files in
                (files["evidence.ndjson"] ?? Data()).split(separator: UInt8(ascii: "\n")).map { Array($0) }
            }
            #expect(lines[0].count == 120)
            // The new rows of the first app are at the end of the continued file.
            #expect(lines[0] != lines[1])
            #expect(Set(lines[0]) == Set(lines[1]))
            continued["evidence.ndjson"] = nil
            expected["evidence.ndjson"] = nil
            #expect(continued == expected)
            try await source.close()
        }
    }

    /// An erasure changes stored events, but no signed input.
    @Test(arguments: ReadableExport.Format.allCases)
    func `names nobody who was erased after the interruption`(format: ReadableExport.Format) async throws {
        try await withCopyFolder { folder in
            let source = try SQLiteDatabase.open(path: folder.appendingPathComponent("perennial.db").path)
            let server = try await ServerFixture(database: source)
            func buy(_ number: Int) async throws {
                let id = "20000000000000\(number)"
                let period = try server.apple.sign(SignedApple.period(id: id, original: id))
                _ = try await server.submit(period, customer: "person-\(number)")
            }
            for number in 10..<50 { try await buy(number) }
            let counting = FailingDisk(failingAt: .max)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            _ = try await Self.inPages(of: source, to: undisturbed, format: format, disk: counting).run()
            let events = "events.\(format.rawValue)"
            #expect(try files(in: undisturbed)[events]?.range(of: Data("person-12".utf8)) != nil)
            // All files are written, and none has its name.
            let export = folder.appendingPathComponent("export")
            let renames = ReadableTable.all.count
            try await Self.interrupt(source, export, format, at: counting.count - renames - 1)
            #expect(try files(in: export)["\(events).partial"] != nil)
            try await buy(50)
            _ = try await server.send(.delete, "/v1/customers/person-12")
            let disk = FailingDisk(failingAt: .max)
            _ = try await Self.inPages(of: source, to: export, format: format, disk: disk).run()
            #expect(disk.lowestOffsets["evidence.\(format.rawValue).partial"] ?? 0 > 0)
            let finished = try files(in: export)
            for (name, content) in finished { #expect(content.range(of: Data("person-12".utf8)) == nil, "\(name)") }
            #expect(finished[events]?.range(of: Data("person-50".utf8)) != nil)
            let fresh = folder.appendingPathComponent("fresh")
            _ = try await Self.inPages(of: source, to: fresh, format: format).run()
            #expect(try files(in: fresh) == finished)
            try await source.close()
        }
    }

    /// What an interrupted run left is of an earlier moment.
    @Test func `has every row of its own moment after an interruption between two renames`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            let counting = FailingDisk(failingAt: .max)
            let first = folder.appendingPathComponent("empty")
            _ = try await Self.inPages(of: source, to: first, format: .ndjson, disk: counting).run()
            let export = folder.appendingPathComponent("export")
            // The last operation removes the journal.
            try await Self.interrupt(source, export, .ndjson, at: counting.count - 2)
            #expect(try files(in: export).keys.contains("customers.ndjson"))
            try await StorageSamples.fill(source)
            _ = try await Self.inPages(of: source, to: export, format: .ndjson).run()
            let fresh = folder.appendingPathComponent("fresh")
            _ = try await Self.inPages(of: source, to: fresh, format: .ndjson).run()
            #expect(try files(in: export) == files(in: fresh))
            #expect(try files(in: export)["customers.ndjson"]?.isEmpty == false)
            try await source.close()
        }
    }
}

extension `An interrupted readable export` {
    /// An export in small pages, whose journal is written after each page.
    private static func inPages(
        of database: any CopyableDatabase,
        to folder: URL,
        format: ReadableExport.Format,
        disk: any ExportDisk = FileSystemDisk()
    ) -> ReadableExport {
        var export = ReadableExport(of: database, to: folder.path, format: format, disk: disk)
        export.page = CopiedPage.Limit(rowsMax: 30)
        export.journaledBytes = 1
        return export
    }

    /// Runs an export that fails with an operation of this number.
    private static func interrupt(
        _ database: any CopyableDatabase,
        _ folder: URL,
        _ format: ReadableExport.Format,
        at number: Int
    ) async throws {
        let disk = FailingDisk(failingAt: number)
        let code = try await storageCode {
            _ = try await inPages(of: database, to: folder, format: format, disk: disk).run()
        }
        #expect(code == .exportDiskFull)
    }

    private static func journal(in folder: URL, _ format: ReadableExport.Format) throws -> ReadableJournal {
        let text = try #require(try files(in: folder)[ReadableJournal.name])
        return try ReadableJournal(text: Array(text), of: format)
    }

    /// Adds 40 signed inputs.
    private static func addEvidence(
        _ name: String,
        type: String?,
        of app: AppID,
        to database: any CopyableDatabase
    ) async throws {
        try await database.write { storage throws(StorageError) in
            for number in 0..<40 {
                let evidence = EvidenceRecord(
                    appID: app,
                    id: EvidenceID("notification:\(name) \(number)"),
                    kind: .notification,
                    signedAt: Timestamp(milliseconds: 1),
                    receivedAt: Timestamp(milliseconds: 2),
                    signedBytes: Array("header.\(StorageSamples.notification).\(name) \(number)".utf8),
                    type: type
                )
                _ = try storage.insert(evidence)
            }
        }
    }
}
