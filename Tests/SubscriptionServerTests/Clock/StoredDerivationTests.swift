import AppStoreModel
import Logging
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// The database stores the latest time at which states were derived. A start with a correct clock then needs no scan of
/// all purchases for states that a fast clock derived.
@Suite struct `The stored derivation time` {
    private static let day: Int64 = 86_400_000
    private static let purchase = OriginalTransactionID("2000000000000010")
    private static let start = Timestamp(milliseconds: ServerFixture.now)

    /// Submits a subscription with a period of thirty days.
    private func sell(on server: ServerFixture) async throws {
        var period = SignedApple.period(id: Self.purchase.rawValue, original: Self.purchase.rawValue)
        period.expiresDate = ServerFixture.now + 30 * Self.day
        #expect(try await server.submit(try server.apple.sign(period), customer: "u_1").status == 200)
    }

    private func latestDerivation(_ server: ServerFixture) async throws -> Timestamp? {
        try await server.database.read { storage throws(StorageError) in try storage.latestDerivation() }
    }

    private func storeDerivation(_ time: Timestamp, on server: ServerFixture) async throws {
        try await server.database.write { storage throws(StorageError) in try storage.noteDerivation(at: time) }
    }

    private func derivedAt(_ server: ServerFixture) async throws -> Timestamp? {
        try await server.database.read { storage throws(StorageError) in
            try storage.purchase(Self.purchase, of: ServerFixture.app)?.evaluatedAt
        }
    }

    /// Runs the service with a clock until a condition is true.
    private func run(
        _ clocks: MachineClocks,
        on server: ServerFixture,
        until isReached: () async throws -> Bool
    ) async throws {
        let time = CheckedTimeSource(wall: clocks, elapsed: clocks.elapsed)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await server.services.duePurchases.noteStart(at: time.now())
        let service = DuePurchasesService(
            duePurchases: server.services.duePurchases,
            time: time,
            clock: ClockCheck(time: time, database: server.database, logger: logger),
            interval: .milliseconds(2),
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await ServerFixture.until(isReached)
            group.cancelAll()
        }
    }

    @Test func `is set by a start with a fast clock, and the next correct start reverts the changes`() async throws {
        let server = try await ServerFixture()
        try await sell(on: server)
        try await storeDerivation(Self.start, on: server)
        let ahead = MachineClocks(wall: ServerFixture.now + 400 * Self.day)
        try await run(ahead, on: server) { try await derivedAt(server) == ahead.now() }
        #expect(try await latestDerivation(server) == ahead.now())

        let right = MachineClocks(wall: ServerFixture.now)
        try await run(right, on: server) { try await latestDerivation(server) == right.now() }
        #expect(try await derivedAt(server) == right.now())
    }

    @Test func `skips the scan if it is not later than the clock`() async throws {
        let server = try await ServerFixture()
        try await sell(on: server)
        try await storeDerivation(Self.start, on: server)
        // Derived without storing the time, so that only a scan finds it.
        let later = Self.start.adding(milliseconds: 400 * Self.day)
        _ = try await server.services.duePurchases.settle(until: later)
        let clocks = MachineClocks(wall: ServerFixture.now)
        clocks.pass(60_000)
        try await run(clocks, on: server) { try await latestDerivation(server) == clocks.now() }
        #expect(try await derivedAt(server) == later)
    }

    @Test func `causes one scan of a database without it`() async throws {
        let server = try await ServerFixture()
        try await sell(on: server)
        _ = try await server.services.duePurchases.settle(until: Self.start.adding(milliseconds: 400 * Self.day))
        let clocks = MachineClocks(wall: ServerFixture.now)
        try await run(clocks, on: server) { try await latestDerivation(server) == clocks.now() }
        #expect(try await derivedAt(server) == clocks.now())
    }

    @Test func `advances while the server runs`() async throws {
        let server = try await ServerFixture()
        try await storeDerivation(Self.start, on: server)
        let clocks = MachineClocks(wall: ServerFixture.now)
        for _ in 0..<3 {
            try await run(clocks, on: server) { try await latestDerivation(server) == clocks.now() }
            clocks.pass(60_000)
        }
    }

    @Test func `follows a clock that is set back while the server runs`() async throws {
        let server = try await ServerFixture()
        try await sell(on: server)
        try await storeDerivation(Self.start, on: server)
        let clocks = MachineClocks(wall: ServerFixture.now)
        clocks.pass(40 * Self.day)
        var isSetBack = false
        try await run(clocks, on: server) {
            if !isSetBack, try await derivedAt(server) == clocks.now() {
                clocks.set(by: -39 * Self.day)
                isSetBack = true
            }
            guard isSetBack else { return false }
            return try await latestDerivation(server) == clocks.now()
        }
        #expect(try await derivedAt(server) == Self.start.adding(milliseconds: Self.day))
    }
}
