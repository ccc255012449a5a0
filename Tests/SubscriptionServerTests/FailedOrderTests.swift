import AppStoreModel
import SubscriptionOperations
import Testing

/// RENEWAL_EXTENSION with FAILURE, which does not name its order, on day 10 of periods that end on day 30.
@Suite struct `A failure of an order` {
    private static let failure = ExtensionNotice.failure(of: 0, notification: 900)

    private static func draft(days: Int) -> String {
        #"{"product_ids":["pro.monthly"],"extend_by_days":\#(days),"reason":"outage"}"#
    }

    @Test func `of one campaign does not have the member of another one extended twice`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let failed = try await scene.ordered(Self.draft(days: 3))
        let other = try await scene.ordered(Self.draft(days: 4))
        try await scene.announce(Self.failure)
        scene.setStatus(of: failed, complete: true, succeeded: 0, failed: 1)
        scene.setStatus(of: other, complete: true, succeeded: 1, failed: 0)
        // The announcement of the other order is late.
        try scene.know(0, end: 34)
        scene.advance(minutes: 5)
        try await scene.settleFailures()
        #expect(scene.asked(0) == 1)
        #expect(try await scene.origins(of: 0) == ["order", "request"])
        for (id, byOrder) in [(failed, Int64(0)), (other, 1)] {
            #expect(try await scene.show(id).string("state") == "finished")
            #expect(try await scene.count("extended", of: id) == 1)
            #expect(try await scene.count("extended_by_order", of: id) == byOrder)
        }
    }

    @Test func `does not hide the end of an open order, from which a single call moves it on`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let failed = try await scene.ordered(Self.draft(days: 3))
        let other = try await scene.ordered(Self.draft(days: 4))
        try await scene.announce(Self.failure)
        scene.setStatus(of: failed, complete: true, succeeded: 0, failed: 1)
        // The announcement of the other order is late.
        try scene.know(0, end: 34)
        scene.advance(minutes: 5)
        try await scene.settleFailures()
        #expect(scene.asked(0) == 1)
        #expect(try await scene.show(failed).string("state") == "finished")
        scene.setStatus(of: other, complete: true, succeeded: 1, failed: 0)
        try scene.know(0, end: 37)
        scene.advance(minutes: 5)
        try await scene.settleFailures()
        #expect(scene.asked(0) == 1)
        #expect(try await scene.count("extended_by_order", of: other) == 1)
        let member = try #require(try await scene.members(of: other, "extended").first)
        #expect(member["period_ends_at"] == .integer(Sample.time(34)))
    }

    @Test func `leaves it open who was extended if the end moved by the days of both orders`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let ids = [try await scene.ordered(Self.draft(days: 3)), try await scene.ordered(Self.draft(days: 4))]
        try await scene.announce(Self.failure)
        for id in ids { scene.setStatus(of: id, complete: true, succeeded: 1, failed: 0) }
        try scene.know(0, end: 37)
        scene.advance(minutes: 5)
        try await scene.settleFailures()
        #expect(scene.asked(0) == 0)
        for id in ids { #expect(try await scene.count("unknown", of: id) == 1) }
    }

    @Test func `asks about nobody alone while Apple does not say how the period ends`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        try await scene.announce(Self.failure)
        scene.setStatus(of: id, complete: true, succeeded: 0, failed: 1)
        scene.advance(minutes: 5)
        try await scene.settle()
        scene.store.setUnreachable(true)
        await #expect(throws: OperationError("app_store_unavailable", "", kind: .unavailable)) {
            try await scene.settleChecks()
        }
        try await scene.settle()
        #expect(scene.asked(0) == 0)
        #expect(try await scene.count("ordered", of: id) == 1)
        scene.store.setUnreachable(false)
        try scene.know(0, end: 30)
        scene.advance(minutes: 5)
        try await scene.settleFailures()
        #expect(scene.asked(0) == 1)
        #expect(try await scene.show(id).string("state") == "finished")
    }
}
