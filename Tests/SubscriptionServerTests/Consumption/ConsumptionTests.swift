import AppStoreModel
import HTTPTypes
import Logging
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Answers to Apple's questions about the consumption of purchases.
@Suite struct `Refund requests` {
    private typealias Scene = RefundRequestScene

    @Test func `are answered by the policy with what was reported`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        let body = try #require(scene.store.body(of: Scene.path))
        #expect(
            String(decoding: body.serialize(), as: UTF8.self)
                == #"{"customerConsented":true,"deliveryStatus":"DELIVERED","sampleContentProvided":false,"#
                + #""consumptionPercentage":40000,"refundPreference":"DECLINE"}"#
        )
        let shown = try await scene.shown()
        #expect(shown["state"] == "answered" && shown["answer"] == "decline" && shown["rule"] == 1)
        #expect(shown["decided_by"] == "policy" && shown["version"] == 2 && shown["error"] == .null)
        #expect(shown["reason"] == "unintended_purchase")
        #expect(shown["answer_due_by"] == .integer(Sample.time(2) + 12 * Scene.hour))
        let facts = try #require(shown["facts"]?.objectValue)
        #expect(facts["customer_consented"] == true && facts["payments_before"] == 1)
        #expect(facts["lifetime_spent"]?.objectValue?.members.count == 1)
        #expect(try await scene.events() == ["refund_request.answered"])
        await scene.settle(afterHours: 13)
        #expect(scene.sent == 1)
        #expect(try await scene.counted("answered") == 1)
        #expect(try await scene.counted("expired") == nil)
    }

    /// A local App Store never repeats a signed date, so that its clock may stand still a moment before.
    @Test func `are answered although Apple signed them a moment later than the clock`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request(later: 2)
        await scene.settle()
        #expect(try await scene.shown()["state"] == "answered" && scene.sent == 1)
    }

    @Test func `show the answer that Apple got`() async throws {
        let policy = ConsumptionPolicy(rules: [.init(answer: .grantProrated)], otherwise: .noAnswer)
        let scene = try await Scene(ConsumptionSettings(policy: policy))
        #expect(try await scene.report(#"{"customer_consented":true}"#).status == 200)
        try await scene.request()
        await scene.settle()
        // Apple takes no wish for a part of what is not partly used.
        let body = try #require(scene.store.body(of: Scene.path))
        #expect(body["customerConsented"] == true && body["refundPreference"] == nil)
        let shown = try await scene.shown()
        #expect(shown["state"] == "answered" && shown["answer"] == "no_preference" && shown["rule"] == 1)
        #expect(try await scene.server.send(.delete, "/v1/customers/u_1").status < 300)
        #expect(try await scene.shown()["answer"] == "no_preference")
    }

    @Test func `wait for the customer's consent, and get it in time`() async throws {
        let scene = try await Scene()
        try await scene.request()
        await scene.settle()
        var shown = try await scene.shown()
        #expect(shown["state"] == "waiting" && scene.sent == 0)
        #expect(shown["error"]?.objectValue?["code"] == "no_consent")
        #expect(shown["next_try_at"] == shown["answer_due_by"])
        #expect(try await scene.report(#"{"customer_consented":false}"#).status == 200)
        await scene.settle(afterHours: 1)
        #expect(scene.sent == 0)
        #expect(try await scene.report().status == 200)
        await scene.settle(afterHours: 2)
        shown = try await scene.shown()
        #expect(shown["state"] == "answered" && scene.sent == 1)
    }

    @Test func `are not answered without consent, which is said`() async throws {
        let scene = try await Scene()
        try await scene.request()
        await scene.settle()
        await scene.settle(afterHours: 12)
        let shown = try await scene.shown()
        #expect(shown["state"] == "withheld" && shown["error"]?.objectValue?["code"] == "no_consent")
        #expect(scene.sent == 0)
        #expect(try await scene.events() == ["refund_request.unanswered"])
        // Too late.
        #expect(try await scene.report().status == 200)
        await scene.settle(afterHours: 13)
        #expect(scene.sent == 0)
    }

    @Test func `are not answered without a policy, and what was known is kept`() async throws {
        let scene = try await Scene(ConsumptionSettings())
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["state"] == "withheld" && shown["error"]?.objectValue?["code"] == "no_policy")
        #expect(shown["facts"]?.objectValue?["customer_consented"] == true)
        #expect(scene.sent == 0)
    }

    @Test func `are answered again after a failure, with longer and longer pauses, until the time is over`()
        async throws
    {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.refuse(keyIDs: ["K1"])
        for minute in 0..<(12 * 60) { await scene.settle(afterHours: Double(minute) / 60) }
        var shown = try await scene.shown()
        #expect(shown["state"] == "waiting" && shown["error"]?.objectValue?["code"] == "app_store_unauthorized")
        let tries = try #require(shown["failed_tries"]?.integerValue)
        #expect((15...40).contains(tries))
        #expect(try await scene.counted("failed") == Double(tries))
        #expect(try await scene.counted("expired") == nil)
        await scene.settle(afterHours: 12)
        shown = try await scene.shown()
        #expect(shown["state"] == "expired" && shown["error"]?.objectValue?["code"] == "deadline_passed")
        #expect(try await scene.events() == ["refund_request.unanswered"])
        #expect(try await scene.counted("expired") == 1)
    }

    @Test func `say while Apple is away that the server tries again, and log what was not answered`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.setUnreachable(true)
        let lines = RecordingLogHandler.Lines()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(lines: lines) }
        await scene.server.services.consumptionAnswering.settle(reportingTo: logger)
        func message() async throws -> String? {
            try await scene.shown()["error"]?.objectValue?["message"]?.stringValue
        }
        let reason = "The App Store Server API did not answer."
        #expect(try await message() == "\(reason) The server tries again.")
        #expect(lines.all.count == 1)
        let line = try #require(lines.all.first)
        #expect(line.contains("A refund request was not answered, and the server tries again: \(reason)"))
        for part in ["purchase_id", "transaction_id", Scene.coins] { #expect(line.contains(part)) }
        await scene.settle(afterHours: 12)
        #expect(
            try await message()
                == "Apple takes an answer for 12 hours, and they are over. The last try failed: \(reason)"
        )
    }

    @Test func `are answered when Apple is back`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.setUnreachable(true)
        await scene.settle()
        scene.store.setUnreachable(false)
        await scene.settle(afterHours: 1)
        #expect(try await scene.shown()["state"] == "answered")
    }

    @Test func `are answered later if Apple asks to try again`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.refuse(Scene.path, status: 404, code: 4_040_002)
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["state"] == "waiting" && shown["error"]?.objectValue?["code"] == "app_store_unavailable")
        scene.store.accept(Scene.path)
        await scene.settle(afterHours: 1)
        #expect(try await scene.shown()["state"] == "answered")
    }

    @Test func `end if Apple refuses the answer`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.refuse(Scene.path, status: 400, code: 4_000_044)
        await scene.settle()
        await scene.settle(afterHours: 2)
        let shown = try await scene.shown()
        #expect(shown["state"] == "refused" && shown["error"]?.objectValue?["code"] == "app_store_refused")
        #expect(scene.sent == 1)
    }

    @Test(arguments: [1, 2]) func `get version 1 where it is set, or where Apple wants it`(version: Int) async throws {
        let scene = try await Scene(ConsumptionSettings(policy: .declining, version: version))
        scene.store.refuse(Scene.path, name: "AdvancedCommerceTransactionNotSupported")
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["version"] == 1)
        let body = try #require(scene.store.body(of: Scene.olderPath))
        #expect(body["consumptionStatus"] == 2 && body["refundPreference"] == 2 && body["deliveryStatus"] == 0)
        // The account is two days old, and paid for one purchase.
        #expect(body["accountTenure"] == 1 && body["lifetimeDollarsPurchased"] == 2)
        #expect(body["lifetimeDollarsRefunded"] == 1 && body["userStatus"] == 0)
        #expect(body["appAccountToken"] == "")
    }

    @Test func `are stored once, however often their notification arrives`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        try await scene.request()
        await scene.settle()
        try await scene.request()
        await scene.settle(afterHours: 1)
        #expect(try await scene.shown()["state"] == "answered")
        #expect(scene.sent == 1)
    }

    @Test(arguments: [(NotificationType.refund, "refunded"), (.refundDeclined, "declined")])
    func `get Apple's decision`(type: NotificationType, outcome: String) async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        await scene.settle()
        try await scene.decide(type)
        let shown = try await scene.shown()
        #expect(shown["outcome"] == .string(outcome) && shown["decided_at"] == .integer(Sample.time(3)))
        #expect(shown["state"] == "answered")
    }

    @Test(arguments: [(NotificationType.refund, "refunded"), (.refundDeclined, "declined")])
    func `end with an event and are counted if Apple decides first`(
        type: NotificationType,
        outcome: String
    ) async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.setUnreachable(true)
        await scene.settle()
        #expect(try await scene.counted("expired") == nil)
        // A repeated notification counts once.
        for _ in 0..<2 { try await scene.decide(type) }
        let shown = try await scene.shown()
        #expect(shown["state"] == "expired" && shown["outcome"] == .string(outcome))
        #expect(shown["error"]?.objectValue?["code"] == "decided_before_answer")
        #expect(try await scene.events() == ["refund_request.unanswered"])
        #expect(try await scene.counted("expired") == 1)
    }

    @Test(arguments: [(NotificationType.refund, "refunded"), (.refundDeclined, "declined")])
    func `are withheld if Apple decides before there is consent`(type: NotificationType, outcome: String) async throws {
        let scene = try await Scene()
        try await scene.request()
        await scene.settle()
        for _ in 0..<2 { try await scene.decide(type) }
        let shown = try await scene.shown()
        #expect(shown["state"] == "withheld" && shown["outcome"] == .string(outcome))
        #expect(shown["error"]?.objectValue?["code"] == "no_consent" && shown["next_try_at"] == .null)
        #expect(try await scene.events() == ["refund_request.unanswered"])
        #expect(try await scene.counted("withheld") == 1)
        #expect(try await scene.counted("expired") == nil)
        await scene.settle(afterHours: 13)
        #expect(try await scene.counted("withheld") == 1)
    }

    @Test func `are not withheld if Apple decides right after the consent`() async throws {
        let scene = try await Scene()
        try await scene.request()
        await scene.settle()
        #expect(try await scene.report().status == 200)
        try await scene.decide(.refund)
        let shown = try await scene.shown()
        #expect(shown["state"] == "expired")
        #expect(shown["error"]?.objectValue?["code"] == "decided_before_answer")
    }

    @Test func `are counted once if Apple decides while the answer is under way`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.request()
        scene.store.setSilent(true, path: Scene.path)
        let answering = Task { await scene.settle() }
        try await ServerFixture.until { scene.sent == 1 }
        try await scene.decide(.refund)
        #expect(try await scene.shown()["state"] == "expired")
        scene.store.setSilent(false)
        await answering.value
        let shown = try await scene.shown()
        #expect(shown["state"] == "answered" && shown["outcome"] == "refunded" && scene.sent == 1)
        #expect(try await scene.events() == ["refund_request.unanswered", "refund_request.answered"])
        #expect(try await scene.counted("expired") == 1)
        #expect(try await scene.counted("answered") == nil)
    }

    @Test func `have no event and are counted if they arrive too late`() async throws {
        let scene = try await Scene()
        await scene.settle(afterHours: 12)
        try await scene.request()
        await scene.settle(afterHours: 13)
        let shown = try await scene.shown()
        #expect(shown["state"] == "expired" && shown["error"]?.objectValue?["code"] == "deadline_passed")
        #expect(try await scene.events().isEmpty && scene.sent == 0)
        #expect(try await scene.counted("expired") == 1)
    }

    @Test func `do not use the consent of an earlier owner`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        let moved = try await scene.server.send(.post, "/v1/transfers", body: #"{"from":"u_1","to":"u_2"}"#)
        #expect(moved.status == 200 || moved.status == 201)
        try await scene.request()
        await scene.settle()
        #expect(try await scene.shown()["state"] == "waiting" && scene.sent == 0)
        #expect(try await scene.report().status == 200)
        await scene.settle(afterHours: 1)
        #expect(try await scene.shown()["state"] == "answered")
    }

    @Test func `are not answered after Apple's decision`() async throws {
        let scene = try await Scene()
        #expect(try await scene.report().status == 200)
        try await scene.decide(.refund)
        try await scene.request()
        await scene.settle()
        let shown = try await scene.shown()
        #expect(shown["state"] == "expired" && shown["outcome"] == "refunded" && scene.sent == 0)
        #expect(shown["error"]?.objectValue?["code"] == "decided_before_answer")
        #expect(try await scene.counted("expired") == 1)
    }

    @Test func `are listed in pages, newest first`() async throws {
        let scene = try await Scene()
        try await scene.request(1, signed: 1)
        try await scene.request(2, signed: 2)
        let first = try await scene.server.send(.get, "/v1/refund_requests?limit=1")
        #expect(try first.objects("data").first?["requested_at"] == .integer(Sample.time(2)))
        let cursor = try #require(try first.string("next_cursor"))
        let second = try await scene.server.send(.get, "/v1/refund_requests?limit=1&after=\(cursor)")
        #expect(try second.objects("data").first?["requested_at"] == .integer(Sample.time(1)))
        #expect(try second.json()["has_more"] == false)
        let other = try await scene.server.send(.get, "/v1/refund_requests", key: ServerFixture.sandboxSecret)
        #expect(try other.count("data") == 0)
        for path in ["/v1/refund_requests?after=x", "/v1/refund_requests/x"] {
            #expect(try await scene.server.send(.get, path).errorCode() == "refund_request_unknown")
        }
        let one = try await scene.server.send(.get, "/v1/refund_requests/\(cursor)")
        #expect(try one.string("id") == cursor)
    }

    @Test(arguments: TestEngine.allCases)
    func `are listed for a purchase, or for the customer who owns it`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await Scene(database: database)
            let other = "3000000000000002"
            let bought = Sample.purchase(.consumable, signed: 0) { payload in
                (payload.transactionId, payload.originalTransactionId) = (other, other)
            }
            let signed = try scene.server.apple.sign(bought)
            #expect(try await scene.server.submit(signed, customer: "u_2").status == 200)
            try await scene.request(1, signed: 1)
            try await scene.request(2, signed: 1, purchase: other)
            try await scene.request(3, signed: 2)
            func send(_ query: String) async throws -> Answer {
                try await scene.server.send(.get, "/v1/refund_requests?\(query)")
            }
            func listed(_ query: String) async throws -> [JSONValue?] {
                let answer = try await send(query)
                #expect(answer.status == 200)
                let found = try answer.objects("data")
                let purchase = query.contains(other) || query.contains("u_2") ? other : Scene.coins
                #expect(found.allSatisfy { $0["purchase_id"] == .string(purchase) })
                return found.map { $0["requested_at"] }
            }
            let (older, newer) = (JSONValue.integer(Sample.time(1)), JSONValue.integer(Sample.time(2)))
            #expect(try await listed("purchase_id=\(Scene.coins)") == [newer, older])
            #expect(try await listed("app_user_id=u_1") == [newer, older])
            #expect(try await listed("app_user_id=u_2") == [older])
            #expect(try await listed("app_user_id=u_2&purchase_id=\(other)") == [older])
            for query in ["app_user_id=u_3", "purchase_id=7", "app_user_id=u_1&purchase_id=\(other)"] {
                #expect(try await listed(query).isEmpty)
            }
            let page = try await send("app_user_id=u_1&limit=1")
            #expect(try page.objects("data").map { $0["requested_at"] } == [newer])
            let cursor = try #require(try page.string("next_cursor"))
            let next = try await send("app_user_id=u_1&limit=1&after=\(cursor)")
            #expect(try next.objects("data").map { $0["requested_at"] } == [older])
            #expect(try next.json()["has_more"] == false)
            for name in ["purchase_id", "app_user_id"] {
                let refused = try await send("\(name)=\(String(repeating: "7", count: 257))")
                #expect(try refused.errorCode() == "parameter_invalid")
                #expect(try refused.string("error", "param") == name)
            }
            #expect(try await send("customer=u_1").errorCode() == "parameter_unknown")
        }
    }
}
