import Foundation
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

@testable import SubscriptionServer

/// A readable export that fails at every possible place, the renames included, and runs again.
@Suite struct `An interrupted readable export` {
    @Test(arguments: CopyEngine.allCases, ReadableExport.Format.allCases)
    func `begins again with the same command wherever it was interrupted`(
        engine: CopyEngine,
        format: ReadableExport.Format
    ) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            try await StorageSamples.fill(source)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            let disk = FailingDisk(failingAt: .max)
            _ = try await ReadableExport(of: source, to: undisturbed.path, format: format, disk: disk).run()
            let expected = try files(in: undisturbed)
            #expect(expected.count == ReadableTable.all.count)
            // Each file is written, flushed and renamed.
            #expect(disk.count >= 3 * ReadableTable.all.count)
            for number in 0..<disk.count {
                let export = folder.appendingPathComponent("interrupted \(number)").path
                // The second run is interrupted too, one step later.
                for place in [number, number + 1] where place < disk.count {
                    let failing = ReadableExport(
                        of: source,
                        to: export,
                        format: format,
                        disk: FailingDisk(failingAt: place)
                    )
                    let code = try await storageCode { _ = try await failing.run() }
                    #expect(code == .exportDiskFull)
                    let left = try FileManager.default.contentsOfDirectory(atPath: export)
                    #expect(Set(left) != Set(expected.keys), "an incomplete export does not look complete")
                }
                _ = try await ReadableExport(of: source, to: export, format: format).run()
                #expect(try files(in: URL(fileURLWithPath: export)) == expected, "interrupted at \(number)")
                let again = try await storageCode {
                    _ = try await ReadableExport(of: source, to: export, format: format).run()
                }
                #expect(again == .exportFinished)
                try FileManager.default.removeItem(atPath: export)
            }
            try await source.close()
        }
    }

    /// What an interrupted run left is of an earlier moment.
    @Test func `has every row of its own moment after an interruption between two renames`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            let counting = FailingDisk(failingAt: .max)
            let first = folder.appendingPathComponent("empty").path
            _ = try await ReadableExport(of: source, to: first, format: .ndjson, disk: counting).run()
            let export = folder.appendingPathComponent("export")
            let failing = FailingDisk(failingAt: counting.count - 1)
            let code = try await storageCode {
                _ = try await ReadableExport(of: source, to: export.path, format: .ndjson, disk: failing).run()
            }
            #expect(code == .exportDiskFull)
            #expect(try files(in: export).keys.contains("customers.ndjson"))
            try await StorageSamples.fill(source)
            _ = try await ReadableExport(of: source, to: export.path, format: .ndjson).run()
            let fresh = folder.appendingPathComponent("fresh")
            _ = try await ReadableExport(of: source, to: fresh.path, format: .ndjson).run()
            #expect(try files(in: export) == files(in: fresh))
            #expect(try files(in: export)["customers.ndjson"]?.isEmpty == false)
            try await source.close()
        }
    }

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
