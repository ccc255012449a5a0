import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage

@testable import SubscriptionOperations

/// Servers of one database, and the history that they are compared with.
struct RecoveryScene {
    static let day: Int64 = 86_400_000
    static let start = ServerFixture.now - 10 * day

    typealias Engine = TestEngine

    let history: ScriptedHistory
    let apple: SignedApple
    let database: any SubscriptionDatabase
    private let close: @Sendable () async throws -> Void

    init(_ engine: Engine = .memory, pageSize: Int = 3) async throws {
        history = ScriptedHistory(pageSize: pageSize)
        apple = try SignedApple()
        (database, close) = try await engine.open()
    }

    func end() async throws { try await close() }

    /// Notifications about several subscriptions, one an hour, oldest first.
    func addNotifications(_ count: Int) throws -> [String] {
        try (0..<count).map { number in
            let time = Self.start + Int64(number) * 3_600_000
            let id = "20000000000000\(10 + number % 7)"
            var period = SignedApple.period(id: "\(id)\(number)", original: id, signedAt: time)
            period.purchaseDate = time
            period.expiresDate = time + 40 * Self.day
            let uuid = "5b0f7a52-6d0c-4d0e-9f55-\(100_000_000_000 + number)"
            let payload = try apple.notification(uuid, type: .didRenew, transaction: period, signedAt: time)
            history.add(payload, at: time, attempts: [(time, .timedOut)])
            return payload
        }
    }

    /// A server. Each has the state of a process: its lease, and whether it has compared anything.
    func server(
        _ settings: RecoverySettings = RecoverySettings(overlapMilliseconds: 0, settlingMilliseconds: 0),
        database: (any SubscriptionDatabase)? = nil,
        time: (any TimeSource)? = nil,
        realTime: any TimeSource = SystemTimeSource()
    ) async throws -> (fixture: ServerFixture, recovery: Recovery) {
        let database = database ?? self.database
        let fixture = try await ServerFixture(
            database: self.database,
            apple: apple,
            access: try history.access(),
            recovery: settings
        )
        let app = AppIdentity(
            bundleId: ServerFixture.bundle,
            appAppleId: ServerFixture.appleID,
            environment: .production
        )
        let recovery = Recovery(
            database: database,
            ingestion: fixture.services.ingestion,
            verifier: SignedDataVerifier(roots: [apple.authority.trustedRoot], apps: [app]),
            access: try history.access(),
            policy: AccessPolicy(),
            settings: settings,
            time: time ?? fixture.time,
            realTime: realTime
        )
        return (fixture, recovery)
    }

    func windows() async throws -> [RecoveryWindow] {
        try await database.read { storage throws(StorageError) in
            try storage.recoveryWindows(of: ServerFixture.app, limit: 100)
        }
    }

    /// `sent held recovered refused missing` of a window.
    static func counts(_ window: RecoveryWindow) -> [Int] {
        let counts = window.counts
        return [counts.sent, counts.held, counts.recovered, counts.refused, counts.missing]
    }
}
