import AppStoreModel
import HTTPTypes
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import Testing

/// Purchases that the same customers claim on several servers concurrently.
@Suite struct `Claims on PostgreSQL` {
    private static let purchases = ["2000000000000001", "2000000000000002"]
    private static let customers = (0..<6).map { "u_\($0)" }

    @Test(arguments: [TransferPolicy.share, .transfer, .transferIfInactive])
    func `by the same customers never deadlock`(
        policy: TransferPolicy
    ) async throws {
        let postgreSQL = try PostgreSQLTestServer()
        let url = postgreSQL.url(schema: try postgreSQL.makeSchema())
        let databases = [
            try await PostgreSQLDatabase.open(url: url, options: .patient),
            try await PostgreSQLDatabase.open(url: url, options: .patient),
        ]
        let first = try await ServerFixture(database: databases[0])
        let second = try await ServerFixture(database: databases[1], apple: first.apple)
        let body = #"{"transfer_policy":"\#(policy.rawValue)"}"#
        #expect(try await first.send(.patch, "/v1/app", body: body).status == 200)
        let signed = try Self.purchases.map { try first.apple.sign(SignedApple.period(id: $0, original: $0)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                let server = worker % 2 == 0 ? first : second
                group.addTask {
                    for step in 0..<20 {
                        // Claims both purchases, with the customers in opposite orders.
                        let index = (worker + step) % 2
                        let turn = (worker * 5 + step) % Self.customers.count
                        let customer = Self.customers[index == 0 ? turn : Self.customers.count - 1 - turn]
                        let answer = try await server.submit(signed[index], customer: customer)
                        #expect([200, 409].contains(answer.status))
                        guard step % 4 == 0 else { continue }
                        let number = worker * 100 + step
                        let period = SignedApple.period(
                            id: Self.purchases[index],
                            original: Self.purchases[index],
                            signedAt: ServerFixture.now + Int64(number)
                        )
                        let uuid = "5b0f7a52-6d0c-4d0e-9f55-\(100_000_000_000 + number)"
                        let notification = try server.apple.notification(uuid, type: .didRenew, transaction: period)
                        #expect(try await server.notify(notification).status == 200)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await first.database.close()
        try await second.database.close()
        // PostgreSQL writes its statistics when connections close.
        let deadlocks = "SELECT sum(deadlocks) FROM pg_stat_database"
        #expect(try postgreSQL.run(deadlocks) == "0")
        try postgreSQL.remove()
    }
}
