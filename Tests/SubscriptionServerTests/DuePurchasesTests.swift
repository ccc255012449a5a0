import AppStoreModel
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A time source that cancels the calling task.
private struct CancellingTimeSource: TimeSource {
    func now() -> Timestamp {
        withUnsafeCurrentTask { $0?.cancel() }
        return Timestamp(milliseconds: ServerFixture.now)
    }
}

@Suite struct `Due work` {
    @Test func `continues past a purchase that cannot be read`() async throws {
        let server = try await ServerFixture()
        for number in 1...5 {
            let id = "200000000000000\(number)"
            let transaction = SignedApple.period(id: id, original: id)
            _ = try await server.submit(try server.apple.sign(transaction), customer: "u_\(number)")
        }
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        server.time.advance(to: later)
        let damaged = DamagedDatabase(base: server.database, unreadable: OriginalTransactionID("2000000000000003"))
        let due = DuePurchases(database: damaged, policy: AccessPolicy())
        let outcome = try await due.settle(until: later)
        #expect(outcome.evaluated == 4)
        #expect(outcome.failed == 1)
        let left = try await server.database.read { storage throws(StorageError) in
            try storage.duePurchases(until: later, limit: 100)
        }
        #expect(left.map(\.id.rawValue) == ["2000000000000003"])
    }

    @Test func `continues past a customer whose purchase cannot be read`() async throws {
        let server = try await ServerFixture()
        let transaction = SignedApple.period(id: "2000000000000003", original: "2000000000000003")
        _ = try await server.submit(try server.apple.sign(transaction), customer: "u_3")
        let granting = Granting(database: server.database, time: server.time)
        let end = Timestamp(milliseconds: ServerFixture.now + 86_400_000)
        for number in 1...5 {
            _ = try await granting.grant(
                GrantID("gr_\(number)"),
                of: EntitlementID("gold"),
                to: CustomerID("u_\(number)"),
                app: ServerFixture.app,
                until: .at(end),
                reason: nil,
                by: Operator("test")
            )
        }
        let damaged = DamagedDatabase(base: server.database, unreadable: OriginalTransactionID("2000000000000003"))
        let outcome = try await DuePurchases(database: damaged, policy: AccessPolicy()).settle(until: end)
        #expect(outcome == DuePurchases.Outcome(evaluated: 4, failed: 1))
        let left = try await server.database.read { storage throws(StorageError) in
            try storage.dueGrants(until: end, limit: 100)
        }
        #expect(left.map(\.customerID.rawValue) == ["u_3"])
    }

    @Test func `emits an event when the clock passes the end of access`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        let outcome = try await DuePurchases(database: server.database, policy: AccessPolicy()).settle(until: later)
        #expect(outcome == DuePurchases.Outcome(evaluated: 1))
        let events = try await server.database.read { storage throws(StorageError) in
            try storage.events(of: ServerFixture.app, after: 0, limit: 100)
        }
        #expect(events.map(\.event.kind).suffix(2) == [.expired, .entitlementWithdrawn])
    }

    @Test(arguments: [Duration.seconds(600), .milliseconds(100)])
    func `begins when it is known what Apple sent meanwhile, or after a time`(patience: Duration) async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000))
        let asked = Atomic(0)
        let isKnown = Atomic(false)
        let service = DuePurchasesService(
            duePurchases: DuePurchases(database: server.database, policy: AccessPolicy()),
            time: server.time,
            interval: .milliseconds(5),
            patience: patience,
            mayBegin: {
                asked.add(1, ordering: .relaxed)
                return isKnown.load(ordering: .relaxed)
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            if patience == .seconds(600) {
                try await ServerFixture.until { asked.load(ordering: .relaxed) > 3 }
                #expect(try await !server.events().contains { $0.event.kind == .expired })
                isKnown.store(true, ordering: .relaxed)
            }
            try await ServerFixture.until { try await server.events().contains { $0.event.kind == .expired } }
            group.cancelAll()
        }
    }

    @Test func `that fails repeatedly is set aside, counted, reported and retried later`() async throws {
        let server = try await ServerFixture()
        let broken = OriginalTransactionID("2000000000000001")
        for number in 1...5 {
            let id = "200000000000000\(number)"
            let transaction = SignedApple.period(id: id, original: id)
            _ = try await server.submit(try server.apple.sign(transaction), customer: "u_\(number)")
        }
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        let clocks = MachineClocks(wall: 0)
        let damaged = DamagedDatabase(base: server.database, unreadable: broken)
        let due = DuePurchases(database: damaged, policy: AccessPolicy(), elapsed: clocks.elapsed)
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(evaluated: 4, failed: 1))
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(failed: 1))
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(failed: 1, setAside: 1))
        #expect(due.setAsideCount == 1)
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(), "it waits before the retry")
        clocks.pass(61_000)
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(failed: 1), "it is already set aside")
        clocks.pass(61_000)
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(), "it waits for twice as long")

        // A new fact changes the due time, so the purchase is new work.
        var renewed = SignedApple.period(
            id: broken.rawValue,
            original: broken.rawValue,
            signedAt: ServerFixture.now + 1
        )
        renewed.expiresDate = ServerFixture.now + 35 * 86_400_000
        #expect(try await server.notify(try server.apple.notification(transaction: renewed)).status == 200)
        #expect(try await due.settle(until: later) == DuePurchases.Outcome(failed: 1))
        #expect(due.setAsideCount == 0)
        // A restart retries everything.
        let restarted = DuePurchases(database: server.database, policy: AccessPolicy())
        #expect(try await restarted.settle(until: later) == DuePurchases.Outcome(evaluated: 1))
    }

    @Test func `continues with more failures than the batch size`() async throws {
        let database = InMemoryDatabase()
        let server = try await ServerFixture(database: database)
        for number in 0..<230 {
            let id = "20000000000\(10_000 + number)"
            var period = SignedApple.period(id: id, original: id)
            // The purchases that fail are due first.
            period.expiresDate = ServerFixture.now + (number < 220 ? 1 : 2) * 86_400_000
            #expect(try await server.submit(try server.apple.sign(period), customer: "u_\(number)").status == 200)
        }
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        let due = DuePurchases(
            database: TimingOutDatabase(base: database) { $0.rawValue < "2000000000010220" },
            policy: AccessPolicy()
        )
        let outcome = try await due.settle(until: later)
        #expect(outcome == DuePurchases.Outcome(evaluated: 10, failed: 220))
        let left = try await database.read { storage throws(StorageError) in
            try storage.duePurchases(until: later, limit: 1_000).count
        }
        #expect(left == 220)
    }

    @Test func `that a shutdown cancels is not reported`() async throws {
        let database = BrokenDatabase()
        database.fill()
        let lines = RecordingLogHandler.Lines()
        let service = DuePurchasesService(
            duePurchases: DuePurchases(database: database, policy: AccessPolicy()),
            time: CancellingTimeSource(),
            logger: Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        )
        try await service.run()
        #expect(lines.all.isEmpty)
    }
}
