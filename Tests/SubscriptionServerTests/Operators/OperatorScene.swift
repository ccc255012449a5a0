import HTTPTypes
import Hummingbird
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// A server with people who sign in, and a clock for their codes.
struct OperatorScene {
    static let password = "correct horse battery"
    /// The cost of hashes in tests.
    static let cost = PasswordCost(logRounds: 4, blockSize: 8, parallelism: 1)
    /// The secret of everybody's codes. Two codes of a random secret, or one and a wrong one, may be equal by chance.
    static let codeSecret = Array("12345678901234567890".utf8)
    static let sandbox = AppID(bundleID: ServerFixture.bundle, environment: .sandbox)

    let server: ServerFixture
    /// Real time, as the server reads it.
    let clock: FollowedTimeSource
    let operators: OperatorAdministration

    init(
        database: any SubscriptionDatabase = InMemoryDatabase(),
        apple: SignedApple? = nil,
        passwords: PasswordHashing = PasswordHashing(cost: cost)
    ) async throws {
        clock = FollowedTimeSource(Timestamp(milliseconds: ServerFixture.now + 77_000))
        server = try await ServerFixture(
            database: database,
            apple: apple,
            requestTime: clock,
            waiting: ImmediateClock(),
            passwords: passwords
        )
        operators = OperatorAdministration(database: database, hashing: passwords, time: clock)
    }

    /// Adds a person who signs in.
    func add(_ name: String, role: OperatorRole = .support, apps: [AppID]? = nil) async throws {
        let who = Operator("perennial operators add")
        _ = try await operators.add(name, role: role, apps: apps, password: Self.password, by: who)
        try await server.database.write { storage throws(StorageError) in
            guard var account = try storage.operatorAccount(named: name) else { return }
            account.totpSecret = OperatorScene.codeSecret
            try storage.save(account)
        }
    }

    /// Adds a person with a key.
    func addKey(_ name: String, role: OperatorRole, apps: [AppID]? = nil) async throws -> String {
        let who = Operator("perennial operators add")
        return try await operators.add(name, role: role, apps: apps, key: .init(), by: who)
    }

    /// The current code of a person.
    func code(of name: String) async throws -> String {
        let secret = try #require(try await operators.view(of: name).account.totpSecret)
        return OneTimeCode.code(of: OneTimeCode.step(at: clock.now()), secret: secret)
    }

    /// Moves the clock.
    func advance(seconds: Int64) {
        clock.advance(to: clock.now().adding(milliseconds: seconds * 1_000))
    }

    /// Sends a sign-in.
    func signIn(_ name: String, password: String = password, code: String) async throws -> Answer {
        let body = #"{"name":"\#(name)","password":"\#(password)","totp":"\#(code)"}"#
        return try await server.send(.post, "/v1/operator_sessions", key: nil, body: body)
    }

    /// Signs a person in.
    func session(of name: String) async throws -> String {
        let answer = try await signIn(name, code: try await code(of: name))
        return try #require(try answer.string("token"))
    }

    /// Sends a request about an app.
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        key: String,
        app: String? = ServerFixture.app.rawValue,
        body: String? = nil
    ) async throws -> Answer {
        var headers = HTTPFields()
        if let app { headers[try #require(HTTPField.Name("Perennial-App"))] = app }
        return try await server.send(method, path, key: key, headers: headers, body: body)
    }

    /// The audit log, oldest first.
    func audit(of app: AppID = ServerFixture.app) async throws -> [AuditEntry] {
        try await server.database.read { storage throws(StorageError) in
            try storage.auditEntries(of: app, limit: 1_000).reversed()
        }
    }
}
