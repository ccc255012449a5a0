import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Whose extension Apple announces: RENEWAL_EXTENDED does not say it. All periods end on day 30.
@Suite struct `Announcements of extensions` {
    private static func states(_ scene: ExtensionScene) async throws -> [JSONValue?] {
        try await scene.list().objects("data").map { $0["state"] }
    }

    private static func confirm(_ scene: ExtensionScene, end day: Int64) {
        let answer = ExtendRenewalDateResponse(
            originalTransactionId: ExtensionScene.original,
            success: true,
            effectiveDate: Sample.time(day)
        )
        scene.store.answer(ExtensionScene.applesPath, answer)
    }

    /// A subscription with a request for seven days that ended without an answer.
    private static func withUnknown() async throws -> ExtensionScene {
        let scene = try await ExtensionScene()
        scene.store.refuse(ExtensionScene.applesPath, status: 500, code: 5_000_000)
        #expect(try await scene.extend("k1").status == 202)
        try scene.know(end: 30)
        for minutes: Int64 in [1, 5, 15, 60] { try await scene.check(afterMinutes: minutes) }
        #expect(try await states(scene) == [.string("unknown")])
        return scene
    }

    /// Extends a subscription, with an announcement before Apple's answer.
    private static func extend(
        _ scene: ExtensionScene,
        _ key: String,
        days: Int,
        announcedEnd: Int64
    ) async throws -> Int {
        let before = scene.asked
        scene.store.setSilent(true, path: ExtensionScene.applesPath)
        let body = #"{"extend_by_days":\#(days),"reason":"outage"}"#
        let work = Task { try await scene.extend(key, body: body) }
        try await ServerFixture.until { scene.asked == before + 1 }
        try await scene.announce(end: announcedEnd)
        scene.store.setSilent(false)
        return try await work.value.status
    }

    @Test func `belong to the request that Apple is asked about, not to an older one without an answer`() async throws {
        let scene = try await Self.withUnknown()
        Self.confirm(scene, end: 37)
        #expect(try await Self.extend(scene, "k2", days: 7, announcedEnd: 37) == 201)
        #expect(try await Self.states(scene) == [.string("extended"), .string("unknown")])
        #expect(try await scene.newest()["id"] == .string("k2"))
        // One extension counts toward the limit.
        #expect(try await scene.list().json()["eligible"] == .bool(true))
    }

    @Test func `go to the request of which Apple answers the announced end`() async throws {
        let scene = try await Self.withUnknown()
        Self.confirm(scene, end: 37)
        // By its length it seems to be that of the first one.
        #expect(try await Self.extend(scene, "k2", days: 3, announcedEnd: 37) == 201)
        #expect(try await Self.states(scene) == [.string("extended"), .string("unknown")])
        let rows = try await scene.list().objects("data")
        #expect(rows.map { $0["id"] } == [.string("k2"), .string("k1")])
        #expect(rows.map { $0["announced_at"] } == [.integer(Sample.time(10)), .null])
        #expect(rows.map { $0["period_ends_at"] } == [.integer(Sample.time(37)), .null])
        #expect(rows.last?["error"]?.objectValue?["code"] == .string("extension_unconfirmed"))
    }

    @Test func `of another length go to the request if Apple answers that end`() async throws {
        let scene = try await ExtensionScene()
        Self.confirm(scene, end: 35)
        #expect(try await Self.extend(scene, "k1", days: 7, announcedEnd: 35) == 201)
        let rows = try await scene.list().objects("data")
        #expect(rows.map { $0["id"] } == [.string("k1")])
        #expect(rows.map { $0["period_ends_at"] } == [.integer(Sample.time(35))])
        #expect(rows.map { $0["announced_at"] } == [.integer(Sample.time(10))])
    }

    @Test func `are not about a request that Apple refuses`() async throws {
        let scene = try await ExtensionScene()
        scene.store.refuse(ExtensionScene.applesPath, status: 403, code: 4_030_004)
        #expect(try await Self.extend(scene, "k1", days: 7, announcedEnd: 37) == 409)
        let rows = try await scene.list().objects("data")
        let refused = rows.filter { $0["state"] == .string("refused") }
        #expect(refused.map { $0["id"] } == [.string("k1")])
        #expect(refused.map { $0["period_ends_at"] } == [.null])
        #expect(refused.map { $0["announced_at"] } == [.null])
        let others = rows.filter { $0["state"] == .string("extended") }
        #expect(others.map { $0["origin"] } == [.string("apple")])
        #expect(others.map { $0["period_ends_at"] } == [.integer(Sample.time(37))])
        #expect(try await scene.audited() == ["extension.refused", "extension.requested"])
    }

