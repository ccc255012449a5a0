import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let administrationChecks = [
        ConformanceCheck("apps are returned by identifier, and saving one again changes its Apple id") {
            database in
            let sandbox = AppRecord(bundleID: "com.example.b", environment: .sandbox, appleID: nil)
            let unnumbered = AppRecord(bundleID: "com.example.a", environment: .production, appleID: nil)
            let production = AppRecord(bundleID: "com.example.a", environment: .production, appleID: 6_448_000_000)
            try await database.write { storage throws(StorageError) in
                try storage.save(sandbox)
                try storage.save(unnumbered)
            }
            try await database.write { storage throws(StorageError) in try storage.save(production) }
            let apps = try await database.read { storage throws(StorageError) in try storage.apps() }
            try expectEqual(apps, [production, sandbox], "apps")
        },
        ConformanceCheck("an API key is found by its digest, and listed for its app oldest first") { database in
            let newer = key(digest: [1, 0, 255], app: Samples.app, createdAt: 20)
            let older = key(digest: [2], app: Samples.app, createdAt: 10)
            let foreign = key(digest: [3], app: Samples.otherApp, createdAt: 5)
            try await database.write { storage throws(StorageError) in
                for key in [newer, older, foreign] { try storage.insert(key) }
            }
            let read = try await database.read { storage throws(StorageError) in
                (
                    found: try storage.apiKey(digest: [1, 0, 255]), unknown: try storage.apiKey(digest: [1, 0]),
                    listed: try storage.apiKeys(of: Samples.app)
                )
            }
            try expectEqual(read.found, newer, "the key with the digest")
            try expectEqual(read.unknown, nil, "a key with another digest")
            try expectEqual(read.listed, [older, newer], "the keys of the app")
        },
        ConformanceCheck("an existing API key is not changed") { database in
            let first = key(digest: [1], app: Samples.app, createdAt: 1)
            let second = key(digest: [1], app: Samples.otherApp, createdAt: 2)
            try await database.write { storage throws(StorageError) in
                try storage.insert(first)
                try storage.insert(second)
            }
            let found = try await database.read { storage throws(StorageError) in try storage.apiKey(digest: [1]) }
            try expectEqual(found, first, "the key with the digest")
        },
        ConformanceCheck("a removed API key is not found any more, and may be inserted again") { database in
            let (taken, kept) = (
                key(digest: [1], app: Samples.app, createdAt: 1), key(digest: [2], app: Samples.app, createdAt: 2)
            )
            try await database.write { storage throws(StorageError) in
                for key in [taken, kept] { try storage.insert(key) }
                try storage.removeAPIKey(digest: [1], of: Samples.otherApp)
            }
            try expectEqual(try await keys(database), [taken, kept], "the keys after another app took one back")
            try await database.write { storage throws(StorageError) in
                try storage.removeAPIKey(digest: [1], of: Samples.app)
                try storage.removeAPIKey(digest: [3], of: Samples.app)
            }
            let found = try await database.read { storage throws(StorageError) in try storage.apiKey(digest: [1]) }
            try expectEqual(found, nil, "the key that was taken back")
            try expectEqual(try await keys(database), [kept], "the keys")
            try await database.write { storage throws(StorageError) in try storage.insert(taken) }
            try expectEqual(try await keys(database), [taken, kept], "the keys after it was inserted again")
        },
        ConformanceCheck("an entitlement keeps its products in order, and saving it again replaces them") { database in
            let pro = definition("pro", ["c", "a", "b"])
            let empty = definition("basic", [])
            try await database.write { storage throws(StorageError) in
                try storage.save(pro, of: Samples.app)
                try storage.save(empty, of: Samples.app)
                try storage.save(definition("other", ["z"]), of: Samples.otherApp)
            }
            let first = try await definitions(database)
            try expectEqual(first, [empty, pro], "the definitions")
            let shorter = definition("pro", ["b"], graceDays: 16)
            try await database.write { storage throws(StorageError) in try storage.save(shorter, of: Samples.app) }
            let second = try await definitions(database)
            try expectEqual(second, [empty, shorter], "the definitions after a change")
        },
        ConformanceCheck("customers are listed page by page, by identifier, and only their app's") { database in
            let records = ["b", "a", "c", "ä"].map { id in
                CustomerRecord(id: CustomerID(id), firstSeenAt: Samples.time(5), stateVersion: 2)
            }
            try await database.write { storage throws(StorageError) in
                for record in records { try storage.save(record, of: Samples.app) }
                try storage.save(records[0], of: Samples.otherApp)
            }
            let pages = try await database.read { storage throws(StorageError) in
                (
                    first: try storage.customers(of: Samples.app, after: nil, limit: 2),
                    second: try storage.customers(of: Samples.app, after: CustomerID("b"), limit: 2),
                    last: try storage.customers(of: Samples.app, after: CustomerID("ä"), limit: 2),
                    none: try storage.customers(of: Samples.app, after: nil, limit: 0)
                )
            }
            try expectEqual(pages.first, [records[1], records[0]], "the first page")
            try expectEqual(pages.second, [records[2], records[3]], "the second page")
            try expectEqual(pages.last, [], "the page after the last")
            try expectEqual(pages.none, [], "a page of nothing")
        },
    ]

    private static func keys(_ database: any SubscriptionDatabase) async throws -> [APIKeyRecord] {
        try await database.read { storage throws(StorageError) in try storage.apiKeys(of: Samples.app) }
    }

    private static func key(digest: [UInt8], app: AppID, createdAt: Int64) -> APIKeyRecord {
        APIKeyRecord(
            digest: digest,
            appID: app,
            kind: createdAt == 10 ? .secret : .publishable,
            hint: "…\(createdAt)",
            createdAt: Samples.time(createdAt),
            label: createdAt == 10 ? "the backend" : nil
        )
    }

    private static func definition(
        _ id: String,
        _ products: [String],
        graceDays: Int = 0
    ) -> EntitlementDefinition {
        EntitlementDefinition(
            id: EntitlementID(id),
            productIDs: products.map { ProductID($0) },
            billingRetryGraceDays: graceDays
        )
    }

    private static func definitions(_ database: any SubscriptionDatabase) async throws -> [EntitlementDefinition] {
        try await database.read { storage throws(StorageError) in try storage.entitlementDefinitions(of: Samples.app) }
    }
}
