import Dispatch
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Synchronization
import Testing

/// Engines with connections of their own on one schema: to the server, that is what processes are.
@Suite
struct `Several servers on one PostgreSQL database` {
    private let fixture: PostgreSQLFixture

    init() throws {
        fixture = try PostgreSQLFixture()
    }

    @Test func `changes of the same customer from two servers end as if one came after the other`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let perServer = 100
        try await withThrowingTaskGroup(of: Void.self) { group in
            for database in databases {
                for _ in 0..<perServer { group.addTask { try await database.countUp("u_1") } }
            }
            try await group.waitForAll()
        }
        #expect(try await databases[0].version(of: "u_1") == Int64(2 * perServer))
        #expect(try await databases[1].places() == Array(1...Int64(2 * perServer)))
        for database in databases { try await database.close() }
    }

    @Test func `a signed input that two servers take at once is taken by one of them`() async throws {
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
        #expect(try await databases[0].heldNotifications().map(\.sequence) == Array(1...Int64(inputs)))
        for database in databases { try await database.close() }
    }

    @Test func `two writes that wait for each other both end well`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let meeting = Meeting()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, database) in databases.enumerated() {
                group.addTask {
                    let order = place == 0 ? ["u_1", "u_2"] : ["u_2", "u_1"]
                    try await database.write { storage throws(StorageError) in
                        try storage.countUp(order[0])
                        _ = try storage.customer(CustomerID(order[0]), of: PostgreSQLFixture.app)
                        meeting.arrive()
                        try storage.countUp(order[1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(meeting.arrivals == 3, "one of the two ran again")
        #expect(try await databases[0].version(of: "u_1") == 2)
        #expect(try await databases[0].version(of: "u_2") == 2)
        #expect(try await databases[0].places() == [1, 2, 3, 4])
        for database in databases { try await database.close() }
    }

    @Test func `groups that touch the same in opposite order never wait in a circle`() async throws {
        let databases = [try await fixture.open(), try await fixture.open()]
        let groups = 20
        let runs = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (place, database) in databases.enumerated() {
                group.addTask {
                    for number in 0..<groups {
                        let work = Self.work(server: place, group: number)
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
        #expect(try await databases[1].places() == Array(1...Int64(2 * groups * 16)))
        #expect(try await databases[1].heldNotifications().count == 2 * groups * 16)
        for database in databases { try await database.close() }
    }

    /// Inputs of their own about the same purchases and customers, on one server in the opposite order of the other's.
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

    @Test func `what is due is divided among servers, and nobody waits for another's share`() async throws {
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
        async let held: Void = databases[0].write { storage throws(StorageError) in
            isClaimed.yield(try storage.duePurchases(until: until, limit: 4))
            isClaimed.finish()
            _ = release.wait(timeout: .now() + .seconds(5))
        }
        var one: [DuePurchase] = []
        for await claimed in first { one += claimed }
        let two = try await databases[1].write { storage throws(StorageError) in
            try storage.duePurchases(until: until, limit: 100)
        }
        release.signal()
        try await held
        #expect(one.count == 4)
        #expect(two.count == 6)
        #expect(Set(one).isDisjoint(with: two))
        let left = try await databases[1].write { storage throws(StorageError) in
            try storage.duePurchases(until: until, limit: 100)
        }
        #expect(left.count == 10, "what was only claimed is due again after the commit")
        for database in databases { try await database.close() }
    }

    @Test func `servers that open one empty schema at once make the tables once`() async throws {
        let fixture = fixture
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await fixture.open().close() } }
            try await group.waitForAll()
        }
        #expect(try fixture.run("SELECT count(*) = max(step) FROM perennial_schema") == "t")
    }

    /// A subscription whose period ends at instant 100.
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
    /// What a notification does: its input, its purchase, its customer.
    fileprivate func take(_ work: ExpectedWork) throws(StorageError) {
        let app = PostgreSQLFixture.app
        guard try insert(work.evidence) else { return }
        for (purchase, customer) in zip(work.purchases, work.customers) {
            let held = try self.purchase(purchase, of: app)
            let next = held ?? PurchaseRecord(id: purchase, evaluatedAt: Timestamp(milliseconds: 1))
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

/// Holds the first two that arrive until both are there; later ones pass.
private final class Meeting: Sendable {
    private let arrived = Mutex(0)
    private let gate = DispatchSemaphore(value: 0)

    var arrivals: Int { arrived.withLock { $0 } }

    func arrive() {
        let number = arrived.withLock { arrived in
            arrived += 1
            return arrived
        }
        if number == 2 { gate.signal() }
        if number == 1 { _ = gate.wait(timeout: .now() + .seconds(5)) }
    }
}