    @Test func `that are as long together as a request are no answer to it`() async throws {
        let scene = try await ExtensionScene()
        scene.store.refuse(ExtensionScene.applesPath, status: 500, code: 5_000_000)
        #expect(try await scene.extend("k1").status == 202)
        try await scene.announce(1, end: 33)
        try await scene.announce(2, end: 37)
        try scene.know(end: 37)
        for minutes: Int64 in [1, 5, 15, 60] { try await scene.check(afterMinutes: minutes) }
        let rows = try await scene.list().objects("data")
        let request = try #require(rows.first { $0["id"] == .string("k1") })
        #expect(request["state"] == .string("unknown"))
        #expect(rows.count { $0["origin"] == .string("apple") && $0["state"] == .string("extended") } == 2)
    }

    @Test func `that are late have no later end as the previous one`() async throws {
        let scene = try await ExtensionScene()
        try await scene.announce(2, end: 40)
        try await scene.announce(1, end: 33)
        let rows = try await scene.list().objects("data")
        let ends = Dictionary(
            uniqueKeysWithValues: rows.map { ($0["period_ends_at"], $0["previous_period_ends_at"]) }
        )
        let expected: [JSONValue?: JSONValue?] = [
            .integer(Sample.time(40)): .integer(Sample.time(30)), .integer(Sample.time(33)): .null,
        ]
        #expect(ends == expected)
    }

    @Test func `of another length are no answer to a request`() async throws {
        let scene = try await ExtensionScene()
        scene.store.refuse(ExtensionScene.applesPath, status: 500, code: 5_000_000)
        #expect(try await scene.extend("k1").status == 202)
        try await scene.announce(end: 33)
        let states = try await scene.list().objects("data").map { [$0["origin"], $0["state"]] }
        #expect(states.contains([.string("apple"), .string("extended")]))
        #expect(states.contains([.string("request"), .string("asked")]))
    }
}

/// Announcements about members of campaigns, on day 10 of periods that end on day 30.
@Suite struct `Announcements to campaigns` {
    private static let failure = ExtensionNotice.failure(of: 0, notification: 900, end: 37)

