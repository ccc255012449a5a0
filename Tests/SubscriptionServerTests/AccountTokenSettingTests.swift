import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// An operator sets the account token of a purchase through Apple.
@Suite struct `An account token that an operator sets` {
    private static let original = Sample.original
    private static let old = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
    private static let new = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a12"
    private static let route = "/v1/purchases/\(original)/app_account_token"
    private static let applesPath = "/inApps/v1/transactions/\(original)/appAccountToken"
    private static let statusPath = "/inApps/v1/subscriptions/\(original)"
    private static let body = #"{"app_account_token":"\#(new)"}"#

    /// A server with a subscription whose token names a customer, and an App Store that takes another token.
    private struct Scene {
        let store = ScriptedAppStore()
        let server: ServerFixture

        init(limits: AppStoreLimits = AppStoreLimits(), claimedBy customer: String? = nil) async throws {
            server = try await ServerFixture(appStore: store, appStoreLimits: limits)
            server.time.advance(to: Timestamp(milliseconds: Sample.time(10)))
            let period = Sample.period(0, signed: 1) { $0.appAccountToken = old }
            let notified = try await server.notify(try server.apple.notification(transaction: period))
            #expect(notified.status == 200)
            if let customer {
                let signed = try server.apple.sign(period)
                #expect(try await server.submit(signed, customer: customer, key: ServerFixture.secret).status == 200)
            }
            store.accept(applesPath)
            try sign(new)
        }

        /// What Apple signs about the subscription from now on.
        func sign(_ token: String, on day: Int64 = 10) throws {
            let period = Sample.period(0, signed: day) { $0.appAccountToken = token }
            store.addSubscription(
                try server.apple.sign(period),
                renewal: try server.apple.sign(Sample.renewal(signed: day)),
                id: original
            )
        }

        func set(_ body: String = body) async throws -> Answer { try await server.send(.put, route, body: body) }

        /// How often Apple was asked to set a token.
        var asked: Int { store.requestedPaths.count { $0 == applesPath } }

        func entries(of purchase: String = original) async throws -> [AuditEntry] {
            try await server.database.read { storage throws(StorageError) in
                try storage.auditEntries(of: ServerFixture.app, about: "purchase:\(purchase)", limit: 100)
            }
        }

        func audited() async throws -> [String] { try await entries().map(\.action).sorted() }

        func subscriptions(of customer: String) async throws -> Int? {
            try await server.send(.get, "/v1/customers/\(customer)").count("subscriptions")
        }
    }

    @Test func `moves the purchase to the customer that it names`() async throws {
        let scene = try await Scene()
        #expect(try await scene.subscriptions(of: Self.old) == 1)
        let answer = try await scene.set(#"{"app_account_token":"\#(Self.new.uppercased())"}"#)
        #expect(answer.status == 200)
        #expect(
            try answer.json() == [
                "object": "app_account_token", "purchase_id": .string(Self.original),
                "app_account_token": .string(Self.new), "previous_app_account_token": .string(Self.old),
                "confirmed": true, "app_user_id": .string(Self.new), "previous_app_user_id": .string(Self.old),
                "names_owner": true,
            ]
        )
        #expect(scene.store.lastBody(of: Self.applesPath) == #"{"appAccountToken":"\#(Self.new)"}"#)
        #expect(scene.store.requestedPaths == [Self.applesPath, Self.statusPath])
        #expect(try await scene.subscriptions(of: Self.new) == 1)
        #expect(try await scene.subscriptions(of: Self.old) == 0)
    }

