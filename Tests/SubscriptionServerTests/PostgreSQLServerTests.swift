import AppStoreModel
import HTTPTypes
import PerennialPrimitives
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Synchronization
import Testing

/// Promises 1 and 2 with a remote database, which becomes unreachable and has other clients.
@Suite struct `Servers on PostgreSQL` {
    @Test func `answer 503 while the database is unreachable, and store everything exactly once`() async throws {
        let postgreSQL = try PostgreSQLTestServer()
        let database = try await PostgreSQLDatabase.open(url: postgreSQL.url())
        let server = try await ServerFixture(database: database)
        let notifications = try (0..<400).map { try Self.firstPeriod($0, signedBy: server.apple) }
        let progress = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for index in stride(from: worker, to: notifications.count, by: 8) {
                        try await Self.deliver(notifications[index], to: server, progress)
                    }
                }
            }
            group.addTask {
                for (taken, isCrash) in [(50, false), (150, true)] {
                    try await ServerFixture.until { progress.taken >= taken }
                    try isCrash ? postgreSQL.crash() : postgreSQL.stop()
                    // On a busy machine everything may be delivered by now.
                    let refused = progress.refused + 20
                    try await ServerFixture.until {
                        progress.refused >= refused || progress.taken == notifications.count
                    }
                    #expect(try await server.send(.get, "/readyz", key: nil).status == 503)
                    #expect(try await server.send(.get, "/healthz", key: nil).status == 200)
                    try postgreSQL.start()
                }
            }
            try await group.waitForAll()
        }
        #expect(progress.taken == notifications.count)
        let stored = try await server.storedNotifications()
        #expect(stored.count == notifications.count)
        #expect(Set(stored).count == notifications.count)
        let events = try await server.events()
        #expect(events.map(\.sequence) == Array(1...Int64(events.count)))
        let started = events.filter { $0.event.kind == .started }.compactMap(\.event.purchaseID)
        #expect(started.count == notifications.count)
        #expect(Set(started).count == notifications.count)
        #expect(try await server.send(.get, "/readyz", key: nil).status == 200)
        try await database.close()
        try postgreSQL.remove()
    }

    @Test func `store the same data from concurrent notifications as one server would`() async throws {
        let (first, second) = try await Self.pair()
        let reference = try await ServerFixture(apple: first.apple)
        let notifications = try (0..<60).map { try Self.period($0 / 6, renewal: $0 % 6, signedBy: first.apple) }
        for notification in notifications { _ = try await reference.notify(notification) }
        var random = SplitMix64(seed: 60)
        let shuffled = notifications.shuffled(using: &random)
        let answers = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for (index, notification) in shuffled.enumerated() {
                group.addTask { try await first.notify(notification).bool("duplicate") }
                if index.isMultiple(of: 2) {
                    group.addTask { try await second.notify(notification).bool("duplicate") }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.filter { $0 == false }.count == notifications.count)
        #expect(answers.filter { $0 == true }.count == notifications.count / 2)
        #expect(try await first.storedNotifications().count == notifications.count)
        for number in 0..<10 {
            let path = "/v1/customers/\(Self.customer(number))/entitlements"
            let expected = try await reference.send(.get, path)
            #expect(expected.status == 200)
            #expect(try await first.send(.get, path).bytes == expected.bytes)
            #expect(try await second.send(.get, path).bytes == expected.bytes)
        }
        try await first.database.close()
        try await second.database.close()
    }

    @Test func `process due work exactly once`() async throws {
        let (first, second) = try await Self.pair()
        let purchases = 300
        for number in 0..<purchases {
            _ = try await first.notify(try Self.firstPeriod(number, signedBy: first.apple))
        }
        let later = Timestamp(milliseconds: ServerFixture.now + 40 * 86_400_000)
        let evaluated = try await withThrowingTaskGroup(of: Int.self) { group in
            for server in [first, second] {
                group.addTask {
                    let due = DuePurchases(database: server.database, policy: AccessPolicy())
                    return try await due.settle(until: later).evaluated
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(evaluated == purchases)
        let expired = try await first.events().filter { $0.event.kind == .expired }.compactMap(\.event.purchaseID)
        #expect(expired.count == purchases)
        #expect(Set(expired).count == purchases)
        try await first.database.close()
        try await second.database.close()
    }

    @Test func `open a valid address, and report an invalid one without its password`() async throws {
        let postgreSQL = try PostgreSQLTestServer.shared()
        let url = postgreSQL.url(schema: try postgreSQL.makeSchema())
        await #expect(throws: StartError("storage_not_found", "", kind: .surroundings)) {
            try await DatabaseAddress.openExisting(url)
        }
        try await DatabaseAddress.open(url).close()
        try await DatabaseAddress.openExisting(url).close()
        for (wrong, code) in [
            ("postgres://perennial:secret@127.0.0.1:1/x", "storage_unavailable"),
            ("postgres://perennial:secret%zz@127.0.0.1/x", "storage_address_malformed"),
            ("mysql://perennial:secret@127.0.0.1/x", "database_not_supported"),
        ] {
            let error = await #expect(throws: StartError.self) { try await DatabaseAddress.open(wrong) }
            #expect(error?.code == code)
            #expect(error?.description.contains("secret") == false)
        }
    }

    /// Two servers on one new schema, with the same signing authority.
    private static func pair() async throws -> (ServerFixture, ServerFixture) {
        let postgreSQL = try PostgreSQLTestServer.shared()
        let url = postgreSQL.url(schema: try postgreSQL.makeSchema())
        let first = try await ServerFixture(database: try await PostgreSQLDatabase.open(url: url, options: .patient))
        let second = try await PostgreSQLDatabase.open(url: url, options: .patient)
        return (first, try await ServerFixture(database: second, apple: first.apple))
    }

    /// Delivers a notification until it is accepted. Every other answer must be 503.
    private static func deliver(_ notification: String, to server: ServerFixture, _ progress: Progress) async throws {
        try await ServerFixture.until {
            let status = try await server.notify(notification).status
            if status == 200 { return true }
            #expect(status == 503)
            progress.countRefused()
            return false
        }
        progress.countTaken()
    }

    private static func customer(_ number: Int) -> String { "00000000-0000-4000-8000-\(100_000_000_000 + number)" }

    private static func firstPeriod(_ number: Int, signedBy apple: SignedApple) throws -> String {
        try period(number, renewal: 0, signedBy: apple)
    }

    /// A notification about a period of a purchase with an account token.
    private static func period(_ number: Int, renewal: Int, signedBy apple: SignedApple) throws -> String {
        let original = "20000000\(10_000_000 + number * 100)"
        var transaction = SignedApple.period(
            id: "20000000\(10_000_000 + number * 100 + renewal)",
            original: original,
            token: customer(number),
            signedAt: ServerFixture.now + Int64(renewal)
        )
        let month: Int64 = 30 * 86_400_000
        transaction.purchaseDate += Int64(renewal) * month
        transaction.expiresDate = ServerFixture.now + Int64(renewal + 1) * month
        let uuid = "5b0f7a52-6d0c-4d0e-9f55-\(100_000_000_000 + number * 100 + renewal)"
        return try apple.notification(uuid, type: renewal == 0 ? .subscribed : .didRenew, transaction: transaction)
    }
}

/// The progress of the deliveries.
private final class Progress: Sendable {
    private let counts = Mutex((taken: 0, refused: 0))

    var taken: Int { counts.withLock { $0.taken } }
    var refused: Int { counts.withLock { $0.refused } }

    func countTaken() { counts.withLock { $0.taken += 1 } }
    func countRefused() { counts.withLock { $0.refused += 1 } }
}
