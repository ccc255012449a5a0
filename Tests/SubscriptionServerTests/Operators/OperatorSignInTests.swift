import AppStoreModel
import HTTPTypes
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageTesting
import Testing

/// Sessions of people who operate the server.
@Suite struct `The sign-in of an operator` {
    private static let current = "/v1/operator_sessions/current"

    @Test func `makes a session that works until it is ended`() async throws {
        let scene = try await OperatorScene()
        try await scene.add("Anna", apps: [ServerFixture.app])
        let answer = try await scene.signIn("anna", code: try await scene.code(of: "anna"))
        #expect(answer.status == 200)
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(try answer.string("object") == "operator_session")
        #expect(try answer.integer("expires_at") == scene.clock.now().milliseconds + 43_200_000)
        #expect(try answer.string("operator", "name") == "Anna")
        #expect(try answer.string("operator", "role") == "support")
        #expect(try answer.json()["operator"]?.objectValue?["apps"] == .array([.string(ServerFixture.app.rawValue)]))
        let token = try #require(try answer.string("token"))
        #expect(token.hasPrefix("os_"))

        let me = try await scene.server.send(.get, Self.current, key: token)
        #expect(me.status == 200 && me.headers[.cacheControl] == "no-store")
        #expect(try me.string("scope") == "write")
        #expect(try me.string("kind") == "session")
        #expect(try me.json()["apps"] == .array([.string(ServerFixture.app.rawValue)]))
        #expect(try await scene.send(.get, "/v1/app", key: token).status == 200)

        let out = try await scene.server.send(.delete, Self.current, key: token)
        #expect(out.status == 200)
        for path in [Self.current, "/v1/app"] {
            let refused = try await scene.send(.get, path, key: token)
            #expect(refused.status == 401)
            #expect(try refused.errorCode() == "key_invalid")
        }
        let actions = try await scene.audit().map(\.action).sorted()
        #expect(actions == ["operator.created", "operator.signed_in", "operator.signed_out"])
        #expect(try await scene.audit(of: OperatorScene.sandbox).isEmpty)
        let entry = try #require(try await scene.audit().first { $0.action == "operator.signed_out" })
        #expect(entry.actor == "operator Anna (support)" && entry.target == "operator:Anna")
    }

