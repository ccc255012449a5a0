import PerennialPrimitives
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Synchronization
import Testing

/// Two servers, each with connections of its own.
@Suite struct `Webhooks of two servers on one PostgreSQL` {
    @Test(arguments: 1...3) func `arrive once, in the order of each customer, with random failures`(
        seed: UInt64
    ) async throws {
        let postgreSQL = try PostgreSQLTestServer()
        let schema = try postgreSQL.makeSchema()
        let url = postgreSQL.url(schema: schema)
        let first = try await PostgreSQLDatabase.open(url: url, options: .patient)
        let second = try await PostgreSQLDatabase.open(url: url, options: .patient)
        let scene = try await WebhookScene(database: first)
        let id = try await scene.endpoint()
        let clock = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        func pass(_ milliseconds: Int64) { clock.advance(to: clock.now().adding(milliseconds: milliseconds)) }
        func dispatcher(_ database: any SubscriptionDatabase) -> WebhookDispatcher {
            WebhookDispatcher(
                database: database,
                reading: scene.server.services.reading,
                transport: scene.receivers,
                time: clock,
                realTime: clock
            )
        }
        let (one, other) = (dispatcher(first), dispatcher(second))
        let failures = Mutex(SplitMix64(seed: seed))
        scene.receivers.answer { _ in
            switch failures.withLock({ Int.random(in: 0..<8, using: &$0) }) {
            case 0: .success(WebhookAnswer(status: 500))
            case 1: .failure(WebhookSendError("timed_out", "No answer in time."))
            default: .success(WebhookAnswer(status: 200))
            }
        }
        var dice = SplitMix64(seed: seed + 1_000)
        let names = ["a", "b", "c", "d", nil]
        for _ in 0..<15 {
            let count = Int.random(in: 1...12, using: &dice)
            let customers = (0..<count).map { _ in names[Int.random(in: 0..<names.count, using: &dice)] }
            // Both look for work while events come in; the one that has the lease does it.
            async let left: Void? = try? await one.settle()
            async let right: Void? = try? await other.settle()
            try await scene.append(customers, to: second)
            _ = await (left, right)
            pass(Int64.random(in: 0..<30_000, using: &dice))
        }
        scene.receivers.answer(status: 200)
        for _ in 0..<40 {
            pass(3_600_000)
            try await other.settle()
        }
        let events = try await scene.server.events()
        let taken = scene.sequences(of: scene.receivers.taken)
        #expect(taken.sorted() == events.map(\.sequence))
        for customer in Set(events.compactMap(\.customerID)) {
            let own = events.filter { $0.customerID == customer }.map(\.sequence)
            #expect(taken.filter(own.contains) == own, "seed \(seed), \(customer)")
        }
        #expect(try await scene.show(id).integer("open_deliveries") == 0)
        try await second.close()
        try await first.close()
        try postgreSQL.remove()
    }
}
