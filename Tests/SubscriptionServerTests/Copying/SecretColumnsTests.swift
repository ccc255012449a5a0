import AppStoreModel
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Every secret that a server stores is in a table that an export leaves out unless it was asked for keys.
///
/// A server handles known secrets on all its routes. Then each stored value is searched for each of them. So a table
/// without its mark in `CopiedTables` is found by its contents, not by its name.
@Suite struct `The secrets of a server` {
    /// A known secret in every form in which it may be stored.
    private struct Secret {
        let name: String
        let forms: [[UInt8]]

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            let digest = Array(SHA256.hash(data: bytes))
            forms = [bytes, digest].flatMap { bytes in
                let texts = [Base64.encode(bytes, .standard), Base64.encode(bytes, .url)].map { text in
                    // Padding depends on the writer.
                    Array(String(decoding: text, as: UTF8.self).replacing("=", with: "").utf8)
                }
                return [bytes, Array(bytes.hexadecimal.utf8)] + texts
            }
        }

        init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }

        func isIn(_ bytes: some Collection<UInt8>) -> Bool {
            let data = Data(bytes)
            return forms.contains { data.firstRange(of: $0) != nil }
        }
    }

    @Test(arguments: CopyEngine.allCases)
    func `are only in the tables that are marked as secret`(engine: CopyEngine) async throws {
        try await withCopyFolder { folder in
            let database = try await engine.open(in: folder)
            let secrets = try await Self.use(database)
            var found: [String: Set<String>] = [:]
            for (table, rows) in try await database.allRows() {
                for value in rows.joined() {
                    for secret in secrets where secret.isIn(value.bytes) {
                        found[table, default: []].insert(secret.name)
                    }
                }
            }
            // Each mark is needed, and each secret was stored or must not be stored at all.
            #expect(Set(found.keys) == Set(CopiedTables.all.filter(\.isSecret).map(\.name)), "\(found)")
            #expect(found["api_keys"] == ["secret key", "publishable key", "sandbox key", "new key", "key of a route"])
            #expect(found["operators"] == ["secret of codes"])
            #expect(found["operator_keys"] == ["operator key", "operator session"])
            #expect(found["signing_keys"] == ["private key"])
            #expect(found["webhook_secrets"] == ["webhook secret", "webhook authorization"])

            let export = folder.appendingPathComponent("export")
            _ = try await DatabaseExport(of: database, to: export.path, withKeys: false).run()
            for (name, content) in try files(in: export) {
                for secret in secrets { #expect(!secret.isIn(content), "\(secret.name) in \(name)") }
            }
            try await database.close()
        }
    }

    @Test func `do not include the answer with an entitlement token, which a copy makes again`() async throws {
        let server = try await ServerFixture()
        _ = try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1")
        let headers: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k1"]
        let path = "/v1/customers/u_1/entitlement_token"
        let first = try await server.send(.post, path, headers: headers)
        server.time.advance(to: Timestamp(milliseconds: ServerFixture.now + 60_000))
        let second = try await server.send(.post, path, headers: headers)
        #expect(first.status == 200)
        #expect(second.status == 200)
        #expect(try first.string("token") != second.string("token"))
        let other = try await server.send(.post, "/v1/customers/u_2/entitlement_token", headers: headers)
        #expect(try other.errorCode() == "idempotency_key_reused")
    }

    // MARK: Use

    /// Sends a request to every route that changes something, and makes and rotates keys as the commands do.
    ///
    /// - Returns: The secrets that the server handled.
    private static func use(_ database: any SubscriptionDatabase) async throws -> [Secret] {
        let server = try await ServerFixture(database: database, appStore: ScriptedAppStore())
        let created = KeyIssuing.makeKey(.secret)
        var secrets = [
            Secret("secret key", ServerFixture.secret), Secret("publishable key", ServerFixture.publishable),
            Secret("sandbox key", ServerFixture.sandboxSecret), Secret("new key", created),
            Secret("shared secret", ScriptedAppStore.sharedSecret),
        ]
        let now = Timestamp(milliseconds: ServerFixture.now)
        let record = try #require(KeyIssuing.record(of: created, app: ServerFixture.app, createdAt: now))
        try await database.write { storage throws(StorageError) in
            try storage.insert(record)
            let who = Operator("perennial keys create")
            try storage.audit(.keyCreated, .key(record.shownText), by: who, app: record.appID, at: now)
        }
        let (ofOperator, code) = try await addOperator(to: database)
        secrets += ofOperator
        secrets += try await visitRoutes(of: server, code: code)
        // What is sent is stored, without its signature and its Authorization.
        try await server.services.webhookDispatcher.settle()
        let old = try await privateKey(database)
        secrets.append(Secret("old private key", old))
        _ = try await EntitlementTokens.rotate(in: database, at: now, by: Operator("perennial keys rotate-signing"))
        secrets.append(Secret("private key", try await privateKey(database)))
        return secrets
    }

    private static let password = "correct horse battery"
    private static let endedSession = "os_0123456789abcdef0123456789abcdef0123456789abcdef"

    /// Adds an operator with a key and a session.
    ///
    /// - Returns: The secrets, and a code for the next sign-in.
    private static func addOperator(to database: any SubscriptionDatabase) async throws -> ([Secret], String) {
        let operators = OperatorAdministration(
            database: database,
            hashing: PasswordHashing(cost: OperatorScene.cost)
        )
        let who = Operator("perennial operators add")
        _ = try await operators.add("anna", role: .admin, apps: nil, password: password, by: who)
        let key = try await operators.addKey(.init(label: "CI"), to: "anna", by: who)
        let account = try await operators.view(of: "anna").account
        let now = SystemTimeSource().now()
        let session = OperatorKey(
            digest: KeyIssuing.digest(endedSession),
            operatorID: account.id,
            kind: .session,
            hint: "cdef",
            createdAt: now,
            expiresAt: now.adding(milliseconds: 3_600_000)
        )
        try await database.write { storage throws(StorageError) in try storage.insert(session) }
        let secret = try #require(account.totpSecret)
        return (
            [
                Secret("password", password), Secret("operator key", key), Secret("ended session", endedSession),
                Secret("secret of codes", secret),
            ],
            OneTimeCode.code(of: OneTimeCode.step(at: now), secret: secret)
        )
    }

    private static func privateKey(_ database: any SubscriptionDatabase) async throws -> [UInt8] {
        let keys = try await database.read { storage throws(StorageError) in try storage.signingKeys() }
        return try #require(keys.last { $0.privateKey != nil }?.privateKey)
    }

    private struct Visit {
        let method: HTTPRequest.Method
        let route: String
        let path: String
        let body: String?

        init(_ method: HTTPRequest.Method, _ route: String, _ values: [String] = [], _ body: String? = nil) {
            (self.method, self.route, self.body) = (method, "/v1/" + route, body)
            var rest = values[...]
            path = self.route.split(separator: "/", omittingEmptySubsequences: false).map { part in
                part.first == "{" ? rest.popFirst() ?? "" : String(part)
            }.joined(separator: "/")
        }
    }

    /// - Returns: The secrets that the server made or was given.
    private static func visitRoutes(of server: ServerFixture, code: String) async throws -> [Secret] {
        let authorization = "Bearer 8c1f4d2e-webhook-authorization"
        let signed = try server.apple.sign(SignedApple.period())
        let notification = try server.apple.notification()
        let versionOne = """
            {"notification_type":"DID_RENEW","environment":"PROD","bid":"\(ServerFixture.bundle)",\
            "password":"\(ScriptedAppStore.sharedSecret)","original_transaction_id":2000000000000001}
            """
        let visits: [Visit] = [
            Visit(.post, "transactions", [], #"{"app_user_id":"u_1","signed_transaction":"\#(signed)"}"#),
            Visit(.post, "apple/notifications", [], #"{"signedPayload":"\#(notification)"}"#),
            Visit(.post, "apple/notifications", [], versionOne),
            Visit(.post, "apple/test_notifications"),
            Visit(.post, "lookups/order", [], #"{"order_id":"MK5TTTVWJH"}"#),
            Visit(
                .put,
                "purchases/{id}/app_account_token",
                ["2000000000000001"],
                #"{"app_account_token":"0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"}"#
            ),
            Visit(.post, "transactions/{id}/finish", ["2000000000000001"]),
            Visit(.put, "purchases/{id}/consumption", ["2000000000000001"], #"{"customer_consented":true}"#),
            Visit(.put, "entitlements/{id}", ["pro"], #"{"product_ids":["pro.monthly"]}"#),
            Visit(.put, "products", [], #"{"products":[]}"#),
            Visit(.patch, "app", [], #"{"transfer_policy":"share"}"#),
            Visit(.post, "customers/{app_user_id}/entitlement_token", ["u_1"]),
            Visit(.post, "customers/{app_user_id}/aliases", ["u_1"], #"{"alias":"also"}"#),
            Visit(.put, "customers/{app_user_id}/attributes", ["u_1"], #"{"attributes":{"a":"b"}}"#),
            Visit(.patch, "customers/{app_user_id}/attributes", ["u_1"], #"{"attributes":{"c":"d"}}"#),
            Visit(.post, "customers/{app_user_id}/refresh", ["u_1"]),
            Visit(.post, "customers/{app_user_id}/grants", ["u_1"], #"{"entitlement_id":"pro"}"#),
            Visit(.delete, "customers/{app_user_id}/grants/{id}", ["u_1", "g"]),
            Visit(.post, "transfers", [], #"{"from":"u_1","to":"u_2"}"#),
            Visit(.post, "transfers/{id}/undo", ["t"]),
            Visit(.post, "subscriptions/{id}/extensions", ["1"], #"{"extend_by_days":7,"reason":"outage"}"#),
            Visit(
                .post,
                "extension_campaigns",
                [],
                #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"outage"}"#
            ),
            Visit(.post, "extension_campaigns/{id}/dry_run", ["xc_1"]),
            Visit(.post, "extension_campaigns/{id}/approve", ["xc_1"]),
            Visit(.post, "extension_campaigns/{id}/start", ["xc_1"]),
            Visit(.post, "extension_campaigns/{id}/cancel", ["xc_1"]),
            Visit(.post, "recovery/windows", [], #"{"from":\#(ServerFixture.now - 9_000),"to":\#(ServerFixture.now)}"#),
            Visit(
                .post,
                "webhook_endpoints",
                [],
                #"{"url":"https://example.com/","after":"beginning","authorization":"\#(authorization)"}"#
            ),
            Visit(.patch, "webhook_endpoints/{id}", ["ENDPOINT"], #"{"label":"backend"}"#),
            Visit(.post, "webhook_endpoints/{id}/rotate", ["ENDPOINT"]),
            Visit(.post, "webhook_endpoints/{id}/test", ["ENDPOINT"]),
            Visit(.post, "webhook_endpoints/{id}/resend", ["ENDPOINT"], #"{"after":"beginning"}"#),
            Visit(.post, "webhook_deliveries/{id}/resend", ["wd_1_1"]),
            Visit(.delete, "webhook_endpoints/{id}", ["we_1"]),
            Visit(.post, "api_keys", [], #"{"scope":"read"}"#),
            Visit(.post, "api_keys/{id}/rotate", ["KEY"]),
            Visit(.delete, "api_keys/{id}", ["key_1"]),
            Visit(.delete, "customers/{app_user_id}", ["u_9"]),
            Visit(.delete, "operator_sessions/current"),
            Visit(
                .post,
                "operator_sessions",
                [],
                #"{"name":"anna","password":"\#(password)","totp":"\#(code)"}"#
            ),
        ]
        // A new route belongs here: it may store another secret.
        let routes = buildRouter(services: server.services, clock: nil, logger: Logger(label: "test")).routes
        let changing = routes.filter { $0.method != .get && $0.method != .head }.map { "\($0.method) \($0.path)" }
        #expect(Set(visits.map { "\($0.method) \($0.route)" }) == Set(changing))
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        var (endpoint, apiKey) = ("", "")
        var secrets = [Secret("webhook authorization", authorization)]
        for (number, visit) in visits.enumerated() {
            let key: String? =
                switch visit.route {
                // Apple sends no key, and the shared secret of version 1 is in the body.
                case "/v1/apple/notifications", "/v1/operator_sessions": nil
                case "/v1/operator_sessions/current": endedSession
                default: ServerFixture.secret
                }
            let headers: HTTPFields = [name: "k\(number)"]
            let path = visit.path.replacing("ENDPOINT", with: endpoint).replacing("KEY", with: apiKey)
            let answer = try await server.send(visit.method, path, key: key, headers: headers, body: visit.body)
            #expect(answer.status != 401 && answer.status != 403, "\(visit.path)")
            if visit.route.hasSuffix("entitlement_token") {
                secrets.append(Secret("entitlement token", try #require(try answer.string("token"))))
            }
            if visit.route.hasSuffix("operator_sessions") {
                secrets.append(Secret("operator session", try #require(try answer.string("token"))))
            }
            if visit.route.hasSuffix("webhook_endpoints") { endpoint = try #require(try answer.string("id")) }
            if visit.route.hasPrefix("/v1/api_keys"), visit.method == .post {
                secrets.append(Secret("key of a route", try #require(try answer.string("key"))))
                apiKey = try #require(try answer.string("id"))
            } else if visit.route.hasSuffix("webhook_endpoints") || visit.route.hasSuffix("rotate") {
                let secret = try #require(try answer.objects("secrets").first?["secret"]?.stringValue)
                secrets.append(Secret("webhook secret", secret))
            }
        }
        return secrets
    }
}

extension ColumnValue {
    /// The stored bytes of a text or of bytes.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .string(let text): Array(text.utf8)
        case .blob(let bytes): Array(bytes)
        default: []
        }
    }
}
