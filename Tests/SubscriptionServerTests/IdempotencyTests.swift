import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// `Idempotency-Key`: a repeated request has one effect.
@Suite struct `Requests with an idempotency key` {
    private static let path = "/v1/customers/u_42/grants"
    private static let body = #"{"entitlement_id":"pro"}"#

    private static func headers(_ key: String) throws -> HTTPFields {
        [try #require(HTTPField.Name("Idempotency-Key")): key]
    }

    @Test func `return the first answer byte for byte when repeated, and grant nothing more`() async throws {
        let server = try await ServerFixture()
        let first = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        let second = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        #expect(first.status == 200)
        #expect(second.status == first.status)
        #expect(second.bytes == first.bytes)
        #expect(second.headers[try #require(HTTPField.Name("Idempotency-Replayed"))] == "true")
        #expect(try await server.send(.get, Self.path).count("data") == 1)
        let other = try await server.send(.post, Self.path, headers: Self.headers("k2"), body: Self.body)
        #expect(try other.string("id") != first.string("id"))
        #expect(try await server.send(.get, Self.path).count("data") == 2)
    }

    @Test(arguments: [
        ("/v1/customers/u_42/grants", #"{"entitlement_id":"other"}"#),
        ("/v1/customers/u_43/grants", #"{"entitlement_id":"pro"}"#),
    ])
    func `are rejected if the key was used for another request`(path: String, body: String) async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        let answer = try await server.send(.post, path, headers: Self.headers("k1"), body: body)
        #expect(answer.status == 409)
        #expect(try answer.errorCode() == "idempotency_key_reused")
        #expect(try answer.bool("error", "retryable") == false)
    }

    @Test func `can be repeated with the same key after a rejection`() async throws {
        let server = try await ServerFixture()
        _ = try await server.send(.put, "/v1/entitlements/basic", body: #"{"product_ids":["basic"]}"#)
        let refused = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        #expect(refused.status == 400)
        _ = try await server.send(.put, "/v1/entitlements/pro", body: #"{"product_ids":["pro.monthly"]}"#)
        let granted = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        #expect(granted.status == 200)
    }

    @Test func `have separate keys per environment and kind of API key`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        let body = #"{"app_user_id":"u_42","signed_transaction":"\#(signed)"}"#
        _ = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        for (path, key, body) in [
            ("/v1/transactions", ServerFixture.publishable, body), (Self.path, ServerFixture.sandboxSecret, Self.body),
        ] {
            let answer = try await server.send(.post, path, key: key, headers: Self.headers("k1"), body: body)
            #expect(answer.status == 200)
            #expect(answer.headers[try #require(HTTPField.Name("Idempotency-Replayed"))] == nil)
        }
    }

    /// Otherwise the second admin would get the secret of the first one's endpoint.
    @Test func `have separate keys per API key and per operator`() async throws {
        let server = try await ServerFixture()
        let who = Operator("test")
        let draft = APIKeys.Draft(kind: .secret, scope: .admin)
        let second = try await server.services.apiKeys.create(draft, app: ServerFixture.app, by: who).text
        let hashing = PasswordHashing(cost: OperatorScene.cost)
        let operators = OperatorAdministration(database: server.database, hashing: hashing, time: server.time)
        let anna = try await operators.add("anna", role: .admin, apps: nil, key: .init(), by: who)
        let annasOther = try await operators.addKey(.init(), to: "anna", by: who)
        var headers = try Self.headers("k1")
        headers[try #require(HTTPField.Name("Perennial-App"))] = ServerFixture.app.rawValue
        var made: [String?] = []
        var secrets: [JSONValue?] = []
        for key in [ServerFixture.secret, second, anna, annasOther] {
            let body = #"{"url":"https://example.com/hook"}"#
            let answer = try await server.send(.post, "/v1/webhook_endpoints", key: key, headers: headers, body: body)
            #expect(answer.status == 201)
            made.append(try answer.string("id"))
            secrets.append(try answer.objects("secrets").first?["secret"])
        }
        #expect(Set(made[..<3]).count == 3 && Set(secrets[..<3]).count == 3)
        #expect(!secrets.contains(nil))
        // All keys of a person are one caller.
        #expect(made[2] == made[3] && secrets[2] == secrets[3])
    }

    /// A holder of a publishable key could otherwise fill the database with answers.
    @Test func `are not stored under a publishable key`() async throws {
        let server = try await ServerFixture()
        let signed = try server.apple.sign(SignedApple.period())
        let body = #"{"app_user_id":"u_42","signed_transaction":"\#(signed)"}"#
        var answers: [[UInt8]] = []
        for _ in 1...2 {
            let answer = try await server.send(
                .post,
                "/v1/transactions",
                key: ServerFixture.publishable,
                headers: Self.headers("k1"),
                body: body
            )
            #expect(answer.status == 200)
            answers.append(answer.bytes)
        }
        #expect(answers[0] == answers[1])
        let key = try #require(ServerFixture.stored(idempotencyKey: "k1", of: ServerFixture.publishable))
        let stored = try await server.database.read { storage throws(StorageError) in
            try storage.idempotencyRecord(key, of: ServerFixture.app)
        }
        #expect(stored == nil)
    }

    @Test(arguments: ["", "a b", "ü", String(repeating: "k", count: 256)])
    func `are rejected if the key is invalid`(key: String) async throws {
        let server = try await ServerFixture()
        let answer = try await server.send(.post, Self.path, headers: Self.headers(key), body: Self.body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == "parameter_invalid")
    }

    @Test func `wait for a concurrent copy, and run again if its process ended`() async throws {
        let database = InMemoryDatabase()
        let time = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        let idempotency = Idempotency(database: database, time: time)
        let app = ServerFixture.app
        let since = time.now()
        #expect(try await idempotency.begin("k", digest: [1], app: app) == .proceed(since: since))
        let error = await #expect(throws: OperationError.self) {
            try await idempotency.begin("k", digest: [1], app: app)
        }
        #expect(error?.code == "idempotency_key_in_use")
        #expect(error?.isRetryable == true)
        time.advance(to: time.now().adding(milliseconds: Idempotency.workMillisecondsMax))
        #expect(try await idempotency.begin("k", digest: [1], app: app) == .proceed(since: since))
        try await idempotency.release("k", digest: [1], since: since, app: app)
        #expect(try await idempotency.begin("k", digest: [1], app: app) == .proceed(since: since))
        let answer = IdempotencyRecord.Answer(status: 200, body: [7])
        try await idempotency.finish("k", digest: [1], since: since, answer: answer, app: app)
        #expect(try await idempotency.begin("k", digest: [1], app: app) == .replay(answer))
        time.advance(to: time.now().adding(milliseconds: Idempotency.lifetimeMilliseconds + 1))
        let later = try await idempotency.begin("k", digest: [1], app: app)
        #expect(later == .proceed(since: time.now()), "a day later it is a new request")
    }

    @Test func `run again with the same key a day later`() async throws {
        let clock = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now))
        let server = try await ServerFixture(requestTime: clock)
        let first = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        clock.advance(to: clock.now().adding(milliseconds: Idempotency.lifetimeMilliseconds + 1))
        let second = try await server.send(.post, Self.path, headers: Self.headers("k1"), body: Self.body)
        #expect(second.status == 200)
        #expect(try second.string("id") != first.string("id"))
        #expect(try await server.send(.get, Self.path).count("data") == 2)
    }

    @Test(arguments: [true, false])
    func `are not repeated after an uncertain commit, and return an error without a key`(hasKey: Bool) async throws {
        let database = UncertainCommitDatabase()
        let server = try await ServerFixture(database: database)
        let headers = hasKey ? try Self.headers("k1") : [:]
        database.loseNextCommit()
        let lost = try await server.send(.post, Self.path, headers: headers, body: Self.body)
        #expect(lost.status == 503)
        #expect(try lost.errorCode() == "outcome_unknown")
        #expect(try lost.bool("error", "retryable") == hasKey)
        #expect(try await server.send(.get, Self.path).count("data") == 1)
        guard hasKey else { return }
        let copy = try await server.send(.post, Self.path, headers: headers, body: Self.body)
        #expect(copy.status == 200)
        #expect(try await server.send(.get, Self.path).count("data") == 1)
    }
}
