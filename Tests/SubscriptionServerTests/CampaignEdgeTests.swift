import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// Notifications about campaigns that come late, twice, not at all, or with other counts, on day 10 of periods that end
/// on day 30.
@Suite struct `Unusual announcements of a campaign` {
    private static let failure = ExtensionNotice.failure(of: 2, notification: 102)

    @Test func `follow a failure up once that arrives after the summary of its order`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        scene.setStatus(of: id, complete: true)
        try await scene.summarize(id, succeeded: 2, failed: 1)
        try await scene.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("complete") && order["summary_at"] == .integer(Sample.time(10)))
        #expect(scene.asked(2) == 0)
        #expect(try await scene.count("ordered", of: id) == 1)
        #expect(try await scene.disagreements(of: id).isEmpty)
        try await scene.announce(Self.failure)
        try await scene.settleFailures()
        #expect((0..<3).map { scene.asked($0) } == [0, 0, 1])
        // Another one about the same member, and the time of the look-up, ask about nobody again.
        var again = Self.failure
        again.notification = 103
        try await scene.announce(again)
        scene.advance(minutes: 120)
        try await scene.settleChecks()
        try await scene.settle()
        #expect((0..<3).map { scene.asked($0) } == [0, 0, 1])
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        let counts = try ["members", "extended", "extended_by_order", "ordered", "in_doubt", "unknown"].map {
            try finished.integer("counts", $0)
        }
        #expect(counts == [3, 3, 2, 0, 0, 0])
        // Apple confirmed the last one, and its period has not moved.
        #expect(try await scene.disagreements(of: id) == ["extension_not_seen"])
    }

    @Test func `follow a failure up once that arrives while the member is looked up`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        scene.setStatus(of: id, complete: true)
        scene.advance(minutes: 5)
        try await scene.settle()
        scene.advance(minutes: 70)
        try await scene.settle()
        try await scene.announce(Self.failure)
        try scene.know(2, end: 30)
        try await scene.settleChecks()
        try await scene.settle()
        #expect((0..<3).map { scene.asked($0) } == [0, 0, 1])
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 3)
        #expect(try finished.integer("counts", "extended_by_order") == 2)
    }

    @Test(arguments: [true, false])
    func `are missed where Apple confirmed single calls, until they or the new ends arrive`(isAnnounced: Bool)
        async throws
    {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.carriedOut()
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100))
        let ended = try await scene.show(id)
        #expect(try ended.string("state") == "finished")
        #expect(try ended.bool("awaits_announcements") == true)
        #expect(try await scene.disagreements(of: id).isEmpty)
        // Apple's answers about the other one still have the old end.
        try scene.know(1, end: 30)
        scene.advance(minutes: 65)
        try await scene.settleChecks()
        let shown = try await scene.show(id)
        let counts = try ["extended", "extended_unseen", "unknown", "in_doubt"].map { try shown.integer("counts", $0) }
        #expect(counts == [2, 1, 0, 0])
        #expect(try shown.bool("awaits_announcements") == false)
        let finding = try #require(try shown.objects("disagreements").first)
        #expect(try shown.count("disagreements") == 1)
        #expect(finding["code"] == .string("extension_not_seen"))
        #expect(finding["message"]?.stringValue?.contains("extended 1 of the members") == true)
        let codes = try await scene.members(of: id, "extended").map { $0["error"]?.objectValue?["code"]?.stringValue }
        #expect(codes.count == 2 && codes.contains("extension_not_seen") && codes.contains(nil))
        if isAnnounced {
            try await scene.announce(ExtensionNotice(subscription: 1, notification: 101, signed: 11))
        } else {
            try await scene.subscribe(1) { payload in
                (payload.signedDate, payload.expiresDate) = (scene.server.time.now().milliseconds, Sample.time(37))
            }
        }
        #expect(try await scene.disagreements(of: id).isEmpty)
        #expect(try await scene.count("extended_unseen", of: id) == 0)
        #expect(try await scene.count("extended", of: id) == 2)
    }

    @Test func `end an order by Apple's status if its summary never comes`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        try await scene.settle()
        // Everybody has a result, but Apple may still extend others.
        #expect(try await scene.show(id).string("state") == "running")
        scene.setStatus(of: id, complete: true, succeeded: 2, failed: 0)
        scene.advance(minutes: 5)
        try await scene.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("complete") && order["summary_at"] == .null)
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("extended_by_order", of: id) == 2)
        #expect(try await scene.disagreements(of: id).isEmpty)
    }

    @Test func `are counted in the response to a cancel`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        let cancelled = try await scene.call("cancel", of: id)
        #expect(cancelled.status == 200)
        #expect(try cancelled.integer("counts", "extended_by_order") == 2)
    }

    @Test func `about a failure end the member with a reason after a cancel, and a late one still extends it`()
        async throws
    {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        try await scene.announce(Self.failure)
        #expect(try await scene.call("cancel", of: id).status == 200)
        try await scene.completeOrder(of: id, succeeded: 2, failed: 1)
        let cancelled = try await scene.show(id)
        let counts = try ["members", "extended_by_order", "planned", "ordered", "in_doubt"].map {
            try cancelled.integer("counts", $0)
        }
        #expect(counts == [3, 2, 0, 0, 0])
        #expect(try cancelled.integer("counts", "failed", "extension_campaign_cancelled") == 1)
        let member = try #require(try await scene.members(of: id, "refused").first)
        #expect(member["error"]?.objectValue?["code"] == .string("extension_campaign_cancelled"))
        #expect((0..<3).allSatisfy { scene.asked($0) == 0 })
        try await scene.announce(ExtensionNotice(subscription: 2, notification: 104, signed: 11))
        #expect(try await scene.count("extended_by_order", of: id) == 3)
        #expect(try await scene.members(of: id, "refused").isEmpty)
    }

    @Test func `end an order by Apple's summary if Apple does not tell its status`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        try await scene.announce(Self.failure)
        scene.forgetOrder(of: id)
        try await scene.summarize(id, succeeded: 2, failed: 1)
        scene.advance(minutes: 30)
        try await scene.settle()
        #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        scene.advance(minutes: 60)
        try await scene.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("complete") && order["completed_at"] == order["summary_at"])
        #expect(order["succeeded"] == .integer(2) && order["failed"] == .integer(1))
    }

    @Test func `are accepted if Apple's summary comes although its answer was lost`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.refuse(CampaignScene.massPath, status: 500, code: 5_000_000)
        let id = try await scene.started(CampaignScene.massDraft)
        try await scene.settle()
        #expect(try await scene.order(of: id)["state"] == .string("waiting"))
        try await scene.announceExtensions(count: 2)
        try await scene.summarize(id, succeeded: 2, failed: 0)
        let calls = scene.store.requestedPaths.count { $0 == CampaignScene.massPath }
        scene.setStatus(of: id, complete: true, succeeded: 2, failed: 0)
        scene.advance(minutes: 90)
        try await scene.settle()
        #expect(try await scene.order(of: id)["state"] == .string("complete"))
        #expect(scene.store.requestedPaths.count { $0 == CampaignScene.massPath } == calls)
        #expect(try await scene.show(id).string("state") == "finished")
    }

    @Test func `end an order after a week of which Apple knows nothing any more, and count late results`() async throws
    {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100))
        scene.forgetOrder(of: id)
        for _ in 1...13 {
            scene.advance(minutes: 12 * 60)
            try await scene.settle()
            #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        }
        scene.advance(minutes: 24 * 60)
        try await scene.settle()
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("ended"))
        #expect(order["error"]?.objectValue?["code"] == .string("extension_order_unfinished"))
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended_by_order") == 1)
        #expect(try finished.integer("counts", "unknown") == 1)
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
        #expect(try await scene.disagreements(of: id).isEmpty)
        try await scene.announce(ExtensionNotice(subscription: 1, notification: 101, signed: 17))
        #expect(try await scene.count("extended_by_order", of: id) == 2)
        #expect(try await scene.count("unknown", of: id) == 0)
    }

    @Test func `that nobody asked for are extensions of their own before, during and after single calls`() async throws
    {
        let scene = try await CampaignScene(subscriptions: 3)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 33, signed: 9))
        let id = try await scene.started()
        scene.store.setUnreachable(true)
        try await scene.settle()
        #expect(try await scene.members(of: id, "planned").count == 3)
        try await scene.announce(ExtensionNotice(subscription: 1, notification: 101, end: 33))
        let calls = (0..<3).map { scene.asked($0) }
        scene.store.setUnreachable(false)
        scene.advance(minutes: 60)
        try await scene.settle()
        #expect((0..<3).map { scene.asked($0) - calls[$0] } == [1, 1, 1])
        // Those that the campaign asked for, and then another one of the last.
        for number in 0..<3 {
            let end: Int64 = number == 2 ? 37 : 40
            try await scene.announce(
                ExtensionNotice(subscription: number, notification: 102 + number, end: end, signed: 11)
            )
        }
        try await scene.announce(ExtensionNotice(subscription: 2, notification: 105, end: 44, signed: 12))
        try await scene.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "members") == 3)
        #expect(try finished.integer("counts", "extended") == 3)
        for number in 0..<3 { #expect(try await scene.origins(of: number) == ["apple", "request"]) }
        #expect(try await scene.members(of: id, "extended").allSatisfy { $0["announced_at"] != .null })
    }

    @Test(arguments: [true, false])
    func `complete a member of an order late that met an obstacle meanwhile`(failureIsAnnounced: Bool) async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        if failureIsAnnounced { try await scene.announce(Self.failure) }
        // Apple signs now that its period is free.
        try await scene.subscribe(2) { payload in
            payload.signedDate = Sample.time(10) + 1
            payload.price = 0
        }
        try scene.know(2, end: 30)
        try await scene.completeOrder(of: id, succeeded: 2, failed: 1)
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(scene.asked(2) == 0)
        // Apple had it in the order.
        #expect(try finished.integer("counts", "asked") == 3)
        #expect(try finished.integer("counts", "failed", "extension_free_period") == 1)
        #expect(try finished.integer("counts", "skipped", "extension_free_period") == nil)
        try await scene.announce(ExtensionNotice(subscription: 2, notification: 104, signed: 11))
        let late = try await scene.show(id)
        #expect(try late.integer("counts", "extended_by_order") == 3)
        #expect(try late.integer("counts", "failed", "extension_free_period") == nil)
        #expect(try await scene.origins(of: 2) == ["order"])
    }

    @Test func `belong to the extension with the announced end, not to an older one without an answer`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.withoutAnswer()
        // Support extends it alone, and Apple answers.
        scene.confirmExtension(of: CampaignScene.id(0))
        #expect(try await scene.extendAlone(0) == 201)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 37))
        #expect(try await scene.count("unknown", of: id) == 1)
        #expect(try await scene.count("extended", of: id) == 0)
        // The campaign's extension took effect all the same, and is announced late.
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 101, end: 44, signed: 11))
        #expect(try await scene.count("extended", of: id) == 1)
        #expect(try await scene.origins(of: 0) == ["request", "request"])
    }

    @Test func `that nobody asked for are extensions of their own before, during and after an order`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        // Signed before the order, and delivered after it.
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 33, signed: 9))
        #expect(try await scene.count("extended", of: id) == 0)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 101, end: 40))
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 102, end: 44, signed: 11))
        try await scene.announce(ExtensionNotice(subscription: 1, notification: 103))
        scene.setStatus(of: id, complete: true, succeeded: 2, failed: 0)
        scene.advance(minutes: 5)
        try await scene.settle()
        try await scene.announce(ExtensionNotice(subscription: 1, notification: 104, end: 44, signed: 12))
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "members") == 2)
        #expect(try finished.integer("counts", "extended") == 2)
        #expect(try finished.integer("counts", "extended_by_order") == 2)
        #expect(try await scene.origins(of: 0) == ["apple", "apple", "order"])
        #expect(try await scene.origins(of: 1) == ["apple", "order"])
        #expect(try await scene.disagreements(of: id).isEmpty)
    }

    @Test(arguments: [CampaignScene.draft, CampaignScene.massDraft])
    func `about family members are no members, and extend them all the same`(draft: String) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        for number in 1...2 { try await scene.subscribe(number) { $0.inAppOwnershipType = .familyShared } }
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        let id = try await scene.approved(draft)
        let tried = try await scene.show(id)
        #expect(try tried.integer("dry_run", "eligible") == 1)
        #expect(try tried.integer("dry_run", "ineligible", "extension_family_shared") == 2)
        let candidates = try await scene.server.send(.get, "\(CampaignScene.route)/\(id)/candidates").objects("data")
        let obstacles = candidates.map { $0["obstacle"]?.objectValue?["code"]?.stringValue }
        #expect(obstacles == [nil, "extension_family_shared", "extension_family_shared"])
        #expect(try await scene.call("start", of: id).status == 200)
        scene.setStatus(of: id, complete: false)
        try await scene.settle()
        #expect(try await scene.count("members", of: id) == 1)
        for number in 0..<3 {
            let ownership = number == 0 ? InAppOwnershipType.purchased : .familyShared
            try await scene.announce(
                ExtensionNotice(subscription: number, notification: 100 + number, ownership: ownership)
            )
        }
        scene.setStatus(of: id, complete: true, succeeded: 1, failed: 0)
        scene.advance(minutes: 5)
        try await scene.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "members") == 1)
        #expect(try finished.integer("counts", "extended") == 1)
        #expect(scene.asked(1) == 0 && scene.asked(2) == 0)
        for number in 0..<3 { #expect(try await scene.end(of: number) == .integer(Sample.time(37))) }
        for number in 1...2 { #expect(try await scene.origins(of: number) == ["apple"]) }
        #expect(try await scene.disagreements(of: id).isEmpty)
    }

    @Test func `with other counts than the members' results are listed`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        try await scene.summarize(id, succeeded: 4, failed: 0)
        #expect(try await scene.disagreements(of: id).isEmpty)
        scene.setStatus(of: id, complete: true, succeeded: 4, failed: 0)
        try await scene.settle()
        // The third may still be extended by the order.
        #expect(try await scene.disagreements(of: id).isEmpty)
        try await scene.announce(Self.failure)
        try await scene.settleFailures()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try await scene.disagreements(of: id) == ["extension_extended_differ", "extension_failed_differ"])
        let messages = try finished.objects("disagreements").compactMap { $0["message"]?.stringValue }
        #expect(messages.first?.contains("4 extended by its orders, the members' results 2.") == true)
        #expect(messages.last?.contains("0 not extended by its orders, the members' results 1.") == true)
        // Apple decides nothing by its counts.
        #expect(try finished.integer("counts", "extended") == 3)
        #expect(try finished.integer("counts", "extended_by_order") == 2)
    }

    @Test(arguments: [true, false])
    func `with other counts in the summary than in the status are listed`(summaryIsFirst: Bool) async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        try await scene.announceExtensions(count: 2)
        if summaryIsFirst { try await scene.summarize(id, succeeded: 3, failed: 0) }
        scene.setStatus(of: id, complete: true, succeeded: summaryIsFirst ? 2 : 3, failed: 0)
        scene.advance(minutes: 5)
        try await scene.settle()
        if !summaryIsFirst { try await scene.summarize(id, succeeded: 2, failed: 0) }
        let order = try await scene.order(of: id)
        #expect(order["state"] == .string("complete") && order["succeeded"] == .integer(2))
        #expect(order["error"]?.objectValue?["code"] == .string("extension_order_counts_differ"))
        let message = order["error"]?.objectValue?["message"]?.stringValue
        #expect(message?.contains("first 3 extended and 0 not, then 2 and 0") == true)
        #expect(try await scene.disagreements(of: id) == ["extension_order_counts_differ"])
        #expect(try await scene.show(id).string("state") == "finished")
    }
}
