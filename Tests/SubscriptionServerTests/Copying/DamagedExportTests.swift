import Crypto
import Foundation
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Exports that are not as they were written.
@Suite struct `A damaged export` {
    /// Each file of an export, and a change of it.
    private enum Damage: CaseIterable {
        case removed, empty, oneBit, lineRemoved, lineRepeated, linesSwapped, cutOff, longer
    }

    @Test(arguments: CopyEngine.allCases)
    func `is refused, and the database stays empty`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export")
            let manifest = try await DatabaseExport(of: source, to: export.path, withKeys: true).run()
            let target = try await engine.open(in: folder)
            for table in manifest.tables {
                let file = export.appendingPathComponent(table.file)
                let whole = try Data(contentsOf: file)
                for damage in Damage.allCases {
                    guard let damaged = Self.damaged(whole, damage) else { continue }
                    try FileManager.default.removeItem(at: file)
                    if damage != .removed { try damaged.write(to: file) }
                    let code = try await storageCode {
                        _ = try await DatabaseImport(into: target, from: export.path).run()
                    }
                    #expect(code == .exportDamaged, "\(table.name), \(damage)")
                    if damage == .removed { try whole.write(to: file) }
                }
                try whole.write(to: file)
            }
            #expect(try await target.allRows().values.allSatisfy(\.isEmpty))
            _ = try await DatabaseImport(into: target, from: export.path).run()
            try await source.close()
            try await target.close()
        }
    }

    /// A manifest that describes the wrong rows correctly: only the rows show it, in the middle of the transaction.
    @Test(arguments: CopyEngine.allCases)
    func `is rolled back when a row cannot be read`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            try await StorageSamples.fill(source)
            let export = folder.appendingPathComponent("export")
            let target = try await engine.open(in: folder)
            let manifest = try await DatabaseExport(of: source, to: export.path, withKeys: true).run()
            let file = export.appendingPathComponent("events.ndjson")
            let whole = try String(contentsOf: file, encoding: .utf8)
            let wrong = [
                whole.replacingOccurrences(of: "\"recorded_at\":", with: "\"recorded\":"),
                whole.replacingOccurrences(of: "\"sequence\":1,", with: "\"sequence\":\"1\","),
                whole.split(separator: "\n").first.map { "\($0)\n" + whole } ?? "",
                whole + "{}\n",
                String(whole.dropLast()),
            ]
            for text in wrong {
                #expect(text != whole)
                try Data(text.utf8).write(to: file)
                try manifest.rewritten(in: export, events: Data(text.utf8))
                let code = try await storageCode {
                    _ = try await DatabaseImport(into: target, from: export.path).run()
                }
                #expect(code == .exportDamaged)
                #expect(try await target.allRows().values.allSatisfy(\.isEmpty))
            }
            try await source.close()
            try await target.close()
        }
    }

    @Test func `of another version or without a manifest is refused`() async throws {
        try await withCopyFolder { folder in
            let source = try await CopyEngine.sqlite.open(in: folder)
            let export = folder.appendingPathComponent("export")
            _ = try await DatabaseExport(of: source, to: export.path, withKeys: false).run()
            let manifest = export.appendingPathComponent("manifest.json")
            let text = try String(contentsOf: manifest, encoding: .utf8)
            let step = "\"schema_step\":\(CopiedTables.schemaStep)"
            #expect(text.contains(step))
            let changes: [(String, StorageError.Code)] = [
                (text.replacingOccurrences(of: step, with: "\"schema_step\":1"), .exportOfOtherVersion),
                (
                    text.replacingOccurrences(of: "\"format_version\":1", with: "\"format_version\":2"),
                    .exportOfOtherVersion
                ),
                (text.replacingOccurrences(of: "perennial-export", with: "other"), .exportDamaged),
                (text.replacingOccurrences(of: "\"name\":\"events\"", with: "\"name\":\"../x\""), .exportDamaged),
                ("[]", .exportDamaged), ("", .exportDamaged),
            ]
            for (changed, expected) in changes {
                try Data(changed.utf8).write(to: manifest)
                let code = try await storageCode { _ = try DatabaseImport.check(export.path) }
                #expect(code == expected)
            }
            try FileManager.default.removeItem(at: manifest)
            let code = try await storageCode { _ = try DatabaseImport.check(export.path) }
            #expect(code == .exportIncomplete)
            try await source.close()
        }
    }

    private static func damaged(_ whole: Data, _ damage: Damage) -> Data? {
        var lines = whole.split(separator: UInt8(ascii: "\n")).map { Data($0 + [UInt8(ascii: "\n")]) }
        switch damage {
        case .removed: return whole
        case .empty: return whole.isEmpty ? nil : Data()
        case .oneBit:
            guard !whole.isEmpty else { return nil }
            var bytes = [UInt8](whole)
            bytes[bytes.count / 2] ^= 1
            return Data(bytes)
        case .lineRemoved:
            guard !lines.isEmpty else { return nil }
            lines.remove(at: lines.count / 2)
        case .lineRepeated:
            guard let line = lines.first else { return nil }
            lines.insert(line, at: 0)
        case .linesSwapped:
            guard lines.count > 1 else { return nil }
            lines.swapAt(0, 1)
        case .cutOff:
            guard !whole.isEmpty else { return nil }
            return whole.dropLast()
        case .longer: return whole + Data("{}\n".utf8)
        }
        return lines.reduce(Data(), +)
    }
}

extension ExportManifest {
    /// Writes a manifest that describes other events.
    fileprivate func rewritten(in folder: URL, events: Data) throws {
        let file = folder.appendingPathComponent("manifest.json")
        let old = try #require(tables.first { $0.name == "events" })
        var text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "{\"name\":\"events\""))
        let end = try #require(text.range(of: "}", range: start.upperBound..<text.endIndex))
        let hash = SHA256.hash(data: events).map { String(format: "%02x", $0) }.joined()
        text.replaceSubrange(
            start.lowerBound..<end.upperBound,
            with: """
                {"name":"events","file":"events.ndjson","rows":\(old.rows),"bytes":\(events.count),"sha256":"\(hash)"}
                """
        )
        try Data(text.utf8).write(to: file)
    }
}
