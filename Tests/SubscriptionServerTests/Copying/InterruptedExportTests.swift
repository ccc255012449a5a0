import Foundation
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// An export that fails at every operation on the disk, and runs again.
@Suite struct `An interrupted export` {
    @Test(arguments: CopyEngine.allCases)
    func `continues to the same files wherever it was interrupted`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            try await StorageSamples.fill(source)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            let disk = FailingDisk(failingAt: .max)
            _ = try await DatabaseExport(of: source, to: undisturbed.path, withKeys: true, disk: disk).run()
            let expected = try files(in: undisturbed)
            #expect(disk.count > 2 * CopiedTables.all.count)
            for number in 0..<disk.count {
                let export = folder.appendingPathComponent("interrupted \(number)")
                let failing = DatabaseExport(
                    of: source,
                    to: export.path,
                    withKeys: true,
                    disk: FailingDisk(failingAt: number)
                )
                let code = try await storageCode { _ = try await failing.run() }
                #expect(code == .exportDiskFull)
                let isRefused = try await storageCode { _ = try DatabaseImport.check(export.path) }
                #expect(isRefused == .exportIncomplete)
                _ = try await DatabaseExport(of: source, to: export.path, withKeys: true).run()
                #expect(try files(in: export) == expected, "interrupted at \(number)")
                try FileManager.default.removeItem(at: export)
            }
            try await source.close()
        }
    }

    /// The file of evidence may end anywhere, or in zeros after a power failure.
    @Test func `continues after the last whole line of evidence`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let undisturbed = folder.appendingPathComponent("undisturbed")
            _ = try await DatabaseExport(of: source, to: undisturbed.path, withKeys: true).run()
            let expected = try files(in: undisturbed)
            let evidence = try #require(expected["evidence.ndjson"])
            for length in stride(from: 0, to: evidence.count, by: 97) {
                let export = folder.appendingPathComponent("export \(length)")
                try FileManager.default.createDirectory(at: export, withIntermediateDirectories: true)
                try #require(expected["export.json"]).write(to: export.appendingPathComponent("export.json"))
                let zeros = Data(repeating: 0, count: length % 3)
                try (evidence.prefix(length) + zeros)
                    .write(to: export.appendingPathComponent("evidence.ndjson.partial"))
                _ = try await DatabaseExport(of: source, to: export.path, withKeys: true).run()
                #expect(try files(in: export) == expected, "\(length) bytes")
                try FileManager.default.removeItem(at: export)
            }
            try await source.close()
        }
    }

    @Test func `is never continued with another database, other options, or over other files`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let other = try await CopyEngine.sqlite.open(in: folder)
            let export = folder.appendingPathComponent("export").path
            let half = FailingDisk(failingAt: 12)
            let code = try await storageCode {
                _ = try await DatabaseExport(of: source, to: export, withKeys: true, disk: half).run()
            }
            #expect(code == .exportDiskFull)
            for (database, withKeys) in [(source, false), (other, true)] {
                let code = try await storageCode {
                    _ = try await DatabaseExport(of: database, to: export, withKeys: withKeys).run()
                }
                #expect(code == .exportFolderInUse)
            }
            _ = try await DatabaseExport(of: source, to: export, withKeys: true).run()
            let again = try await storageCode {
                _ = try await DatabaseExport(of: source, to: export, withKeys: true).run()
            }
            #expect(again == .exportFinished)
            let foreign = try await storageCode {
                _ = try await DatabaseExport(of: source, to: folder.path, withKeys: true).run()
            }
            #expect(foreign == .exportFolderInUse)
            try await source.close()
            try await other.close()
        }
    }

    /// Each transaction adds one signed input, one event and one version of a customer.
    @Test(arguments: CopyEngine.allCases)
    func `shows one moment while others write`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            let export = folder.appendingPathComponent("export").path
            // Each app has its own sequence of signed inputs.
            let apps = [ServerFixture.app, AppID(bundleID: ServerFixture.bundle, environment: .sandbox)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<2 {
                    group.addTask {
                        var number = 0
                        while !Task.isCancelled {
                            try await Self.addOne("\(writer).\(number)", of: apps[writer], to: source)
                            number += 1
                        }
                    }
                }
                try await ServerFixture.until { try await source.allRows()["evidence"]?.isEmpty == false }
                // Interrupted exports, between the writes of others.
                for number in stride(from: 3, through: 60, by: 4) {
                    _ = try await storageCode {
                        let disk = FailingDisk(failingAt: number)
                        _ = try await DatabaseExport(of: source, to: export, withKeys: true, disk: disk).run()
                    }
                }
                if try await storageCode({ _ = try DatabaseImport.check(export) }) != nil {
                    _ = try await DatabaseExport(of: source, to: export, withKeys: true).run()
                }
                group.cancelAll()
                while !group.isEmpty { do { try await group.next() } catch {} }
            }
            let target = try await engine.open(in: folder)
            _ = try await DatabaseImport(into: target, from: export).run()
            let rows = try await target.allRows()
            let events = try #require(rows["events"]).count
            #expect(events > 0)
            #expect(rows["evidence"]?.count == events)
            let versions = (rows["customers"] ?? []).reduce(Int64(0)) { sum, row in
                guard case .number(let version) = row[3] else { return sum }
                return sum + version
            }
            #expect(versions == Int64(events))
            try await source.close()
            try await target.close()
        }
    }

    private static func addOne(_ name: String, of app: AppID, to database: any CopyableDatabase) async throws {
        let evidence = EvidenceRecord(
            appID: app,
            id: EvidenceID("notification:\(name)"),
            kind: .notification,
            signedAt: Timestamp(milliseconds: 1),
            receivedAt: Timestamp(milliseconds: 2),
            signedBytes: Array("header.payload.\(name)".utf8),
            purchaseID: OriginalTransactionID("1")
        )
        let event = SubscriptionEvent(
            kind: .started,
            occurredAt: Timestamp(milliseconds: 1),
            purchaseID: OriginalTransactionID("1"),
            productID: ProductID("pro")
        )
        try await database.write { storage throws(StorageError) in
            let id = CustomerID("u_1")
            var customer =
                try storage.customer(id, of: app)
                ?? CustomerRecord(id: id, firstSeenAt: Timestamp(milliseconds: 1), stateVersion: 0)
            customer.stateVersion += 1
            try storage.save(customer, of: app)
            _ = try storage.insert(evidence)
            try storage.append([event], customer: customer, recordedAt: Timestamp(milliseconds: 2), app: app)
        }
    }
}
