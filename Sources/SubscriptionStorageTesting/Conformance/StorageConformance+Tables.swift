import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let tableChecks = [
        ConformanceCheck("rows of described tables are saved, added, removed and found as in the reference") {
            database in
            try expectEqual(
                Set(SampledTables.all.map { $0.table.name }),
                Set(StoredTables.all.map { $0.table.name }),
                "tables with samples"
            )
            for type in SampledTables.all { try await expectLikeReference(type, database) }
        },
        ConformanceCheck("a transaction that fails leaves the rows of described tables as they were") { database in
            for type in SampledTables.all { try await expectRolledBack(type, database) }
        },
        ConformanceCheck("any number of look-ups in one call finds each row") { database in
            let stored = [7, 2_500, 4_999].map { number in
                var refund = Refund.sample(number)
                refund.purchaseID = OriginalTransactionID("\(number)")
                return refund
            }
            try await database.write { storage throws(StorageError) in
                for refund in stored { try storage.save(refund, of: Samples.app) }
            }
            let found = try await database.read { storage throws(StorageError) in
                try storage.refunds(of: (0..<5_000).map { OriginalTransactionID("\($0)") }, app: Samples.app)
            }
            try expectEqual(found.flatMap(\.refunds), stored, "the refunds of 5,000 purchases")
            try expectEqual(found[2_500].refunds, [stored[1]], "the refunds in order")
        },
        ConformanceCheck("audit entries are listed newest first, by page and by what was changed") { database in
            let entries = (0..<5).map { entry($0, at: Int64($0 / 2), about: $0 == 3 ? "app" : "customer:u_1") }
            try await database.write { storage throws(StorageError) in
                for entry in entries { try storage.insert(entry, of: Samples.app) }
                try storage.insert(entry(9, at: 9, about: "app"), of: Samples.otherApp)
            }
            let all = try await pages(about: nil, database)
            try expectEqual(all, [[entries[4], entries[3]], [entries[2], entries[1]], [entries[0]]], "the pages")
            let ofCustomer = try await pages(about: "customer:u_1", database)
            try expectEqual(
                ofCustomer,
                [[entries[4], entries[2]], [entries[1], entries[0]]],
                "the pages about a customer"
            )
        },
    ]

    private static func entry(_ number: Int, at time: Int64, about target: String) -> AuditEntry {
        AuditEntry(
            id: AuditEntryID(rawValue: "aud_\(number)"),
            occurredAt: Samples.time(time),
            actor: "perennial keys",
            action: "key.created",
            target: target
        )
    }

    private static func pages(about target: String?, _ database: any SubscriptionDatabase) async throws
        -> [[AuditEntry]]
    {
        try await database.read { storage throws(StorageError) in
            var pages: [[AuditEntry]] = []
            while true {
                let last = pages.last?.last
                let page = try storage.auditEntries(of: Samples.app, about: target, before: last, limit: 2)
                if page.isEmpty { return pages }
                pages.append(page)
            }
        }
    }

    // MARK: Against the reference

    /// Changes the engine and the reference in the same way, and compares all look-ups after each step: in the same
    /// transaction and in the next one.
    private static func expectLikeReference<Record: SampledRecord>(
        _ type: Record.Type,
        _ database: any SubscriptionDatabase
    ) async throws {
        let reference = InMemoryDatabase()
        for step in 0..<40 {
            let found = try await changed(type, step, database)
            let expected = try await changed(type, step, reference)
            try expectEqual(found, expected, "rows of \(type.table.name) in step \(step)")
            let next = try await lookedUp(type, step, database)
            try expectEqual(next, expected, "rows of \(type.table.name) after step \(step)")
        }
    }

    /// Looks up, changes a row, and looks up again.
    private static func changed<Record: SampledRecord>(
        _ type: Record.Type,
        _ step: Int,
        _ database: any SubscriptionDatabase
    ) async throws -> [[Record]] {
        try await database.write { storage throws(StorageError) in
            let lookups = try lookups(of: type, step)
            for lookup in lookups { _ = try storage.rows(of: type, lookup) }
            let app = app(of: type, step)
            switch step % 5 {
            case 0, 1: try storage.insert(once: type.sample(number(step)), in: app)
            case 2: try storage.save(type.sample(number(step)), in: app)
            case 3: try update(to: type.sample(number(step)), in: app, storage)
            default: try storage.remove(type, lookups[step % lookups.count])
            }
            return try storage.rows(of: type, lookups)
        }
    }

    /// Changes the row with a key where there is one, and adds it otherwise.
    private static func update<Record: SampledRecord>(
        to record: Record,
        in app: AppID?,
        _ storage: any StorageWriting
    ) throws(StorageError) {
        guard let previous = try storage.row(of: Record.self, key: try key(of: record), in: app) else {
            return try storage.save(record, in: app)
        }
        try storage.update(record, from: previous, in: app)
    }

    private static func lookedUp<Record: SampledRecord>(
        _ type: Record.Type,
        _ step: Int,
        _ database: any SubscriptionDatabase
    ) async throws -> [[Record]] {
        try await database.read { storage throws(StorageError) in
            var found: [[Record]] = []
            for lookup in try lookups(of: type, step) { found.append(try storage.rows(of: type, lookup)) }
            return found
        }
    }

    private static func expectRolledBack<Record: SampledRecord>(
        _ type: Record.Type,
        _ database: any SubscriptionDatabase
    ) async throws {
        let app = app(of: type, 0)
        try await database.write { storage throws(StorageError) in try storage.save(type.sample(1), in: app) }
        try await expectError(.failed, "the error of the body") {
            try await database.write { storage throws(StorageError) in
                try storage.save(type.sample(2), in: app)
                try storage.remove(type, TableLookup(of: app, equal: try key(of: type.sample(1))))
                throw StorageError(.failed, "for the check", isRetryable: false)
            }
        }
        let stored = try await database.read { storage throws(StorageError) in
            try storage.rows(of: type, TableLookup(of: app))
        }
        try expectEqual(stored, [type.sample(1)], "rows of \(type.table.name)")
    }

    /// The sample of a step. The factor shares no divisor with the numbers of values that samples choose from, so
    /// that each value comes.
    private static func number(_ step: Int) -> Int { step * 23 }

    private static func app<Record: TableRecord>(of type: Record.Type, _ step: Int) -> AppID? {
        guard type.table.scope == .app else { return nil }
        return step % 7 == 6 ? Samples.otherApp : Samples.app
    }

    private static func key<Record: TableRecord>(of record: Record) throws(StorageError) -> [ColumnValue] {
        Record.table.values(of: Record.table.key, in: try record.columns)
    }

    /// Look-ups by the key and by each index with no, all but one, and all columns given; in both orders, with a
    /// cursor, an end and a limit.
    private static func lookups<Record: SampledRecord>(
        of type: Record.Type,
        _ step: Int
    ) throws(StorageError) -> [TableLookup] {
        let row = try type.sample(number(step)).columns
        let app = app(of: type, step)
        var lookups: [TableLookup] = []
        for index in [nil] + type.table.indexes.map(Optional.some) {
            let values = type.table.values(of: index?.columns ?? type.table.key, in: row)
            for count in 0...values.count {
                var lookup = TableLookup(of: app, by: index, equal: Array(values.prefix(count)))
                lookups.append(lookup)
                guard count < values.count, !values.dropFirst(count).contains(.null) else { continue }
                lookup.order = step.isMultiple(of: 2) ? .ascending : .descending
                lookup.after = Array(values.dropFirst(count))
                lookups.append(lookup)
                lookup.limit = 2
                lookups.append(lookup)
                lookup.after = []
                lookup.through = values[count]
                lookups.append(lookup)
            }
        }
        return lookups
    }
}
