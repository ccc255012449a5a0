import AppStoreModel
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// Orders at Apple whose answer is lost or late, and orders that move no end.
@Suite struct `The order of a campaign` {
    private static let day10 = Sample.time(10)

    /// A started campaign, and a runner whose client makes each call once.
    private static func started(_ scene: CampaignScene) async throws -> (id: String, runner: CampaignRunner) {
        let id = try await scene.started(CampaignScene.massDraft)
        return (id, try scene.runner(scene.database, SteppedTime(), repeatsCalls: false))
    }

    /// The identifiers of all orders that Apple got.
    private static func identifiers(_ scene: CampaignScene) -> [JSONValue?] {
        scene.store.bodies(of: CampaignScene.massPath).map { $0["requestIdentifier"] }
    }

    @Test func `is made again under the same identifier if Apple's answer was lost after the effect`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 500, code: 5_000_000)
        scene.setStatus(of: id, complete: false)
        try await runner.settle()
        let waiting = try await scene.show(id)
        #expect(try waiting.string("error", "code") == "app_store_unavailable")
        let message = try #require(try waiting.string("error", "message"))
        #expect(message.contains("not known whether Apple has the order") && !message.contains("Nothing was changed"))
        #expect(try waiting.integer("retry_at") == Self.day10 + 30_000)
        #expect(try waiting.objects("orders").first?["state"] == .string("waiting"))
        try await runner.settle()
        #expect(Self.identifiers(scene) == [.string(CampaignScene.requestID(of: id))])
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.advance(minutes: 1)
        try await runner.settle()
        #expect(
            Self.identifiers(scene) == [
                .string(CampaignScene.requestID(of: id)), .string(CampaignScene.requestID(of: id)),
            ]
        )
        let accepted = try await scene.show(id)
        #expect(try accepted.objects("orders").first?["state"] == .string("accepted"))
        #expect(try accepted.json()["error"] == .null)
        for number in 0..<2 { try await scene.announce(number, .renewalExtended, end: 37) }
        scene.setStatus(of: id, complete: true, succeeded: 2, failed: 0)
        scene.advance(minutes: 5)
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended_by_order") == 2)
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
        #expect(Self.identifiers(scene).count == 2)
    }

    @Test(arguments: [true, false])
    func `left a member out that Apple could not find alone, and the cancel says both`(wasOrdered: Bool) {
        var member = RenewalExtension(
            id: RenewalExtensionID(rawValue: "xc_1-1"),
            purchaseID: OriginalTransactionID("1"),
            origin: .request,
            createdAt: Timestamp(milliseconds: Sample.time(10)),
            state: .planned,
            transactionID: TransactionID("1")
        )
        member.failure = StoredFailure(code: "app_store_unavailable", message: "")
        member.noteCancel(wasOrdered: wasOrdered)
        let message = member.failure?.message ?? ""
        #expect(member.state == .refused)
        #expect(message.contains("Apple could not find it and asked to try again, "))
        #expect(message.contains("Apple's order did not extend it") == wasOrdered)
        #expect(message.hasSuffix("To extend it, extend it alone."))
    }

    @Test func `is not in doubt if Apple refuses it because of its limit`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 429, code: 4_290_000)
        try await runner.settle()
        let waiting = try await scene.show(id)
        #expect(try waiting.string("error", "code") == "app_store_rate_limited")
        let message = try #require(try waiting.string("error", "message"))
        #expect(message.contains("Apple did not take this attempt") && !message.contains("not known"))
    }

    /// Apple carries it out before the server knows that Apple has it.
    @Test func `extends nobody twice if its results come before its answer`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 500, code: 5_000_000)
        try await runner.settle()
        try await scene.announceExtensions(count: 2)
        try await scene.announce(2, .renewalExtension, .failure, end: 30, signed: 10)
        #expect(try await scene.order(of: id)["state"] == .string("waiting"))
        #expect(try await scene.count("ordered", of: id) == 1)
        scene.advance(minutes: 60)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.setStatus(of: id, complete: true)
        try await runner.settle()
        #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        scene.advance(minutes: 5)
        try await runner.settle()
        try await scene.settleChecks()
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended_by_order") == 2)
        #expect(try finished.integer("counts", "extended") == 3)
        #expect((0..<3).map { scene.asked($0) } == [0, 0, 1])
        for number in 0..<2 { #expect(try await scene.origins(of: number) == ["order"]) }
    }

    /// A server of an earlier version took them for extensions of their own.
    @Test func `gets its announcements back from extensions of their own`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 500, code: 5_000_000)
        try await runner.settle()
        try await scene.forgetFirstCall(of: id)
        try await scene.announceExtensions(count: 1)
        #expect(try await scene.origins(of: 0) == ["apple", "order"])
        #expect(try await scene.count("ordered", of: id) == 1)
        scene.advance(minutes: 60)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.setStatus(of: id, complete: true, succeeded: 1, failed: 0)
        for minutes in [0, 5, 70] as [Int64] {
            scene.advance(minutes: minutes)
            try await runner.settle()
        }
        try scene.know(0, end: 37)
        try await scene.settleChecks()
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended_by_order") == 1)
        #expect(scene.asked(0) == 0)
        #expect(try await scene.origins(of: 0) == ["order"])
        let member = try #require(try await scene.members(of: id, "extended").first)
        #expect(member["previous_period_ends_at"] == .integer(Sample.time(30)))
        #expect(member["period_ends_at"] == .integer(Sample.time(37)))
        #expect(member["announced_at"] == .integer(Self.day10))
    }

    @Test func `is followed although the campaign is cancelled, if Apple has it`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 500, code: 5_000_000)
        try await runner.settle()
        scene.setStatus(of: id, complete: false)
        let answer = try await scene.call("cancel", of: id)
        #expect(answer.status == 200)
        #expect(try answer.objects("orders").first?["state"] == .string("waiting"))
        #expect(try answer.integer("counts", "ordered") == 2)
        scene.advance(minutes: 1)
        try await runner.settle()
        #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        let again = try await scene.call("cancel", of: id)
        #expect(try again.errorCode() == "extension_campaign_cancelled")
        #expect(try again.string("error", "message")?.contains("goes on") == true)
        for number in 0..<2 { try await scene.announce(number, .renewalExtended, end: 37) }
        scene.setStatus(of: id, complete: true, succeeded: 2, failed: 0)
        scene.advance(minutes: 5)
        try await runner.settle()
        let cancelled = try await scene.show(id)
        #expect(try cancelled.string("state") == "cancelled")
        #expect(try cancelled.integer("counts", "extended_by_order") == 2)
        #expect(Self.identifiers(scene) == [.string(CampaignScene.requestID(of: id))])
    }

    @Test func `is tried less and less often while Apple limits the calls`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let (id, runner) = try await Self.started(scene)
        scene.store.refuse(CampaignScene.massPath, status: 429, code: 4_290_000)
        var attempts: [Int64] = []
        for minute: Int64 in 0...60 {
            let before = Self.identifiers(scene).count
            try await runner.settle()
            let calls = Self.identifiers(scene).count - before
            #expect(calls <= 1)
            if calls > 0 { attempts.append(minute) }
            scene.advance(minutes: 1)
        }
        // After 30 seconds, a minute, two minutes and so on.
        #expect(attempts == [0, 1, 2, 4, 8, 16, 32])
        #expect(try await scene.show(id).string("state") == "running")
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.setStatus(of: id, complete: false)
        scene.advance(minutes: 3)
        try await runner.settle()
        #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        #expect(try await scene.show(id).json()["retry_at"] == .null)
        #expect(Self.identifiers(scene).allSatisfy { $0 == .string(CampaignScene.requestID(of: id)) })
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
    }

    @Test func `is looked at less and less often`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        let path = CampaignScene.statusPath(of: id)
        #expect(try await scene.order(of: id)["next_look_at"] == .integer(Self.day10 + 60_000))
        var looks: [Int64] = []
        var announced: [JSONValue?] = []
        for minute: Int64 in 1...180 {
            scene.advance(minutes: 1)
            let before = scene.store.requestedPaths.count { $0 == path }
            try await scene.settle()
            let calls = scene.store.requestedPaths.count { $0 == path } - before
            #expect(calls <= 1)
            if calls > 0 {
                looks.append(minute)
                announced.append(try await scene.order(of: id)["next_look_at"])
            }
        }
        #expect(looks == [1, 3, 7, 15, 31, 63, 123])
        let minutes: [Int64] = [3, 7, 15, 31, 63, 123, 183]
        let expected: [JSONValue?] = minutes.map { .integer(Self.day10 + $0 * 60_000) }
        #expect(announced == expected)
    }

    @Test func `may leave the ends where they are in the sandbox only`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        for number in 0..<2 { try scene.know(number, end: 30) }
        try await scene.completeOrder(of: id, succeeded: 2, failed: 0)
        let stored = try await scene.database.read { storage throws(StorageError) in
            let campaign = ExtensionCampaignID(rawValue: id)
            return try storage.massExtensionOrder(of: campaign, for: ProductID("pro.monthly"), app: ServerFixture.app)
        }
        var order = try #require(stored)
        #expect(order.mayHaveExtendedInPlace(2, in: .sandbox))
        #expect(!order.mayHaveExtendedInPlace(2, in: .production))
        #expect(!order.mayHaveExtendedInPlace(3, in: .sandbox))
        order.failed = nil
        #expect(!order.mayHaveExtendedInPlace(2, in: .sandbox))
    }

    /// In production an end that did not move was not extended, whatever Apple counts: newcomers count too.
    @Test(arguments: [(Int64(1), Int64(0)), (1, 1), (2, 1), (2, 0)])
    func `asks about a member alone that it may not have extended`(succeeded: Int64, failed: Int64) async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.ordered()
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100))
        try scene.know(1, end: 30)
        try await scene.completeOrder(of: id, succeeded: succeeded, failed: failed)
        #expect((0..<2).map { scene.asked($0) } == [0, 1])
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("extended", of: id) == 2)
    }

    @Test func `has no announcement of a later order or of a later extension by others`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let january = try await scene.ordered()
        // Apple signs now that the period is free.
        try await scene.subscribe(0) { payload in
            payload.signedDate = Self.day10 + 1
            payload.price = 0
        }
        try scene.know(0, end: 30)
        try await scene.completeOrder(of: january, succeeded: 0, failed: 1)
        #expect(try await scene.show(january).integer("counts", "failed", "extension_free_period") == 1)
        scene.server.time.advance(to: Timestamp(milliseconds: Sample.time(14)))
        try await scene.subscribe(0) { $0.signedDate = Sample.time(13) }
        let july = try await scene.ordered()
        #expect(try await scene.count("ordered", of: july) == 1)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, signed: 14))
        #expect(try await scene.count("extended_by_order", of: july) == 1)
        #expect(try await scene.count("ordered", of: july) == 0)
        #expect(try await scene.origins(of: 0) == ["order", "order"])
        // Somebody extends it in App Store Connect.
        scene.advance(minutes: 24 * 60)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 101, end: 44, signed: 15))
        #expect(try await scene.origins(of: 0) == ["apple", "order", "order"])
        #expect(try await scene.show(january).integer("counts", "failed", "extension_free_period") == 1)
        #expect(try await scene.count("extended", of: january) == 0)
    }
}

extension CampaignScene {
    /// Makes the order of a campaign one of an earlier version, which did not store when Apple was asked first.
    fileprivate func forgetFirstCall(of id: String) async throws {
        try await database.write { storage throws(StorageError) in
            let (campaign, product) = (ExtensionCampaignID(rawValue: id), ProductID("pro.monthly"))
            let stored = try storage.massExtensionOrder(of: campaign, for: product, app: ServerFixture.app)
            guard var order = stored else { return }
            order.askedAt = nil
            try storage.save(order, of: ServerFixture.app)
        }
    }
}
