import AppStoreModel
import Foundation
import HTTPTypes
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// The server process is killed before, during and after each commit, and restarted.
@Suite struct `A server that is killed` {
    /// The database of the killed server.
    enum Engine: String, CaseIterable, Sendable {
        case sqlite
        case postgreSQL
    }

    @Test(arguments: Engine.allCases)
    func `at any point of any commit keeps what it answered 200, and ends with everything once`(
        engine: Engine
    ) async throws {
        let reference = try await ServerFixture()
        for step in KilledServer.steps { #expect(try await step(reference) == 200) }
        let counted = KillingDatabase.Points()
        try await withAddress(engine) { address in
            try await KilledServer.run(at: address, points: counted, progress: nil)
        }
        // At least one write per step, and the write that saves apps and keys.
        #expect(counted.passed >= 3 * (KilledServer.steps.count + 1))
        for point in 0..<counted.passed {
            try await withAddress(engine) { address in
                let progress = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
                await #expect(processExitsWith: .signal(SIGKILL), "point \(point)") {
                    [address = address as String, point = point as Int, progress = progress as String] in
                    try await KilledServer.run(at: address, points: .init(killingAt: point), progress: progress)
                }
                let answered = KilledServer.answeredSteps(in: progress)
                try await expectNothingLost(at: address, after: answered, reference, point: point)
                try? FileManager.default.removeItem(atPath: progress)
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `while it creates its tables creates the rest after a restart`(engine: Engine) async throws {
        let clock = ContinuousClock()
        let whole = try await clock.measure {
            try await withAddress(engine) { address in try await DatabaseAddress.open(address).close() }
        }
        let moments = 12
        for moment in 0..<moments {
            let microseconds = Int(whole / .microseconds(1)) * moment / moments
            try await withAddress(engine) { address in
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [address = address as String, microseconds = microseconds as Int] in
                    Thread.detachNewThread {
                        // Real time on purpose: only the moment decides how much is done.
                        usleep(UInt32(microseconds))
                        kill(getpid(), SIGKILL)
                    }
                    try await DatabaseAddress.open(address).close()
                    // The work was done before the moment, so the process is killed while idle.
                    kill(getpid(), SIGKILL)
                }
                let database = try await DatabaseAddress.open(address)
                #expect(try await DatabaseAddress.schemaStatus(address).pending == 0)
                let server = try await ServerFixture(database: database)
                for step in KilledServer.steps { #expect(try await step(server) == 200) }
                try await database.close()
            }
        }
    }

    /// Restarts the server and compares it with a server that was never killed.
    private func expectNothingLost(
        at address: String,
        after answered: Int,
        _ reference: ServerFixture,
        point: Int
    ) async throws {
        let database = try await DatabaseAddress.open(address)
        let server = try await ServerFixture(database: database)
        let partial = try await ServerFixture()
        for step in KilledServer.steps.prefix(answered) { _ = try await step(partial) }
        let stored = Set(try await server.storedNotifications())
        #expect(stored.isSuperset(of: try await partial.storedNotifications()), "point \(point)")
        for customer in KilledServer.customers {
            let known = try await partial.send(.get, "/v1/customers/\(customer)").status == 200
            let found = try await server.send(.get, "/v1/customers/\(customer)").status == 200
            #expect(found || !known, "point \(point)")
        }
        // Unanswered requests are repeated, and notifications in any case.
        for step in KilledServer.steps.prefix(2) + KilledServer.steps.dropFirst(answered) {
            #expect(try await step(server) == 200, "point \(point)")
        }
        #expect(try await server.storedNotifications().sorted() == reference.storedNotifications().sorted())
        let events = try await server.events()
        #expect(events.map(\.sequence) == Array(1...Int64(events.count)), "point \(point)")
        let expected = try await reference.events()
        #expect(
            events.map { "\($0.event.kind) \($0.event.transactionID?.rawValue ?? "")" }.sorted()
                == expected.map { "\($0.event.kind) \($0.event.transactionID?.rawValue ?? "")" }.sorted(),
            "point \(point)"
        )
        for customer in KilledServer.customers {
            let path = "/v1/customers/\(customer)"
            let answer = try await server.send(.get, path)
            let expected = try await reference.send(.get, path)
            #expect(try Self.content(of: expected) == Self.content(of: answer), "point \(point)")
            let versions = [try expected.integer("state_version"), try answer.integer("state_version")]
            let (least, found) = (try #require(versions[0]), try #require(versions[1]))
            #expect((least...least + 1).contains(found), "point \(point)")
            // Evaluated again from the stored inputs only, the answer is the same.
            let now = server.time.now().milliseconds
            #expect(try await server.send(.get, "\(path)?as_of=\(now)").bytes == answer.bytes, "point \(point)")
        }
        try await database.close()
    }

    /// The customer without the version. A repeated submission is signed again here, which can increase the version.
    private static func content(of answer: Answer) throws -> [UInt8] {
        var object = try answer.json()
        object["state_version"] = nil
        return object.serialize()
    }

    /// Calls a body with the address of a new database.
    private func withAddress(_ engine: Engine, _ body: (String) async throws -> Void) async throws {
        switch engine {
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try await body("sqlite:" + folder.appendingPathComponent("killed.db").path)
            try FileManager.default.removeItem(at: folder)
        case .postgreSQL:
            let server = try PostgreSQLTestServer.shared()
            try await body(server.url(schema: try server.makeSchema()))
        }
    }
}

/// The work of the killed process. It writes the number of steps that were answered 200 to a file.
enum KilledServer {
    typealias Step = @Sendable (ServerFixture) async throws -> Int

    static let owner = "00000000-0000-4000-8000-100000000001"
    static let customers = [owner, "u_2"]

    /// Notifications, a submission by an app, a definition by an operator, and due work.
    static let steps: [Step] = [
        { try await $0.notify(period(0, signedBy: $0.apple)).status },
        { try await $0.notify(period(1, signedBy: $0.apple)).status },
        { server in
            let transaction = SignedApple.period(id: "3000", original: "3000")
            return try await server.submit(try server.apple.sign(transaction), customer: "u_2").status
        },
        { try await $0.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#).status },
        { server in
            server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 45 * 86_400_000))
            _ = try await server.services.duePurchases.settle(until: server.time.now())
            return 200
        },
    ]

    /// Runs all steps on a database.
    static func run(at address: String, points: KillingDatabase.Points, progress path: String?) async throws {
        let engine = try await DatabaseAddress.open(address)
        let server = try await ServerFixture(database: KillingDatabase(engine: engine, points: points))
        for (number, step) in steps.enumerated() {
            let status = try await step(server)
            if status == 200, let path { try "\(number + 1)".write(toFile: path, atomically: true, encoding: .utf8) }
        }
        try await engine.close()
    }

    /// The number of steps that were answered 200.
    static func answeredSteps(in path: String) -> Int {
        (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0) } ?? 0
    }

    private static func period(_ renewal: Int, signedBy apple: SignedApple) throws -> String {
        let month: Int64 = 30 * 86_400_000
        var transaction = SignedApple.period(
            id: "200000000000000\(renewal + 1)",
            original: "2000000000000001",
            token: owner,
            signedAt: ServerFixture.now + Int64(renewal)
        )
        transaction.purchaseDate += Int64(renewal) * month
        transaction.expiresDate = ServerFixture.now + Int64(renewal + 1) * month
        let uuid = "5b0f7a52-6d0c-4d0e-9f55-00000000000\(renewal)"
        return try apple.notification(uuid, type: renewal == 0 ? .subscribed : .didRenew, transaction: transaction)
    }
}
