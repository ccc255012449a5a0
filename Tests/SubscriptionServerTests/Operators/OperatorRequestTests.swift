import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Requests with an operator's key or session.
@Suite struct `A request by an operator` {
    private static let path = "/v1/app"

    @Test func `names its app unless only one is possible`() async throws {
        let scene = try await OperatorScene()
        let all = try await scene.addKey("anna", role: .viewer)
        let one = try await scene.addKey("ben", role: .viewer, apps: [OperatorScene.sandbox])
        let none = try await scene.send(.get, Self.path, key: all, app: nil)
        #expect(none.status == 400)
        #expect(try none.errorCode() == "app_required")
        let apps = "com.example.app/production, com.example.app/sandbox"
        #expect(try none.string("error", "message")?.contains(apps) == true)
        #expect(try await scene.send(.get, "/v1/app", key: one, app: nil).string("environment") == "sandbox")
        for app in [ServerFixture.app.rawValue, OperatorScene.sandbox.rawValue] {
            let answer = try await scene.send(.get, "/v1/app", key: all, app: app)
            #expect(try answer.string("environment") == AppID(rawValue: app).environment?.rawValue)
        }
    }

    @Test func `is refused for another app and for an unknown one in the same way`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("ben", role: .admin, apps: [OperatorScene.sandbox])
        var messages: Set<String?> = []
        for app in [ServerFixture.app.rawValue, "com.example.unknown/production", "x", ""] {
            let answer = try await scene.send(.get, Self.path, key: key, app: app)
            #expect(answer.status == 403)
            #expect(try answer.errorCode() == "app_not_allowed")
            messages.insert(try answer.string("error", "message"))
        }
        #expect(messages.count == 1)
    }

    @Test func `is in the audit log with the person's name and role`() async throws {
        let scene = try await OperatorScene()
        try await scene.add("Anna", role: .admin)
        let token = try await scene.session(of: "anna")
        let body = #"{"product_ids":["pro.monthly"]}"#
        #expect(try await scene.send(.put, "/v1/entitlements/pro", key: token, body: body).status == 200)
        let entry = try #require(try await scene.audit().last { $0.action == "entitlement.defined" })
        #expect(entry.actor == "operator Anna (admin)")
        #expect(try await scene.audit(of: OperatorScene.sandbox).allSatisfy { $0.action != "entitlement.defined" })
    }

    @Test func `is by the same person with each of the person's keys, when a campaign needs two`() async throws {
        let scene = try await CampaignScene()
        let operators = OperatorAdministration(
            database: scene.database,
            hashing: PasswordHashing(cost: OperatorScene.cost)
        )
        let (apps, who) = ([ServerFixture.app], Operator("test"))
        let first = try await operators.add("anna", role: .operator, apps: apps, key: .init(), by: who)
        let second = try await operators.addKey(.init(), to: "anna", by: who)
        let other = try await operators.add("ben", role: .operator, apps: apps, key: .init(), by: who)
        let draft = try await scene.server.send(.post, CampaignScene.route, key: first, body: CampaignScene.draft)
        let id = try #require(try draft.string("id"))
        #expect(try await scene.call("dry_run", of: id, key: first).status == 202)
        try await scene.settle()
        for key in [first, second] {
            let own = try await scene.call("approve", of: id, key: key)
            #expect(try own.errorCode() == "extension_campaign_own_approval")
        }
        #expect(try await scene.call("approve", of: id, key: other).status == 200)
    }

    @Test func `stops working when the person is disabled or removed`() async throws {
        let scene = try await OperatorScene()
        let key = try await scene.addKey("anna", role: .viewer)
        // A server that has not cached the key yet.
        func status() async throws -> Int {
            let other = try await ServerFixture(
                database: scene.server.database,
                apple: scene.server.apple,
                requestTime: scene.clock
            )
            let headers: HTTPFields = [try #require(HTTPField.Name("Perennial-App")): ServerFixture.app.rawValue]
            return try await other.send(.get, Self.path, key: key, headers: headers).status
        }
        let who = Operator("test")
        #expect(try await status() == 200)
        try await scene.operators.change("anna", .init(isDisabled: true), by: who)
        #expect(try await status() == 401)
        try await scene.operators.change("anna", .init(isDisabled: false), by: who)
        #expect(try await status() == 200)
        try await scene.operators.remove("anna", by: who)
        #expect(try await status() == 401)
    }

    @Test(arguments: ["ok_", "os_", "ok_0123456789", "os_" + String(repeating: "0", count: 48)])
    func `needs a known key`(key: String) async throws {
        let scene = try await OperatorScene()
        try await scene.add("anna")
        let answer = try await scene.send(.get, Self.path, key: key)
        #expect(answer.status == 401)
        #expect(try answer.errorCode() == "key_invalid")
    }

    @Test func `reads the database once in five seconds, and stops at the end of its key`() async throws {
        let database = InMemoryDatabase()
        let scene = try await OperatorScene(database: database)
        let draft = OperatorAdministration.KeyDraft(lifetime: 1_000)
        let key = try await scene.operators.add("anna", role: .viewer, apps: nil, key: draft, by: Operator("test"))
        let known = scene.server.services.operators
        let digest = KeyIssuing.digest(key)
        let access = try #require(try await known.access(by: digest))
        #expect(access.account.name == "anna" && access.apps.count == 2)
        #expect(access.account.password == nil && access.account.totpSecret == nil)
        try await scene.operators.remove("anna", by: Operator("test"))
        #expect(try await known.access(by: digest) == access, "it is cached")
        scene.advance(seconds: 1)
        #expect(try await known.access(by: digest) == nil)
    }
}
