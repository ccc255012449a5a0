import Foundation
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Rows of any size are read in a bounded memory.
@Suite struct `The pages of an export` {
    @Test(arguments: CopyEngine.allCases)
    func `end after a number of rows or of bytes`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            try await StorageSamples.fill(source)
            let rows = try #require(try await source.allRows()[CopiedTables.evidence.name])
            let two = Self.bytes(of: rows[0]) + Self.bytes(of: rows[1])
            #expect(two > 2 && rows.count > 3)
            let limits: [(limit: CopiedPage.Limit, rows: Int, isFull: Bool)] = [
                (CopiedPage.Limit(rowsMax: 1), 1, true),
                (CopiedPage.Limit(rowsMax: 2), 2, true),
                (CopiedPage.Limit(rowsMax: rows.count), rows.count, true),
                (CopiedPage.Limit(rowsMax: rows.count + 1), rows.count, false),
                (CopiedPage.Limit(rowsMax: 1_000, bytesMax: 1), 1, true),
                (CopiedPage.Limit(rowsMax: 1_000, bytesMax: two - 1), 2, true),
                (CopiedPage.Limit(rowsMax: 1_000, bytesMax: two), 2, true),
                (CopiedPage.Limit(rowsMax: 1_000, bytesMax: two + 1), 3, true),
            ]
            for (limit, count, isFull) in limits {
                let page = try await source.readRows { reader throws(StorageError) in
                    try reader.page(of: CopiedTables.evidence, after: nil, limit: limit)
                }
                #expect(page.rows == Array(rows.prefix(count)), "\(limit)")
                #expect(page.isFull == isFull, "\(limit)")
            }
            try await source.close()
        }
    }

    @Test(arguments: CopyEngine.allCases)
    func `have all rows together, whatever ends them`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let source = try await engine.open(in: folder)
            try await StorageSamples.fill(source)
            let byRow = CopiedPage.Limit(rowsMax: 1_000, bytesMax: 1)
            #expect(try await source.allRows(limit: byRow) == source.allRows())
            let whole = folder.appendingPathComponent("whole")
            _ = try await DatabaseExport(of: source, to: whole.path, withKeys: true).run()
            let paged = folder.appendingPathComponent("paged")
            var export = DatabaseExport(of: source, to: paged.path, withKeys: true)
            export.page = byRow
            _ = try await export.run()
            #expect(try files(in: paged) == files(in: whole))
            try await source.close()
        }
    }

    /// The size of the texts and byte strings of a row.
    private static func bytes(of row: [ColumnValue]) -> Int {
        var sum = 0
        for value in row {
            switch value {
            case .string(let text): sum += text.utf8.count
            case .blob(let bytes): sum += bytes.count
            case .null, .number, .truth: continue
            }
        }
        return sum
    }
}
