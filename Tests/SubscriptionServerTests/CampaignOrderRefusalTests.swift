import AppStoreModel
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Orders that Apple refuses, and orders of which it does not say whether it has them.
@Suite struct `An order that Apple does not accept` {
    private static let day: Int64 = 24 * 60

    /// A started campaign with an order, and a runner whose client makes each call once.
    private static func started(_ scene: CampaignScene) async throws -> (id: String, runner: CampaignRunner) {
        let id = try await scene.started(CampaignScene.massDraft)
        return (id, try scene.runner(scene.database, SteppedTime(), repeatsCalls: false))
    }

    /// Seven days with attempts, after which a week is not over yet.
    private static func waitWeek(_ scene: CampaignScene, _ runner: CampaignRunner) async throws {
        for _ in 1...7 {
            scene.advance(minutes: day)
            try await runner.settle()
        }
    }

    /// Apple takes UUIDs only, in the order and in the question for its status.
    @Test func `because of its identifier ends, and each member is asked about alone`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.setUnreachable(true)
        try await runner.settle()
        let earlier = try await scene.setEarlierIdentifier(of: id)
        scene.store.setUnreachable(false)
        for path in [CampaignScene.massPath, "\(CampaignScene.massPath)/pro.monthly/\(earlier)"] {
            scene.store.refuse(path, status: 400, code: 4_000_011)
        }
        scene.advance(minutes: 1)
        try await runner.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("ended"))
        #expect(order["error"]?.objectValue?["code"] == .string("app_store_refused"))
        #expect(try await scene.show(id).string("state") == "finished")
        #expect((0..<2).allSatisfy { scene.asked($0) == 1 })
    }

    @Test func `because of its identifier ends after a cancel`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.setUnreachable(true)
        try await runner.settle()
        scene.store.setUnreachable(false)
        #expect(try await scene.call("cancel", of: id).status == 200)
        scene.store.refuse(CampaignScene.statusPath(of: id), status: 400, code: 4_000_011)
        try await runner.settle()
        #expect(try await scene.order(of: id)["error"]?.objectValue?["code"] == .string("extension_campaign_cancelled"))
        #expect(try await scene.openCampaigns() == 0)
    }

    @Test func `and of which it does not say whether it has it ends a week after the start`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 403, code: 4_030_004)
        scene.store.refuse(CampaignScene.statusPath(of: id), status: 403, code: 4_030_004)
        try await runner.settle()
        try await Self.waitWeek(scene, runner)
        let waiting = try await scene.show(id)
        #expect(try waiting.string("error", "code") == "app_store_refused")
        #expect(try waiting.objects("orders").map { $0["state"] } == [.string("waiting")])
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
        scene.advance(minutes: 61)
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("ended"))
        #expect(order["error"]?.objectValue?["code"] == .string("app_store_refused"))
        #expect((0..<2).allSatisfy { scene.asked($0) == 1 })
    }

    @Test func `because it is away is waited for longer than a week`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.setUnreachable(true)
        try await runner.settle()
        try await Self.waitWeek(scene, runner)
        scene.advance(minutes: 61)
        try await runner.settle()
        #expect(try await scene.order(of: id)["state"] == .string("waiting"))
        scene.store.setUnreachable(false)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.advance(minutes: 61)
        try await runner.settle()
        #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
    }

    @Test(arguments: [true, false])
    func `says why its status is missing, until Apple says it or the summary counts`(hasSummary: Bool) async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        #expect(try await scene.order(of: id)["error"] == .null)
        scene.store.refuse(CampaignScene.statusPath(of: id), status: 500, code: 5_000_000)
        scene.advance(minutes: 2)
        try await scene.settle()
        let unanswered = try await scene.order(of: id)
        #expect(unanswered["state"] == .string("accepted"))
        #expect(unanswered["error"]?.objectValue?["code"] == .string("app_store_unavailable"))
        #expect(
            unanswered["error"]?.objectValue?["message"]
                == .string("Apple does not answer, or asks to try again. The server asks again by itself.")
        )
        if hasSummary {
            try await scene.summarize(id, succeeded: 2, failed: 0)
        } else {
            scene.setStatus(of: id, complete: false)
        }
        scene.advance(minutes: 90)
        try await scene.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string(hasSummary ? "complete" : "accepted"))
        #expect(order["error"] == .null)
        #expect(try await scene.disagreements(of: id).isEmpty)
    }

    @Test func `has no error once Apple says, after a cancel, that it has the order`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.setUnreachable(true)
        try await runner.settle()
        #expect(try await scene.call("cancel", of: id).status == 200)
        scene.advance(minutes: 1)
        try await runner.settle()
        let waiting = try await scene.order(of: id)
        #expect(waiting["state"] == .string("waiting"))
        #expect(waiting["error"]?.objectValue?["code"] == .string("app_store_unavailable"))
        scene.store.setUnreachable(false)
        scene.setStatus(of: id, complete: false)
        scene.advance(minutes: 61)
        try await runner.settle()
        let accepted = try await scene.order(of: id)
        #expect(accepted["state"] == .string("accepted"))
        #expect(accepted["error"] == .null)
    }

    @Test(arguments: [true, false])
    func `ends a week after a cancel, and nobody is asked about`(isAway: Bool) async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.setUnreachable(isAway)
        scene.store.refuse(CampaignScene.massPath, status: 403, code: 4_030_004)
        scene.store.refuse(CampaignScene.statusPath(of: id), status: 403, code: 4_030_004)
        try await runner.settle()
        #expect(try await scene.call("cancel", of: id).status == 200)
        try await Self.waitWeek(scene, runner)
        #expect(try await scene.order(of: id)["state"] == .string("waiting"))
        #expect(try await scene.openCampaigns() == 1)
        scene.advance(minutes: 61)
        try await runner.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("ended"))
        #expect(order["error"]?.objectValue?["code"] == .string("extension_order_unfinished"))
        // Apple may still extend them.
        let members = try await scene.members(of: id, "unknown")
        #expect(members.count == 2)
        #expect(members.allSatisfy { $0["error"]?.objectValue?["code"] == .string("extension_unconfirmed") })
        try await scene.announceExtensions(count: 1)
        #expect(try await scene.origins(of: 0) == ["order"])
        #expect(try await scene.count("extended_by_order", of: id) == 1)
        #expect(try await scene.openCampaigns() == 0)
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
    }
}

extension CampaignScene {
    /// The number of campaigns for which a server has something to do.
    fileprivate func openCampaigns() async throws -> Int {
        try await database.read { storage throws(StorageError) in
            try storage.openExtensionCampaigns(of: ServerFixture.app, limit: 10).count
        }
    }
}
