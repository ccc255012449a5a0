import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Campaigns that extend all subscribers of a product by one order at Apple.
@Suite struct `Campaigns by a mass order` {
    @Test func `follow Apple's announcements, its summary and its status`() async throws {
        let scene = try await CampaignScene(subscriptions: 4)
        let id = try await scene.ordered()
        #expect(try await scene.count("ordered", of: id) == 4)
        #expect(try await scene.show(id).objects("orders").first?["state"] == .string("accepted"))
        #expect((0..<4).allSatisfy { scene.asked($0) == 0 })
        // Apple extends the first two, cannot extend the third, and never speaks of the fourth.
        for number in [0, 1] { try await scene.announce(number, .renewalExtended, end: 37) }
        try await scene.announce(2, .renewalExtension, .failure, end: 30)
        try await scene.settle()
        // While the order is open, nothing else may extend a member.
        #expect((0..<4).allSatisfy { scene.asked($0) == 0 })
        #expect(try await scene.count("extended_by_order", of: id) == 2)
        #expect(try await scene.count("ordered", of: id) == 2)
        scene.setStatus(of: id, complete: true)
        scene.advance(minutes: 5)
        try await scene.settle()
        let order = try #require(try await scene.show(id).objects("orders").first)
        #expect(order["state"] == .string("complete"))
        #expect(order["succeeded"] == .integer(2) && order["failed"] == .integer(1))
        // The failure does not name its order, so the third is looked up first.
        #expect((0..<4).allSatisfy { scene.asked($0) == 0 })
        try await scene.settleFailures()
        #expect((0..<4).map { scene.asked($0) } == [0, 0, 1, 0])
        // An hour later the silent one is looked up, and then asked about alone.
        try scene.know(3, end: 30)
        scene.advance(minutes: 70)
        try await scene.settle()
        try await scene.settleChecks()
        try await scene.settle()
        #expect((0..<4).map { scene.asked($0) } == [0, 0, 1, 1])
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 4)
        #expect(scene.store.requestedPaths.count { $0 == CampaignScene.massPath } == 1)
    }

    @Test func `tell Apple the product, the days, the reason, the storefronts and an identifier`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        let id = try await scene.started(
            #"{"product_ids":["pro.monthly"],"storefronts":["USA","DEU"],"extend_by_days":90,"reason":"satisfaction"}"#
        )
        scene.setStatus(of: id, complete: false)
        try await scene.settle()
        #expect(try await scene.order(of: id)["request_id"] == .string(CampaignScene.requestID(of: id)))
        let expected: JSONObject = [
            "requestIdentifier": .string(CampaignScene.requestID(of: id)), "extendByDays": 90, "extendReasonCode": 1,
            "productId": "pro.monthly", "storefrontCountryCodes": ["USA", "DEU"],
        ]
        #expect(scene.store.bodies(of: CampaignScene.massPath) == [expected])
    }

    @Test func `tell Apple no storefronts if the campaign is about all`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        let expected: JSONObject = [
            "requestIdentifier": .string(CampaignScene.requestID(of: id)), "extendByDays": 7, "extendReasonCode": 3,
            "productId": "pro.monthly",
        ]
        #expect(scene.store.bodies(of: CampaignScene.massPath) == [expected])
    }

    @Test func `that lost an announcement ask about nobody who was extended`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        let id = try await scene.started(CampaignScene.massDraft)
        scene.setStatus(of: id, complete: true)
        try await scene.settle()
        scene.advance(minutes: 5)
        try await scene.settle()
        try scene.know(0, end: 37)
        scene.advance(minutes: 70)
        try await scene.settle()
        try await scene.settleChecks()
        try await scene.settle()
        #expect(scene.asked(0) == 0)
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("extended_by_order", of: id) == 1)
    }

    @Test func `that Apple refuses ask about each member`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.refuse(CampaignScene.massPath, status: 400, code: 4_000_028)
        let id = try await scene.started(CampaignScene.massDraft)
        scene.forgetOrder(of: id)
        try await scene.settle()
        #expect(try await scene.show(id).objects("orders").first?["state"] == .string("ended"))
        #expect(try await scene.show(id).string("state") == "finished")
        #expect((0..<2).allSatisfy { scene.asked($0) == 1 })
    }

    @Test func `whose acceptance was lost follow it`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.refuse(CampaignScene.massPath, status: 400, code: 4_000_028)
        let id = try await scene.started(CampaignScene.massDraft)
        scene.setStatus(of: id, complete: false)
        try await scene.settle()
        #expect(try await scene.show(id).objects("orders").first?["state"] == .string("accepted"))
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
    }

    @Test func `that never completes ask about nobody`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        let id = try await scene.started(CampaignScene.massDraft)
        scene.setStatus(of: id, complete: false)
        for hours: Int64 in [1, 24, 169] {
            scene.advance(minutes: hours * 60)
            try await scene.settle()
        }
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("unknown", of: id) == 1)
        #expect(scene.asked(0) == 0)
    }

    @Test(arguments: [("pro.monthly", "was renewed"), ("pro.yearly", "moved to another product")])
    func `ask about nobody who was renewed or changed the product meanwhile`(
        product: String,
        what: String
    ) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        let id = try await scene.started(CampaignScene.massDraft)
        scene.setStatus(of: id, complete: true)
        try await scene.settle()
        scene.advance(minutes: 5)
        try await scene.settle()
        try scene.know(0, end: 60, period: 1, product: product)
        scene.advance(minutes: 70)
        try await scene.settle()
        try await scene.settleChecks()
        try await scene.settle()
        #expect(scene.asked(0) == 0)
        #expect(try await scene.count("unknown", of: id) == 1)
        let error = try await scene.members(of: id, "unknown").first?["error"]?.objectValue
        #expect(error?["code"] == .string("extension_unconfirmed"))
        #expect(error?["message"]?.stringValue?.hasPrefix("The subscription \(what) while") == true)
    }

    @Test func `do not take older announcements and failures for their own`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.setUnreachable(true)
        let id = try await scene.carriedOut(CampaignScene.massDraft)
        #expect(try await scene.show(id).objects("orders").first?["state"] == .string("waiting"))
        // Extended in App Store Connect before the first call for the order, and a failure of another order.
        try await scene.announce(0, .renewalExtended, end: 37, signed: 9)
        try await scene.announce(1, .renewalExtension, .failure, end: 30, signed: 9)
        try await scene.settle()
        #expect(try await scene.count("ordered", of: id) == 2)
        #expect(try await scene.members(of: id, "ordered").allSatisfy { $0["error"] == .null })
        let rows = try await scene.server.send(.get, CampaignScene.extensionsRoute(0)).objects("data")
        #expect(Set(rows.map { $0["origin"] }) == [.string("apple"), .string("order")])
    }

    @Test func `do not take the extension of one subscriber for their own`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        // Support extends the member alone while the order is open. The order's failure is never announced.
        #expect(try await scene.extendAlone(0) == 201)
        try await scene.announce(0, .renewalExtended, end: 37)
        #expect(try await scene.count("ordered", of: id) == 1)
        scene.setStatus(of: id, complete: true)
        scene.advance(minutes: 5)
        try await scene.settle()
        try scene.know(0, end: 37)
        scene.advance(minutes: 70)
        try await scene.settle()
        try await scene.settleChecks()
        try await scene.settle()
        #expect(scene.asked(0) == 2)
        #expect(try await scene.count("extended_by_order", of: id) == 0)
        #expect(try await scene.count("extended", of: id) == 1)
    }

    @Test func `that are cancelled before Apple has it extend nobody`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.setUnreachable(true)
        let id = try await scene.carriedOut(CampaignScene.massDraft)
        #expect(try await scene.call("cancel", of: id).status == 200)
        scene.store.setUnreachable(false)
        scene.forgetOrder(of: id)
        let orders = scene.store.requestedPaths.count { $0 == CampaignScene.massPath }
        scene.advance(minutes: 60)
        try await scene.settle()
        #expect(scene.store.requestedPaths.count { $0 == CampaignScene.massPath } == orders)
        #expect(try await scene.show(id).objects("orders").first?["state"] == .string("ended"))
        #expect(try await scene.members(of: id, "skipped").count == 2)
        let open = try await scene.database.read { storage throws(StorageError) in
            try storage.openExtensionCampaigns(of: ServerFixture.app, limit: 10)
        }
        #expect(open.isEmpty)
    }

    @Test func `that are cancelled still count what Apple announces`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        #expect(try await scene.call("cancel", of: id).status == 200)
        for number in 0..<2 { try await scene.announce(number, .renewalExtended, end: 37) }
        scene.setStatus(of: id, complete: true)
        scene.advance(minutes: 5)
        try await scene.settle()
        let cancelled = try await scene.show(id)
        #expect(try cancelled.string("state") == "cancelled")
        #expect(try cancelled.integer("counts", "extended") == 2)
        #expect(try await scene.call("cancel", of: id).errorCode() == "extension_campaign_cancelled")
    }
}
