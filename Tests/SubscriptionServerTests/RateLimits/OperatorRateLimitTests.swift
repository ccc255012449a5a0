import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// The rate limits of people who operate the server, by whole requests.
@Suite struct `Rate limits of operators` {
    private static let client = "198.51.100.1"
    private static let signIn = "/v1/operator_sessions"

    private let time = MovedTime()

    private func server(_ limits: RateLimits) async throws -> ServerFixture {
        try await ServerFixture(waiting: ImmediateClock(), rateLimits: limits, uptime: time.source)
    }

    private static func operators(of server: ServerFixture) -> OperatorAdministration {
        let hashing = PasswordHashing(cost: OperatorScene.cost)
        return OperatorAdministration(database: server.database, hashing: hashing, time: server.time)
    }

    @Test func `count all keys of a person together`() async throws {
        let server = try await server(RateLimits(requestsPerSecond: 2, burst: 3))
        let operators = Self.operators(of: server)
        let who = Operator("test")
        let first = try await operators.add("anna", role: .viewer, apps: nil, key: .init(), by: who)
        let second = try await operators.addKey(.init(), to: "anna", by: who)
        let other = try await operators.add("ben", role: .viewer, apps: nil, key: .init(), by: who)
        let app: HTTPFields = [try #require(HTTPField.Name("Perennial-App")): ServerFixture.app.rawValue]
        for (key, remaining) in [(first, "2"), (second, "1"), (first, "0")] {
            let answer = try await server.send(.get, "/v1/app", key: key, headers: app)
            #expect(answer.status == 200 && answer.rateLimit[1] == remaining)
        }
        for key in [first, second] {
            let refused = try await server.send(.get, "/v1/app", key: key, headers: app)
            #expect(refused.status == 429)
            #expect(try refused.errorCode() == "rate_limited")
        }
        #expect(try await server.send(.get, "/v1/app", key: other, headers: app).status == 200)
        #expect(try await server.send(.get, "/v1/app").status == 200)
        time.advance(seconds: 1)
        #expect(try await server.send(.get, "/v1/app", key: second, headers: app).status == 200)
    }

    @Test func `count a sign-in as twenty requests of its address`() async throws {
        let server = try await server(RateLimits(addressRequestsPerSecond: 1, addressBurst: 50))
        _ = try await Self.operators(of: server)
            .add("anna", role: .viewer, apps: nil, password: OperatorScene.password, by: Operator("test"))
        let body = #"{"name":"anna","password":"a wrong password","totp":"000000"}"#
        for remaining in ["30", "10"] {
            let answer = try await server.send(from: Self.client, .post, Self.signIn, key: nil, body: body)
            #expect(answer.status == 401 && answer.rateLimit[0...1] == ["50", remaining])
        }
        let refused = try await server.send(from: Self.client, .post, Self.signIn, key: nil, body: body)
        #expect(refused.status == 429 && refused.header(.retryAfter) == "10")
        #expect(try refused.errorCode() == "rate_limited")
        // The refused one was not checked, so it is no failure of the person.
        let failures = try await Self.operators(of: server).view(of: "anna").account.failures
        #expect(failures == 2)
        let other = try await server.send(from: "198.51.100.2", .post, Self.signIn, key: nil, body: body)
        #expect(other.status == 401)
        // Other routes for sessions cost one request.
        let session = try await server.send(from: Self.client, .get, "\(Self.signIn)/current", key: "os_wrong")
        #expect(session.status == 401 && session.rateLimit[1] == "9")
        time.advance(seconds: 11)
        #expect(try await server.send(from: Self.client, .post, Self.signIn, key: nil, body: body).status == 401)
    }
}