    @Test func `is refused in the same way whatever is wrong`() async throws {
        let scene = try await OperatorScene()
        for name in ["anna", "disabled", "locked"] { try await scene.add(name) }
        _ = try await scene.addKey("script", role: .admin)
        try await scene.operators.change("disabled", .init(isDisabled: true), by: Operator("test"))
        for _ in 0..<5 { _ = try await scene.signIn("locked", code: "000000") }
        let right = try await scene.code(of: "anna")
        let answers = [
            try await scene.signIn("nobody", code: right),
            try await scene.signIn("anna", password: "wrong horse battery", code: right),
            try await scene.signIn("anna", code: right == "000000" ? "000001" : "000000"),
            try await scene.signIn("anna", code: "x"),
            try await scene.signIn("disabled", code: try await scene.code(of: "disabled")),
            try await scene.signIn("locked", code: try await scene.code(of: "locked")),
            try await scene.signIn("script", code: right),
        ]
        for answer in answers {
            #expect(answer.status == 401)
            #expect(try answer.errorCode() == "sign_in_failed")
            #expect(try answer.string("error", "message") == answers[0].string("error", "message"))
            #expect(answer.headers[.retryAfter] == nil)
        }
        #expect(try await scene.signIn("anna", code: right).status == 200)
        let malformed = try await scene.server.send(.post, "/v1/operator_sessions", key: nil, body: #"{"name":"a"}"#)
        #expect(try malformed.errorCode() == "parameter_missing")
    }

    @Test func `accepts each code once`() async throws {
        let scene = try await OperatorScene()
        try await scene.add("anna")
        let code = try await scene.code(of: "anna")
        #expect(try await scene.signIn("anna", code: code).status == 200)
        #expect(try await scene.signIn("anna", code: code).status == 401)
        scene.advance(seconds: 30)
        #expect(try await scene.signIn("anna", code: code).status == 401, "it is in the window, but used")
        #expect(try await scene.signIn("anna", code: try await scene.code(of: "anna")).status == 200)
    }

    @Test func `locks a person after five failures, for twice as long after each further one`() async throws {
        let scene = try await OperatorScene()
        try await scene.add("anna")
        for _ in 0..<5 { #expect(try await scene.signIn("anna", code: "x").status == 401) }
        for minutes in [1, 2, 4, 8, 16, 32, 60, 60] as [Int64] {
            let until = scene.clock.now().adding(milliseconds: minutes * 60_000)
            #expect(try await scene.operators.view(of: "anna").account.lockedUntil == until)
            scene.advance(seconds: minutes * 60 - 1)
            #expect(try await scene.signIn("anna", code: try await scene.code(of: "anna")).status == 401)
            #expect(try await scene.operators.view(of: "anna").account.lockedUntil == until, "it is not extended")
            scene.advance(seconds: 1)
            #expect(try await scene.signIn("anna", code: "x").status == 401)
        }
        let locks = try await scene.audit().filter { $0.action == "operator.locked" }
        #expect(locks.count == 9)
        for failures in 5...13 { #expect(locks.contains { $0.after?.contains(#""failures":\#(failures),"#) == true }) }
        try await scene.operators.unlock("anna", by: Operator("test"))
        for _ in 0..<4 { #expect(try await scene.signIn("anna", code: "x").status == 401) }
        #expect(try await scene.signIn("anna", code: try await scene.code(of: "anna")).status == 200)
        #expect(try await scene.operators.view(of: "anna").account.failures == 0)
    }

    @Test func `ends after its time, and the oldest of too many sessions ends first`() async throws {
        let scene = try await OperatorScene()
        try await scene.add("anna")
        var tokens: [String] = []
        for _ in 0..<21 {
            tokens.append(try await scene.session(of: "anna"))
            scene.advance(seconds: 30)
        }
        #expect(try await scene.server.send(.get, Self.current, key: tokens[0]).status == 401)
        #expect(try await scene.server.send(.get, Self.current, key: tokens[1]).status == 200)
        scene.advance(seconds: 43_200 - 30)
        #expect(try await scene.server.send(.get, Self.current, key: tokens[20]).status == 401)
        _ = try await scene.session(of: "anna")
        #expect(try await scene.operators.view(of: "anna").keys.count == 1)
    }

    @Test func `stores a password with the current cost`() async throws {
        let database = InMemoryDatabase()
        let before = try await OperatorScene(database: database)
        try await before.add("anna")
        let raised = PasswordCost(logRounds: 5, blockSize: 8, parallelism: 1)
        let after = try await OperatorScene(database: database, passwords: PasswordHashing(cost: raised))
        #expect(try await after.signIn("anna", code: "x").status == 401)
        let old = try await after.operators.view(of: "anna").account.password
        #expect(old?.hasPrefix("$scrypt$ln=4,") == true)
        #expect(try await after.signIn("anna", code: try await after.code(of: "anna")).status == 200)
        let new = try await after.operators.view(of: "anna").account.password
        #expect(new?.hasPrefix("$scrypt$ln=5,") == true)
        after.advance(seconds: 30)
        #expect(try await after.signIn("anna", code: try await after.code(of: "anna")).status == 200)
    }

    @Test func `does not end a key, which only a command revokes`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("script", role: .viewer)
        let refused = try await scene.server.send(.delete, Self.current, key: key)
        #expect(try refused.errorCode() == "operator_session_required")
        #expect(try await scene.server.send(.get, Self.current, key: key).json()["expires_at"] == .null)
        let secret = try await scene.server.send(.get, Self.current, key: ServerFixture.secret)
        #expect(secret.status == 401)
        #expect(try secret.errorCode() == "operator_key_required")
    }

    @Test func `with the same code succeeds on one of two servers`() async throws {
        let postgreSQL = try PostgreSQLTestServer.shared()
        let url = postgreSQL.url(schema: try postgreSQL.makeSchema())
        let first = try await OperatorScene(database: try await PostgreSQLDatabase.open(url: url, options: .patient))
        let second = try await OperatorScene(
            database: try await PostgreSQLDatabase.open(url: url, options: .patient),
            apple: first.server.apple
        )
        try await first.add("anna")
        for _ in 0..<10 {
            let code = try await first.code(of: "anna")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for scene in [first, second, first, second] {
                    group.addTask { try await scene.signIn("anna", code: code).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 401, 401, 401])
            for scene in [first, second] { scene.advance(seconds: 30) }
            // Three failures may follow each success.
            try await first.operators.unlock("anna", by: Operator("test"))
        }
        let sessions = try await first.operators.view(of: "anna").keys
        #expect(sessions.count == 10)
        for scene in [first, second] { try await scene.server.database.close() }
    }
}
