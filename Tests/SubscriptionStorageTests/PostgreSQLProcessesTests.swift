import Dispatch
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Synchronization
import Testing

/// Engines with their own connections to one schema. The server treats them like separate processes.
@Suite struct `Several servers on one PostgreSQL database` {
    private let fixture: PostgreSQLFixture

    init() throws {
        fixture = try PostgreSQLFixture()
    }

    @Test func `change the same customer as if one change followed the other`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let perServer = 100
        try await withThrowingTaskGroup(of: Void.self) { group in
            for database in databases {
                for _ in 0..<perServer { group.addTask { try await database.countUp("u_1") } }
            }
            try await group.waitForAll()
        }
        #expect(try await databases[0].version(of: "u_1") == Int64(2 * perServer))
        #expect(try await databases[1].eventSequences() == Array(1...Int64(2 * perServer)))
        for database in databases { try await database.close() }
    }

    @Test func `store a signed input once if two of them receive it at the same time`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let inputs = 50
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<inputs {
                for database in databases {
                    group.addTask { try await database.insert(PostgreSQLFixture.evidence(number)) }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == inputs)
        #expect(try await databases[0].storedNotifications().map(\.sequence) == Array(1...Int64(inputs)))
        for database in databases { try await database.close() }
    }

    @Test func `complete two writes that wait for each other`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let barrier = Barrier()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (server, database) in databases.enumerated() {
                group.addTask {
                    let order = server == 0 ? ["u_1", "u_2"] : ["u_2", "u_1"]
                    try await database.write { storage throws(StorageError) in
                        try storage.countUp(order[0])
                        _ = try storage.customer(CustomerID(order[0]), of: PostgreSQLFixture.app)
                        barrier.arrive()
                        try storage.countUp(order[1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(barrier.arrivals == 3, "one of the two ran again")
        #expect(try await databases[0].version(of: "u_1") == 2)
        #expect(try await databases[0].version(of: "u_2") == 2)
        #expect(try await databases[0].eventSequences() == [1, 2, 3, 4])
        for database in databases { try await database.close() }
    }

    @Test func `never deadlock on groups with the same records in opposite order`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let groups = 20
        let runs = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (server, database) in databases.enumerated() {
                group.addTask {
                    for number in 0..<groups {
                        let work = Self.work(server: server, group: number)
                        try await database.write { storage throws(StorageError) in
                            runs.add()
                            try storage.expect(work)
                            for item in work { try storage.take(item) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(runs.value == 2 * groups, "none of them ran again")
        for number in 0..<16 { #expect(try await databases[0].version(of: "u_\(number)") == Int64(2 * groups)) }
        #expect(try await databases[1].eventSequences() == Array(1...Int64(2 * groups * 16)))
        #expect(try await databases[1].storedNotifications().count == 2 * groups * 16)
        for database in databases { try await database.close() }
    }

    /// Separate inputs about the same purchases and customers. The two servers have opposite orders.
    private static func work(server: Int, group: Int) -> [ExpectedWork] {
        let numbers = server == 0 ? Array(0..<16) : Array((0..<16).reversed())
        return numbers.map { number in
            ExpectedWork(
                evidence: PostgreSQLFixture.evidence((server * 1_000 + group) * 100 + number),
                purchases: [OriginalTransactionID("20000000000000\(10 + number)")],
                customers: [CustomerID("u_\(number)")]
            )
        }
    }

    @Test func `divide due purchases without waiting for each other`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        for number in 1...10 {
            let record = Self.due("20000000000000\(10 + number)", of: "u_\(number % 3)")
            try await databases[0].write { storage throws(StorageError) in
                try storage.save(record, of: PostgreSQLFixture.app)
            }
        }
        let until = Timestamp(milliseconds: 1_000)
        let (first, isClaimed) = AsyncStream.makeStream(of: [DuePurchase].self)
        let release = DispatchSemaphore(value: 0)
        async let write: Void = databases[0].write { storage throws(StorageError) in
            isClaimed.yield(try storage.duePurchases(until: until, limit: 4))
            isClaimed.finish()
            _ = release.wait(timeout: .now() + .seconds(60))
        }
        var one: [DuePurchase] = []
        for await claimed in first { one += claimed }
        let two = try await databases[1].write { storage throws(StorageError) in
            try storage.duePurchases(until: until, limit: 100)
        }
        release.signal()
        try await write
        #expect(one.count == 4)
        #expect(two.count == 6)
        #expect(Set(one).isDisjoint(with: two))
        let left = try await databases[1].write { storage throws(StorageError) in
            try storage.duePurchases(until: until, limit: 100)
        }
        #expect(left.count == 10, "purchases that were only claimed are due again after the commit")
        for database in databases { try await database.close() }
    }

    @Test func `create the tables once if they open an empty schema at the same time`() async throws {
        let fixture = fixture
        let recorders = (0..<4).map { _ in MigrationRecorder() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for recorder in recorders {
                group.addTask { try await fixture.open(onProgress: { recorder.take($0) }).close() }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.run("SELECT count(*) = max(step) FROM perennial_schema") == "t")
        let status = try await PostgreSQLDatabase.schemaStatus(url: fixture.server.url(schema: fixture.schema))
        #expect(recorders.map(\.ended).filter { !$0.isEmpty } == [status.steps.map(\.name)])
    }

    /// A subscription whose period ends at timestamp 100.
    private static func due(_ id: String, of customer: String) -> PurchaseRecord {
        let purchase = OriginalTransactionID(id)
        var fact = TransactionFact(
            id: TransactionID(id),
            originalID: purchase,
            productID: ProductID("pro"),
            kind: .autoRenewable,
            purchasedAt: Timestamp(milliseconds: 1),
            originallyPurchasedAt: Timestamp(milliseconds: 1),
            signedAt: Timestamp(milliseconds: 1),
            evidence: EvidenceID("x")
        )
        fact.expiresAt = Timestamp(milliseconds: 100)
        var ledger = PurchaseLedger(originalID: purchase)
        ledger.join(.transaction(fact))
        return PurchaseRecord(
            id: purchase,
            customerID: CustomerID(customer),
            claim: .submitted,
            state: ledger.state(at: Timestamp(milliseconds: 50), policy: AccessPolicy()),
            evaluatedAt: Timestamp(milliseconds: 50)
        )
    }
}

extension StorageWriting {
    /// Stores the input, the purchase and the customer of a notification.
    fileprivate func take(_ work: ExpectedWork) throws(StorageError) {
        let app = PostgreSQLFixture.app
        guard try insert(work.evidence) else { return }
        for (purchase, customer) in zip(work.purchases, work.customers) {
            let stored = try self.purchase(purchase, of: app)
            let next = stored ?? PurchaseRecord(id: purchase, evaluatedAt: Timestamp(milliseconds: 1))
            _ = try purchases(of: customer, app: app)
            try save(next, of: app)
            try countUp(customer.rawValue)
        }
    }
}

private final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

/// Blocks the first arrival until the second one. Later arrivals pass.
private final class Barrier: Sendable {
    private let arrived = Mutex(0)
    private let gate = DispatchSemaphore(value: 0)

    var arrivals: Int { arrived.withLock { $0 } }

    func arrive() {
        let number = arrived.withLock { arrived in
            arrived += 1
            return arrived
        }
        if number == 2 { gate.signal() }
        if number == 1 { _ = gate.wait(timeout: .now() + .seconds(60)) }
    }
}
