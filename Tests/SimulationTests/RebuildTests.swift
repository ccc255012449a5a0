import LocalAppStore
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Promise 5: everything derived follows from the stored evidence.
@Suite struct `A rebuild` {
    private static let accounts = 6

    private static func history(
        _ engine: Engine,
        seed: UInt64,
        days: Int64
    ) async throws -> (server: ServerUnderTest, store: SimulatedStore) {
        var random = SplitMix64(seed: seed)
        var store = try SimulatedStore(seed: seed)
        let server = try await ServerUnderTest(engine, trusting: store, at: SimulatedStore.start)
        for index in 0..<accounts { try store.act { _ = try $0.createAccount(accountId: "a\(index)") } }
        try await server.live(days: days, in: &store, accounts: accounts, random: &random)
        return (server, store)
    }

    @Test(arguments: Engine.allCases, [1, 2, 3] as [UInt64])
    func `finds no difference in a random history`(engine: Engine, seed: UInt64) async throws {
        let (server, _) = try await Self.history(engine, seed: seed, days: 250)
        let (summary, differences) = try await server.verify()
        #expect(differences == [])
        #expect(summary.differences == 0)
        let stored = try await server.stored()
        #expect(summary.purchases == stored.count)
        #expect(summary.facts >= stored.reduce(0) { $0 + $1.ledger.facts.count })
        #expect(summary.inputs > 100)
        try await server.close()
    }

    @Test(arguments: Engine.allCases, Damage.allCases)
    func `finds a damage and repairs it`(engine: Engine, damage: Damage) async throws {
        for seed in 1...(engine == .reference ? 4 : 1) as ClosedRange<UInt64> {
            let (server, store) = try await Self.history(engine, seed: seed, days: 150)
            let before = try await server.answers(accounts: Self.accounts)
            let row = try #require(try await damage.target(in: server), "no purchase can have \(damage)")
            let lastEvent = try await server.lastEvent()
            let app = server.app
            try await server.database.write { storage throws(StorageError) in
                try damage.apply(to: row, in: storage, app: app)
            }
            let (_, differences) = try await server.verify()
            let named = try #require(differences.first?.purchaseID)
            let concerned = damage.isOfProduct ? named : row.id
            #expect(Set(differences.map(\.purchaseID)) == [concerned], "\(damage), seed \(seed)")
            #expect(differences.map(\.code).contains(damage.code), "\(damage), seed \(seed): \(differences)")
            #expect(try await server.verify().differences == differences, "a verification changes nothing")

            let repair = RebuildRepair(
                database: server.database,
                policy: AccessPolicy(),
                by: Operator("test"),
                time: server.time
            )
            #expect(try await repair.repair(differences, of: app).repaired == 1)
            #expect(try await server.verify().differences == [], "\(damage), seed \(seed)")
            let repaired = try #require(try await server.stored().first { $0.id == row.id })
            #expect(repaired == row, "\(damage), seed \(seed)")
            #expect(try await server.answers(accounts: Self.accounts) == before, "\(damage), seed \(seed)")
            let audited = try await server.database.read { storage throws(StorageError) in
                try storage.auditEntries(of: app, about: "purchase:\(concerned.rawValue)", before: nil, limit: 10)
            }
            #expect(audited.map(\.action) == ["purchase.rebuilt"])
            if damage == .stateLost { #expect(try await server.lastEvent() > lastEvent, "the feed says so") }

            // The next day finds a whole server.
            try await server.goOn(store, accounts: Self.accounts)
            #expect(try await server.verify().differences == [])
            try await server.close()
        }
    }

    @Test(arguments: Engine.allCases, Surplus.allCases)
    func `finds what no input contains and leaves it`(engine: Engine, surplus: Surplus) async throws {
        let (server, _) = try await Self.history(engine, seed: 5, days: 40)
        let app = server.app
        try await server.database.write { storage throws(StorageError) in try surplus.add(to: storage, app: app) }
        let (_, differences) = try await server.verify()
        #expect(differences.map(\.code) == [surplus.code])
        #expect(differences.map(\.purchaseID) == [nil])
        #expect(differences.map(\.derived) == [nil])
        let repair = RebuildRepair(database: server.database, policy: AccessPolicy(), by: Operator("test"))
        #expect(try await repair.repair(differences, of: app).repaired == 0)
        #expect(try await server.verify().differences == differences)
        try await server.close()
    }

    @Test(arguments: Engine.allCases)
    func `removes an index entry of a purchase that does not exist, and adds no purchase`(engine: Engine) async throws {
        let (server, _) = try await Self.history(engine, seed: 5, days: 40)
        let (app, before) = (server.app, try await server.stored())
        let entry = IndexedTransaction(id: TransactionID("9"), purchaseID: OriginalTransactionID("8"))
        try await server.database.write { storage throws(StorageError) in try storage.insert(entry, of: app) }
        let (_, differences) = try await server.verify()
        #expect(differences.map(\.code) == [.transactionIndexDiffers])
        #expect(differences.map(\.purchaseID) == [entry.purchaseID])
        #expect(differences.map(\.transactionID) == [entry.id])
        let repair = RebuildRepair(database: server.database, policy: AccessPolicy(), by: Operator("test"))
        #expect(try await repair.repair(differences, of: app).repaired == 1)
        #expect(try await server.verify().differences == [])
        #expect(try await server.stored() == before)
        try await server.close()
    }

    @Test(arguments: Engine.allCases)
    func `finds no difference while notifications are stored`(engine: Engine) async throws {
        var (server, store) = try await Self.history(engine, seed: 9, days: 60)
        var random = SplitMix64(seed: 10)
        let running = server
        try await withThrowingTaskGroup(of: [RebuildDifference].self) { group in
            group.addTask {
                var found: [RebuildDifference] = []
                while !Task.isCancelled { found += try await running.verify().differences }
                return found
            }
            try await server.live(days: 60, in: &store, accounts: Self.accounts, random: &random)
            group.cancelAll()
            for try await differences in group { #expect(differences == []) }
        }
        try await server.close()
    }
}

extension ServerUnderTest {
    /// The counts and differences of a verification.
    func verify() async throws -> (summary: RebuildVerification.Summary, differences: [RebuildDifference]) {
        var found: [RebuildDifference] = []
        let verification = RebuildVerification(database: database, policy: AccessPolicy())
        let summary = try await verification.verify(app) { found += $0 }
        return (summary, found)
    }

    /// All stored purchases.
    func stored() async throws -> [PurchaseRow] {
        let app = app
        return try await database.read { storage throws(StorageError) in
            try storage.purchaseRows(of: app, after: nil, limit: 1_000)
        }
    }

    fileprivate func lastEvent() async throws -> Int64 {
        let app = app
        return try await database.read { storage throws(StorageError) in try storage.lastEvent(of: app) }
    }

    /// What customers get to see, without counters.
    fileprivate func answers(accounts: Int) async throws -> [[Entitlement]] {
        var answers: [[Entitlement]] = []
        for index in 0..<accounts {
            do {
                answers.append(try await reading.customer(CustomerID("a\(index)"), of: app).entitlements)
            } catch {
                guard error.code == "customer_not_found" else { throw error }
                answers.append([])
            }
        }
        return answers
    }

    fileprivate func goOn(_ store: SimulatedStore, accounts: Int) async throws {
        var store = store
        var random = SplitMix64(seed: 77)
        try await live(days: 30, in: &store, accounts: accounts, random: &random)
    }
}