    @Test func `belong to the one that asks, not to an earlier one without an answer`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let earlier = try await scene.withoutAnswer()
        scene.confirmExtension(of: CampaignScene.id(0), end: 33)
        let id = try await scene.started(
            #"{"product_ids":["pro.monthly"],"extend_by_days":3,"reason":"outage","method":"single"}"#
        )
        let before = scene.asked(0)
        scene.store.setSilent(true, path: CampaignScene.path(0))
        let work = Task { try await scene.settle() }
        try await ServerFixture.until { scene.asked(0) == before + 1 }
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 33))
        scene.store.setSilent(false)
        try await work.value
        #expect(try await scene.count("extended", of: id) == 1)
        #expect(try await scene.count("extended", of: earlier) == 0)
        #expect(try await scene.count("unknown", of: earlier) == 1)
        #expect(try await scene.origins(of: 0) == ["request", "request"])
    }

    @Test(arguments: [(403, Int64(4_030_004), "refused"), (429, 4_290_000, "planned"), (404, 4_040_002, "planned")])
    func `are not about a member for which Apple did nothing`(status: Int, code: Int64, state: String) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.started()
        let runner = try scene.runner(scene.database, SteppedTime(), repeatsCalls: false)
        scene.store.refuse(CampaignScene.path(0), status: status, code: code)
        scene.store.setSilent(true, path: CampaignScene.path(0))
        let work = Task { try await runner.settle() }
        try await ServerFixture.until { scene.asked(0) == 1 }
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100))
        scene.store.setSilent(false)
        try await work.value
        #expect(try await scene.members(of: id, state).count == 1)
        #expect(try await scene.count("extended", of: id) == 0)
        #expect(try await scene.origins(of: 0) == ["apple", "request"])
    }

    @Test func `go to the order if Apple refuses the call that follows it`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        scene.setStatus(of: id, complete: true, succeeded: 1, failed: 0)
        try scene.know(0, end: 30)
        for minutes: Int64 in [5, 70] {
            scene.advance(minutes: minutes)
            try await scene.settle()
        }
        try await scene.settleChecks()
        scene.store.refuse(CampaignScene.path(0), status: 403, code: 4_030_005)
        scene.store.setSilent(true, path: CampaignScene.path(0))
        let work = Task { try await scene.settle() }
        try await ServerFixture.until { scene.asked(0) == 1 }
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100))
        scene.store.setSilent(false)
        try await work.value
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("extended_by_order", of: id) == 1)
        #expect(try await scene.origins(of: 0) == ["order"])
    }

    @Test func `belong to an open order, not to an earlier campaign without an answer`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let earlier = try await scene.withoutAnswer()
        let asked = scene.asked(0)
        let id = try await scene.ordered()
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, signed: 11))
        #expect(try await scene.count("extended_by_order", of: id) == 1)
        #expect(try await scene.count("unknown", of: earlier) == 1)
        #expect(scene.asked(0) == asked)
    }

    @Test func `of another length than the order's are extensions of their own`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 33))
        #expect(try await scene.count("ordered", of: id) == 1)
        #expect(try await scene.origins(of: 0) == ["apple", "order"])
        var failure = Self.failure
        failure.end = 33
        try await scene.announce(failure)
        scene.confirmExtension(of: CampaignScene.id(0), end: 40)
        scene.setStatus(of: id, complete: true, succeeded: 0, failed: 1)
        scene.advance(minutes: 5)
        try await scene.settleFailures()
        #expect(scene.asked(0) == 1)
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 1)
        #expect(try finished.integer("counts", "extended_by_order") == 0)
        #expect(try await scene.origins(of: 0) == ["apple", "request"])
    }

    @Test func `complete a member for good, also if an order fails for it afterwards`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 1)
        // The notification does not name its order: it may be that of another one.
        try await scene.announce(Self.failure)
        #expect(try await scene.count("extended_by_order", of: id) == 1)
        scene.setStatus(of: id, complete: true, succeeded: 0, failed: 1)
        scene.advance(minutes: 5)
        try await scene.settle()
        #expect(scene.asked(0) == 0)
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 1)
        #expect(try await scene.origins(of: 0) == ["order"])
        #expect(try await !scene.disagreements(of: id).isEmpty)
    }

    @Test func `in another order than Apple made the extensions find the order's`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        // By others three days, then by the order seven.
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 101, end: 40))
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 33, signed: 9))
        try scene.know(0, end: 40)
        try await scene.completeOrder(of: id, succeeded: 1, failed: 0)
        #expect(scene.asked(0) == 0)
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("extended_by_order", of: id) == 1)
        #expect(try await scene.origins(of: 0) == ["apple", "order"])
    }

    @Test func `of more days may contain the order's, so the member is not asked about alone`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        // By others three days, whose announcement is lost, and by the order seven.
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 40))
        #expect(try await scene.count("ordered", of: id) == 1)
        try scene.know(0, end: 40)
        try await scene.completeOrder(of: id, succeeded: 1, failed: 0)
        #expect(scene.asked(0) == 0)
        #expect(try await scene.count("unknown", of: id) == 1)
        #expect(try await scene.origins(of: 0) == ["apple", "order"])
    }

    @Test func `count from the end just before, also if others moved it after the start`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        scene.confirmExtension(of: CampaignScene.id(0), end: 31)
        let body = #"{"extend_by_days":1,"reason":"satisfaction"}"#
        #expect(try await scene.server.send(.post, CampaignScene.extensionsRoute(0), body: body).status == 201)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 31))
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 101, end: 38, signed: 11))
        #expect(try await scene.count("extended_by_order", of: id) == 1)
        let member = try #require(try await scene.members(of: id, "extended").first)
        #expect(member["previous_period_ends_at"] == .integer(Sample.time(31)))
        #expect(member["period_ends_at"] == .integer(Sample.time(38)))
    }
}
