import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Periods that an operator lengthens through Apple, on day 10 of a period that ends on day 30.
@Suite struct `Extensions of a subscription` {
    private typealias Scene = ExtensionScene

    @Test func `are made once, and completed by Apple's announcement`() async throws {
        let scene = try await Scene()
        let answer = try await scene.extend()
        #expect(answer.status == 201)
        #expect(try answer.string("state") == "extended")
        #expect(try answer.string("id") == "k")
        #expect(try answer.json()["period_ends_at"] == .integer(Sample.time(37)))
        #expect(try answer.json()["previous_period_ends_at"] == .integer(Sample.time(30)))
        // Apple's answer is not signed.
        #expect(try await scene.end() == .integer(Sample.time(30)))
        try await scene.announce()
        #expect(try await scene.end() == .integer(Sample.time(37)))
        let row = try await scene.newest()
        #expect(row["announced_at"] == .integer(Sample.time(10)))
        #expect(row["next_check_at"] == .null)
        #expect(try await scene.list().count("data") == 1)
        // The same content is the same request, however it is written.
        let bodies = [#"{"reason":"outage","extend_by_days":7}"#, #"{ "extend_by_days": 7, "reason": "outage" }"#]
        for body in bodies {
            let copy = try await scene.extend(body: body)
            #expect(copy.status == 201)
            #expect(try copy.string("id") == "k")
        }
        #expect(try await scene.extendAgain().state == .extended)
        #expect(scene.asked == 1)
        #expect(try await scene.audited() == ["extension.extended", "extension.requested"])
        let expected: JSONObject = ["extendByDays": 7, "extendReasonCode": 3, "requestIdentifier": "k"]
        #expect(scene.store.bodies(of: Scene.applesPath) == [expected])
    }

    @Test func `are in the audit log before and after Apple is asked, with who, both ends and the request`()
        async throws
    {
        let old = #"{"period_ends_at":\#(Sample.time(30))}"#
        let requested = #"{"extension_id":"k","extend_by_days":7,"reason":"outage"}"#
        let made = #"{"extension_id":"k","period_ends_at":\#(Sample.time(37))}"#
        let refused = #"{"extension_id":"k","period_ends_at":\#(Sample.time(30)),"error":"extension_ineligible"}"#
        for (action, after) in [("extension.extended", made), ("extension.refused", refused)] {
            let scene = try await Scene()
            if action == "extension.refused" { scene.store.refuse(Scene.applesPath, status: 403, code: 4_030_004) }
            let answer = try await scene.extend()
            let entries = try await scene.entries()
            #expect(Set(entries.map(\.action)) == ["extension.requested", action])
            #expect(entries.count == 2)
            for entry in entries {
                #expect(entry.actor.hasPrefix("key sk_…"))
                #expect(entry.occurredAt == scene.server.time.now())
                #expect(entry.before == old)
                #expect(entry.after == (entry.action == action ? after : requested))
                #expect(entry.requestID == answer.headers[try #require(HTTPField.Name("x-request-id"))])
                #expect(entry.requestID != nil)
            }
        }
    }

    @Test func `that Apple confirmed and nothing shows after an hour say so, until they are announced`() async throws {
        let scene = try await Scene()
        #expect(try await scene.extend().status == 201)
        try scene.know(end: 30)
        for minutes: Int64 in [1, 5, 15] {
            try await scene.check(afterMinutes: minutes)
            #expect(try await scene.newest()["error"] == .null)
        }
        try await scene.check(afterMinutes: 60)
        let row = try await scene.newest()
        #expect(row["state"] == .string("extended") && row["next_check_at"] == .null)
        #expect(row["error"]?.objectValue?["code"] == .string("extension_not_seen"))
        #expect(try await scene.extendAgain().state == .extended)
        #expect(scene.asked == 1)
        try await scene.announce()
        #expect(try await scene.newest()["error"] == .null)
    }

    @Test(arguments: [true, false])
    func `that nothing showed are seen in a later transaction, and in a renewal at the new end`(isRenewal: Bool)
        async throws
    {
        let scene = try await Scene()
        #expect(try await scene.extend().status == 201)
        try scene.know(end: 30)
        for minutes: Int64 in [1, 5, 15, 60] { try await scene.check(afterMinutes: minutes) }
        #expect(try await scene.newest()["error"]?.objectValue?["code"] == .string("extension_not_seen"))
        scene.server.time.advance(to: Timestamp(milliseconds: Sample.time(38)))
        // A later end that is too early does not show it.
        let early = Sample.period(0, signed: 20) { $0.expiresDate = Sample.time(31) }
        #expect(try await scene.server.submit(try scene.server.apple.sign(early), customer: "u_1").status == 200)
        #expect(try await scene.newest()["error"]?.objectValue?["code"] == .string("extension_not_seen"))
        let shown = Sample.period(isRenewal ? 1 : 0, signed: 37) { payload in
            if isRenewal { payload.purchaseDate = Sample.time(37) }
            payload.expiresDate = Sample.time(isRenewal ? 67 : 37)
        }
        #expect(try await scene.server.submit(try scene.server.apple.sign(shown), customer: "u_1").status == 200)
        #expect(try await scene.newest()["error"] == .null)
        #expect(scene.asked == 1)
    }

    @Test(arguments: [("undeclared", Int64(0)), ("satisfaction", 1), ("other", 2), ("outage", 3)])
    func `tell Apple the code of their reason`(reason: String, code: Int64) async throws {
        let scene = try await Scene()
        #expect(try await scene.extend(body: #"{"extend_by_days":90,"reason":"\#(reason)"}"#).status == 201)
        let expected: JSONObject = ["extendByDays": 90, "extendReasonCode": .integer(code), "requestIdentifier": "k"]
        #expect(scene.store.bodies(of: Scene.applesPath) == [expected])
    }

    @Test func `have an identifier of their own without an Idempotency-Key`() async throws {
        let scene = try await Scene()
        let answer = try await scene.server.send(.post, Scene.route, body: Scene.body)
        #expect(answer.status == 201)
        #expect(try answer.string("id")?.count == 36)
    }

    @Test func `are shown again to another key of the app, so that Apple is not asked twice`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        #expect(try await scene.extend().status == 202)
        let draft = APIKeys.Draft(kind: .secret, scope: .operate)
        let keys = scene.server.services.apiKeys
        let other = try await keys.create(draft, app: ServerFixture.app, by: Operator("test")).text
        let answer = try await scene.extend(by: other)
        #expect(answer.status == 202)
        #expect(try answer.string("id") == "k")
        let third = try await keys.create(draft, app: ServerFixture.app, by: Operator("test")).text
        let otherDays = try await scene.extend(by: third, body: #"{"extend_by_days":8,"reason":"outage"}"#)
        #expect(try otherDays.errorCode() == "idempotency_key_reused")
        #expect(scene.asked == 1)
    }

    @Test func `get the new end from Apple if its announcement does not come`() async throws {
        let scene = try await Scene()
        _ = try await scene.extend()
        try scene.know(end: 37)
        try await scene.check(afterMinutes: 1)
        #expect(try await scene.end() == .integer(Sample.time(37)))
        #expect(try await scene.newest()["next_check_at"] == .null)
    }

    @Test func `are found when Apple's answer was lost after the effect`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        let answer = try await scene.extend()
        #expect(answer.status == 202)
        #expect(try answer.string("state") == "asked")
        #expect(try await scene.extend("k2").errorCode() == "extension_in_doubt")
        #expect(try await scene.extendAgain().state == .asked)
        try scene.know(end: 37)
        try await scene.check(afterMinutes: 1)
        #expect(try await scene.newest()["state"] == .string("extended"))
        #expect(try await scene.newest()["period_ends_at"] == .integer(Sample.time(37)))
        // The response about a lost answer was not stored.
        #expect(try await scene.extend().status == 201)
        #expect(scene.asked == 1)
    }

