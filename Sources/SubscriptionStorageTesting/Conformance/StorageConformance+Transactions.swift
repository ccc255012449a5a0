import Dispatch
import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let transactionChecks = [
        ConformanceCheck("a body that throws changes nothing, and its error is rethrown") { database in
            let before = try await everything(database)
            try await expectError(.corrupt, "a write whose body throws") {
                try await database.write { storage throws(StorageError) in
                    try writeEverything(storage)
                    throw StorageError(.corrupt, "The check wants it so.", isRetryable: false)
                }
            }
            let after = try await everything(database)
            try expectEqual(after, before, "what is stored after the body threw")
            try await database.write { storage throws(StorageError) in try writeEverything(storage) }
            let written = try await everything(database)
            try expect(written != before, "the same body without the error writes")
        },
        ConformanceCheck("a body reads its own writes") { database in
            let read = try await database.write { storage throws(StorageError) in
                try writeEverything(storage)
                return try storage.ledger(of: Samples.purchaseID, app: Samples.app)
            }
            try expectEqual(read.timeline.count, 1, "the transactions in the body's view")
        },
        ConformanceCheck("an error thrown by a reading body is rethrown") { database in
            try await expectError(.schemaTooNew, "a read whose body throws") {
                try await database.read { _ throws(StorageError) in
                    throw StorageError(.schemaTooNew, "The check wants it so.", isRetryable: false)
                }
            }
        },
        ConformanceCheck("a read sees one snapshot, regardless of concurrent commits") { database in
            try await expectStableView(database)
        },
        ConformanceCheck("many writers at once lose nothing") { database in
            let writers: Int64 = 32
            let first = CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(0), stateVersion: 0)
            try await database.write { storage throws(StorageError) in try storage.save(first, of: Samples.app) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<writers { group.addTask { try await countUp(database) } }
                try await group.waitForAll()
            }
            let customer = try await customer(database)
            try expectEqual(customer?.stateVersion, writers, "the version after each writer added one")
        },
        ConformanceCheck("apps are separate: data of one is not in the other") { database in
            try await database.write { storage throws(StorageError) in try writeEverything(storage) }
            let other = try await everything(database, app: Samples.otherApp)
            try expectEqual(other, Everything(), "the contents of the other app")
        },
        ConformanceCheck("a closed database is unavailable, and closing it again does nothing") { database in
            try await database.write { storage throws(StorageError) in try writeEverything(storage) }
            try await database.close()
            try await database.close()
            try await expectError(.unavailable, "a read after closing") { try await everything(database) }
            try await expectError(.unavailable, "a write after closing") { try await countUp(database) }
        },
    ]

    private static func writeEverything(_ storage: any StorageWriting) throws(StorageError) {
        let customer = CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(0), stateVersion: 1)
        _ = try storage.insert(Samples.evidence("notification:1"))
        try storage.save(.transaction(Samples.fullTransaction), of: Samples.app)
        try storage.save(.renewal(Samples.fullRenewal), of: Samples.app)
        try storage.save(.status(Samples.status()), of: Samples.app)
        try storage.save(Samples.purchase(nextChangeAt: 100), of: Samples.app)
        try storage.save(customer, of: Samples.app)
        try storage.save(EntitlementDefinition(id: EntitlementID("pro"), productIDs: []), of: Samples.app)
        try storage.append([Samples.fullEvent], customer: customer, recordedAt: Samples.time(3), app: Samples.app)
    }

    /// The readable contents of one app.
    private struct Everything: Equatable, Sendable {
        var evidence: [FoundSummary] = []
        var bytes: EvidenceRecord?
        var ledger = PurchaseLedger(originalID: Samples.purchaseID)
        var purchases: [PurchaseRecord] = []
        var customer: CustomerRecord?
        var definitions: [EntitlementDefinition] = []
        var events: [EventRecord] = []
        var due: [DuePurchase] = []
    }

    private static func everything(
        _ database: any SubscriptionDatabase,
        app: AppID = Samples.app
    ) async throws -> Everything {
        try await database.read { storage throws(StorageError) in
            Everything(
                evidence: try storage.evidence(.notification, of: app, after: 0, limit: 100),
                bytes: try storage.evidence(EvidenceID("notification:1"), of: app),
                ledger: try storage.ledger(of: Samples.purchaseID, app: app),
                purchases: try storage.purchases(of: Samples.customerID, app: app),
                customer: try storage.customer(Samples.customerID, of: app),
                definitions: try storage.entitlementDefinitions(of: app),
                events: try storage.events(of: app, after: 0, limit: 100),
                due: try storage.duePurchases(until: Samples.time(1_000), limit: 100).filter { $0.appID == app }
            )
        }
    }

    private static func customer(_ database: any SubscriptionDatabase) async throws -> CustomerRecord? {
        try await database.read { storage throws(StorageError) in
            try storage.customer(Samples.customerID, of: Samples.app)
        }
    }

    private static func countUp(_ database: any SubscriptionDatabase) async throws {
        try await database.write { storage throws(StorageError) in
            guard var customer = try storage.customer(Samples.customerID, of: Samples.app) else { return }
            customer.stateVersion += 1
            try storage.save(customer, of: Samples.app)
        }
    }

    /// Commits a write during a read. The time limit prevents a deadlock with an engine in which writers wait for
    /// readers.
    private static func expectStableView(_ database: any SubscriptionDatabase) async throws {
        let first = CustomerRecord(id: Samples.customerID, firstSeenAt: Samples.time(0), stateVersion: 0)
        try await database.write { storage throws(StorageError) in try storage.save(first, of: Samples.app) }
        let (readerStarted, started) = AsyncStream.makeStream(of: Void.self)
        let written = DispatchSemaphore(value: 0)
        async let versions = database.read { storage throws(StorageError) in
            let before = try storage.customer(Samples.customerID, of: Samples.app)?.stateVersion
            started.finish()
            _ = written.wait(timeout: .now() + .seconds(5))
            return [before, try storage.customer(Samples.customerID, of: Samples.app)?.stateVersion]
        }
        for await _ in readerStarted {}
        try await countUp(database)
        written.signal()
        let seen = try await versions
        try expectEqual(seen, [0, 0], "the versions that the reader saw")
        let after = try await customer(database)
        try expectEqual(after?.stateVersion, 1, "the version after the read")
    }
}