    @Test func `is in the audit log with who, what, before, after and the request`() async throws {
        let scene = try await Scene()
        let answer = try await scene.set()
        let entries = try await scene.entries()
        #expect(entries.map(\.action).sorted() == ["account_token.requested", "account_token.set"])
        let name = try #require(HTTPField.Name("x-request-id"))
        for entry in entries {
            #expect(entry.actor.hasPrefix("key sk_…"))
            #expect(entry.target == "purchase:\(Self.original)")
            #expect(entry.requestID != nil && entry.requestID == answer.headers[name])
            #expect(entry.occurredAt == scene.server.time.now())
            #expect(entry.before == #"{"app_account_token":"\#(Self.old)"}"#)
        }
        let after = Dictionary(entries.map { ($0.action, $0.after) }, uniquingKeysWith: { first, _ in first })
        #expect(after["account_token.requested"] == #"{"app_account_token":"\#(Self.new)"}"#)
        #expect(after["account_token.set"] == #"{"app_account_token":"\#(Self.new)","confirmed":true}"#)
    }

    @Test func `is in the audit log before Apple is asked`() async throws {
        let scene = try await Scene()
        scene.store.setSilent(true)
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await scene.set().status }
            try await ServerFixture.until { scene.asked > 0 }
            #expect(try await scene.audited() == ["account_token.requested"])
            scene.store.setSilent(false)
            #expect(try await group.next() == 200)
        }
        #expect(try await scene.audited() == ["account_token.requested", "account_token.set"])
    }

    @Test func `does not outrank a submission with a secret key`() async throws {
        let scene = try await Scene(claimedBy: "u_7")
        let answer = try await scene.set()
        #expect(answer.status == 200)
        #expect(try answer.bool("confirmed") == true)
        #expect(try answer.string("app_user_id") == "u_7")
        #expect(try answer.bool("names_owner") == false)
        #expect(try await scene.subscriptions(of: "u_7") == 1)
    }

    @Test func `can be set again, for any kind of purchase`() async throws {
        let scene = try await Scene()
        let id = "3000000000000001"
        let path = "/v1/purchases/\(id)/app_account_token"
        let bought = try scene.server.apple.sign(Sample.purchase(.nonConsumable, signed: 1))
        #expect(try await scene.server.submit(bought, customer: "u_1").status == 200)
        scene.store.accept("/inApps/v1/transactions/\(id)/appAccountToken")
        let signed = try scene.server.apple.sign(
            Sample.purchase(.nonConsumable, signed: 10) { $0.appAccountToken = Self.new }
        )
        scene.store.answer("/inApps/v1/transactions/\(id)", TransactionInfoResponse(signedTransactionInfo: signed))
        for before in [JSONValue.null, .string(Self.new)] {
            let answer = try await scene.server.send(.put, path, body: Self.body)
            #expect(answer.status == 200)
            #expect(try answer.json()["previous_app_account_token"] == before)
            #expect(try answer.string("app_user_id") == Self.new)
        }
        let first = try await scene.entries(of: id).filter { $0.action == "account_token.requested" }
        #expect(first.compactMap(\.before) == [#"{"app_account_token":"\#(Self.new)"}"#])
    }

    @Test(arguments: [
        (400, Int64(4_000_185), 409, "purchase_family_shared", false),
        (400, 4_000_227, 409, "purchase_assigned", false),
        (404, 4_040_005, 404, "transaction_not_found", false),
        (400, 4_000_183, 400, "app_store_refused", false), (400, 4_000_187, 400, "app_store_refused", false),
        (429, 4_290_000, 503, "app_store_rate_limited", true),
        (500, 5_000_000, 503, "app_store_answer_lost", true), (404, 4_040_006, 503, "app_store_unavailable", true),
    ])
    func `is not set if Apple refuses it, and the audit log says so`(
        status: Int,
        code: Int64,
        answered: Int,
        error: String,
        isRetryable: Bool
    ) async throws {
        let scene = try await Scene()
        scene.store.refuse(Self.applesPath, status: status, code: code)
        let answer = try await scene.set()
        #expect(answer.status == answered)
        #expect(try answer.errorCode() == error)
        #expect(try answer.bool("error", "retryable") == isRetryable)
        #expect(try await scene.audited() == ["account_token.failed", "account_token.requested"])
        let failed = try await scene.entries().first { $0.action == "account_token.failed" }
        #expect(failed?.after == #"{"app_account_token":"\#(Self.new)","error":"\#(error)"}"#)
        #expect(try await scene.subscriptions(of: Self.old) == 1)
    }

    @Test func `is not set with a key that Apple refuses`() async throws {
        let scene = try await Scene()
        scene.store.refuse(keyIDs: ["K1"])
        let answer = try await scene.set()
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_store_unauthorized")
        #expect(try answer.bool("error", "retryable") == false)
        #expect(try await scene.audited() == ["account_token.failed", "account_token.requested"])
    }

    @Test func `is asked for again after a lost answer`() async throws {
        let scene = try await Scene(limits: AppStoreLimits(lookupMillisecondsMax: 2_000))
        scene.store.setSilent(true)
        let lost = try await scene.set()
        #expect(lost.status == 503)
        #expect(try lost.errorCode() == "app_store_answer_lost")
        #expect(try lost.bool("error", "retryable") == true)
        scene.store.setSilent(false)
        #expect(try await scene.set().status == 200)
        #expect(
            try await scene.audited() == [
                "account_token.failed", "account_token.requested", "account_token.requested", "account_token.set",
            ]
        )
    }

    @Test func `is not confirmed before Apple signs it, and a copy of the request confirms it`() async throws {
        let scene = try await Scene()
        try scene.sign(Self.old)
        let early = try await scene.set()
        #expect(early.status == 200)
        #expect(try early.bool("confirmed") == false)
        #expect(try early.string("app_user_id") == Self.old)
        scene.store.refuse(Self.statusPath, status: 404, code: 4_040_010)
        #expect(try await scene.set().bool("confirmed") == false)
        try scene.sign(Self.new, on: 11)
        #expect(try await scene.set().bool("confirmed") == true)
        #expect(try await scene.subscriptions(of: Self.new) == 1)
    }

    @Test(arguments: [
        "{}", #"{"app_account_token":"u_1"}"#, #"{"app_account_token":""}"#, #"{"app_account_token":7}"#,
        #"{"app_account_token":null}"#, #"{"app_account_token":"\#(new)","dry_run":true}"#, "[]", "",
    ])
    func `is refused in a wrong body`(body: String) async throws {
        let scene = try await Scene()
        #expect(try await scene.set(body).status == 400)
        #expect(scene.asked == 0)
        #expect(try await scene.entries().isEmpty)
    }

    @Test func `needs a known purchase, a secret key and a key of the App Store Server API`() async throws {
        let scene = try await Scene()
        let unknown = try await scene.server.send(.put, "/v1/purchases/7/app_account_token", body: Self.body)
        #expect(unknown.status == 404)
        #expect(try unknown.errorCode() == "purchase_unknown")
        let publishable = try await scene.server.send(
            .put,
            Self.route,
            key: ServerFixture.publishable,
            body: Self.body
        )
        #expect(publishable.status == 403)
        // No key of the App Store Server API is configured for the sandbox.
        let other = try await scene.server.send(.put, Self.route, key: ServerFixture.sandboxSecret, body: Self.body)
        #expect(try other.errorCode() == "app_store_api_not_configured")
        #expect(scene.asked == 0)
        #expect(try await scene.entries().isEmpty)
    }

    @Test func `is removed from the audit log with the customer that it names`() async throws {
        let scene = try await Scene()
        #expect(try await scene.set().status == 200)
        let before = try await scene.entries()
        #expect(try await scene.server.send(.delete, "/v1/customers/\(Self.new)").status == 200)
        let after = try await scene.entries()
        #expect(after.map(\.action) == before.map(\.action))
        #expect(after.allSatisfy { $0.before == nil && $0.after == nil && $0.actor.hasPrefix("key sk_…") })
    }
}