    @Test func `are announced before a lost answer is checked`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        _ = try await scene.extend()
        try await scene.announce()
        let row = try await scene.newest()
        #expect(row["state"] == .string("extended"))
        #expect(row["id"] == .string("k"))
        #expect(try await scene.list().count("data") == 1)
    }

    @Test func `are unknown if Apple cannot be asked about a lost answer for two weeks`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        _ = try await scene.extend()
        scene.store.setUnreachable(true)
        for days: Int64 in [1, 14] {
            await #expect(throws: OperationError("app_store_unavailable", "", kind: .unavailable)) {
                try await scene.check(afterMinutes: days * 1_440)
            }
            #expect(try await scene.newest()["state"] == .string("asked"))
        }
        await #expect(throws: OperationError("app_store_unavailable", "", kind: .unavailable)) {
            try await scene.check(afterMinutes: 14 * 1_440 + 10)
        }
        #expect(try await scene.newest()["state"] == .string("unknown"))
        // Nothing is due any more.
        try await scene.check(afterMinutes: 15 * 1_440)
    }

    @Test func `are unknown if nothing changes for an hour after a lost answer, and may be asked for again`()
        async throws
    {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        _ = try await scene.extend()
        try scene.know(end: 30)
        for minutes: Int64 in [1, 5, 15] {
            try await scene.check(afterMinutes: minutes)
            #expect(try await scene.newest()["state"] == .string("asked"))
        }
        scene.store.setUnreachable(true)
        await #expect(throws: OperationError("app_store_unavailable", "", kind: .unavailable)) {
            try await scene.check(afterMinutes: 60)
        }
        #expect(try await scene.newest()["state"] == .string("asked"))
        scene.store.setUnreachable(false)
        try await scene.check(afterMinutes: 65)
        #expect(try await scene.newest()["state"] == .string("unknown"))
        await #expect(throws: OperationError("extension_unconfirmed", "", kind: .conflict)) {
            try await scene.extendAgain()
        }
        #expect(scene.asked == 1)
        scene.store.answer(
            Scene.applesPath,
            ExtendRenewalDateResponse(originalTransactionId: Scene.original, success: true)
        )
        #expect(try await scene.extend("k2").status == 201)
        // The announcement belongs to the one that Apple made.
        try await scene.announce()
        #expect(
            try await scene.list().objects("data").map { $0["state"] } == [.string("extended"), .string("unknown")]
        )
        // The first one took effect all the same, and is announced late.
        try await scene.announce(2, end: 44)
        #expect(
            try await scene.list().objects("data").map { $0["state"] } == [.string("extended"), .string("extended")]
        )
    }

    @Test func `do not wait for ever for a transaction that Apple does not know`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        _ = try await scene.extend()
        scene.store.refuse(Scene.infoPath, status: 404, code: 4_040_010)
        for minutes: Int64 in [1, 5, 15, 60] { try await scene.check(afterMinutes: minutes) }
        #expect(try await scene.newest()["state"] == .string("unknown"))
    }

    @Test func `can be sent again under the same key if Apple did not get them`() async throws {
        let scene = try await Scene()
        scene.store.setUnreachable(true)
        let answer = try await scene.extend()
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_store_unavailable")
        #expect(try await scene.list().count("data") == 0)
        scene.store.setUnreachable(false)
        #expect(try await scene.extend().status == 201)
        #expect(
            try await scene.audited() == [
                "extension.extended", "extension.requested", "extension.requested", "extension.withdrawn",
            ]
        )
    }

    @Test func `can be sent again under the same key if Apple asks to try again`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 404, code: 4_040_006)
        let answer = try await scene.extend()
        #expect(answer.status == 503)
        #expect(try answer.errorCode() == "app_store_unavailable")
        #expect(try answer.bool("error", "retryable") == true)
        #expect(try await scene.list().count("data") == 0)
        let made = ExtendRenewalDateResponse(
            originalTransactionId: Scene.original,
            success: true,
            effectiveDate: Sample.time(37)
        )
        scene.store.answer(Scene.applesPath, made)
        #expect(try await scene.extend().status == 201)
    }

    @Test func `that Apple did not get leave another one that was announced meanwhile in the list`() async throws {
        let scene = try await Scene()
        scene.store.setUnreachable(true)
        scene.store.setSilent(true, path: Scene.applesPath)
        let work = Task { try await scene.extend() }
        try await ServerFixture.until { scene.asked == 1 }
        try await scene.announce()
        scene.store.setSilent(false)
        #expect(try await work.value.status == 503)
        let row = try await scene.newest()
        #expect(row["id"] != .string("k") && row["origin"] == .string("apple"))
        #expect(row["state"] == .string("extended") && row["period_ends_at"] == .integer(Sample.time(37)))
        #expect(row["previous_period_ends_at"] == .integer(Sample.time(30)))
        #expect(row["announced_at"] == .integer(Sample.time(10)))
        #expect(try await scene.list().count("data") == 1)
        scene.store.setUnreachable(false)
        #expect(try await scene.extend().status == 201)
        #expect(try await scene.list().count("data") == 2)
    }

    @Test func `without an answer are extended at once if the announcement came before`() async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 500, code: 5_000_000)
        scene.store.setSilent(true, path: Scene.applesPath)
        let work = Task { try await scene.extend() }
        try await ServerFixture.until { scene.asked == 1 }
        try await scene.announce()
        scene.store.setSilent(false)
        let answer = try await work.value
        #expect(answer.status == 201)
        #expect(try answer.json()["state"] == .string("extended"))
        #expect(try answer.json()["period_ends_at"] == .integer(Sample.time(37)))
        #expect(try await scene.list().count("data") == 1)
        #expect(scene.asked == 1)
    }

    @Test(arguments: [
        (403, Int64(4_030_004), 409, "extension_ineligible"), (403, 4_030_005, 409, "extension_limit_reached"),
        (403, 4_030_007, 409, "extension_family_shared"), (403, 4_030_028, 409, "extension_assigned"),
        (404, 4_040_005, 404, "transaction_not_found"), (400, 4_000_009, 400, "app_store_refused"),
    ])
    func `keep Apple's refusal`(status: Int, code: Int64, answered: Int, error: String) async throws {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: status, code: code)
        for _ in 1...2 {
            let answer = try await scene.extend()
            #expect(answer.status == answered)
            #expect(try answer.errorCode() == error)
        }
        #expect(scene.asked == 1)
        #expect(try await scene.newest()["state"] == .string("refused"))
    }

    @Test func `that Apple refuses without a reason of its own say what Apple says, with the number of its error`()
        async throws
    {
        let scene = try await Scene()
        scene.store.refuse(Scene.applesPath, status: 403, code: 4_030_012, message: "Not now.")
        #expect(try await scene.extend().errorCode() == "app_store_refused")
        let error = try await scene.newest()["error"]?.objectValue
        #expect(error?["message"] == .string("The App Store refused the request: Not now. (4030012)"))
    }

    @Test func `that nobody asked for are listed and count`() async throws {
        let scene = try await Scene()
        #expect(try await scene.list().json()["eligible"] == .bool(true))
        try await scene.announce(1, end: 37)
        try await scene.announce(2, end: 44)
        let list = try await scene.list()
        #expect(try list.objects("data").map { $0["origin"] } == [.string("apple"), .string("apple")])
        #expect(try list.json()["eligible"] == .bool(false))
        #expect(try list.objects("obstacles").map { $0["code"] } == [.string("extension_limit_reached")])
        #expect(try await scene.extend().errorCode() == "extension_limit_reached")
        #expect(scene.asked == 0)
    }

    @Test func `are not asked for if the period is over or of another kind`() async throws {
        let cases: [(Scene, String)] = [
            (try await Scene(at: 40), "extension_expired"),
            (try await Scene { $0.inAppOwnershipType = .familyShared }, "extension_family_shared"),
            (try await Scene { $0.inAppOwnershipType = .assigned }, "extension_assigned"),
            (try await Scene { $0.price = 0 }, "extension_free_period"),
            (try await Scene { $0.revocationDate = Sample.time(1) }, "extension_revoked"),
            (
                try await Scene {
                    $0.type = .nonConsumable
                    $0.expiresDate = nil
                }, "extension_not_a_subscription"
            ),
        ]
        for (scene, code) in cases {
            let answer = try await scene.extend()
            #expect(answer.status == 409)
            #expect(try answer.errorCode() == code)
            #expect(scene.asked == 0)
        }
        let unknown = try await cases[0].0.server.send(.post, "/v1/subscriptions/7/extensions", body: Scene.body)
        #expect(try unknown.errorCode() == "subscription_unknown")
    }

    @Test func `need a secret key, and an identifier that Apple takes`() async throws {
        let scene = try await Scene()
        for key in [String(repeating: "k", count: 129), "xc_000000000000000000000001-1", "notification:1"] {
            #expect(try await scene.extend(key).status == 400)
        }
        for (method, body) in [(HTTPRequest.Method.get, nil), (.post, Scene.body)] as [(HTTPRequest.Method, String?)] {
            let answer = try await scene.server.send(method, Scene.route, key: ServerFixture.publishable, body: body)
            #expect(answer.status == 403)
        }
        #expect(scene.asked == 0)
    }
}
