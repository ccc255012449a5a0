import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Campaigns whose members wait, and servers that are stopped while Apple does not answer.
@Suite struct `Waiting campaigns` {
    /// More members than a campaign asks about in one turn.
    private static let many = 850
    /// The commits that one run may need: one for each 16 members, and some for the campaign.
    private static let commitsMax = 100
    private static let pointsPerCommit = 3

    @Test func `do not spin if more members wait for an obstacle than a turn has, and go on when it ends`() async throws
    {
        // The reference engine searches each row of a table, which takes too long for so many.
        try await TestEngine.sqlite.run { database in
            let scene = try await CampaignScene(subscriptions: 1, database: database)
            try await scene.addSubscriptionsInDoubt(Self.many)
            let id = try await scene.started()
            // A runner that spins is stopped by its database.
            let points = KillingDatabase.Points(failingAt: 20 * Self.commitsMax * Self.pointsPerCommit)
            let runner = try scene.runner(KillingDatabase(engine: database, points: points), SteppedTime())
            for _ in 1...2 {
                let before = points.passed
                try await runner.settle()
                #expect((points.passed - before) / Self.pointsPerCommit < Self.commitsMax)
            }
            let waiting = try await scene.show(id)
            #expect(try waiting.string("state") == "running")
            #expect(try waiting.integer("counts", "members") == Int64(Self.many) + 1)
            #expect(try waiting.integer("counts", "asked") == 1)
            // The obstacle of the first one and of the last one ends.
            for number in [0, Self.many - 1] { try await scene.endDoubt(of: number) }
            try await runner.settle()
            #expect(try await scene.count("extended", of: id) == 3)
            #expect(try await scene.show(id).string("state") == "running")
            // The others are not waited for longer than a day.
            scene.advance(minutes: 25 * 60)
            let before = points.passed
            try await runner.settle()
            #expect((points.passed - before) / Self.pointsPerCommit < Self.commitsMax)
            let finished = try await scene.show(id)
            #expect(try finished.string("state") == "finished")
            #expect(try finished.integer("counts", "extended") == 3)
            #expect(try finished.integer("counts", "skipped", "extension_in_doubt") == Int64(Self.many) - 2)
            #expect(try finished.integer("counts", "asked") == 3)
            let asked = scene.store.requestedPaths.filter { $0.hasPrefix("\(CampaignScene.extendPath)/") }
            #expect(asked.count == 3)
        }
    }

    @Test func `by an order end although the only member has an obstacle that passes at the start`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        // Apple's answer to an earlier extension is lost, and it had no effect.
        scene.store.refuse(CampaignScene.path(0), status: 500, code: 5_000_000)
        #expect(try await scene.extendAlone(0) == 202)
        let before = scene.asked(0)
        let id = try await scene.ordered()
        let running = try await scene.show(id)
        #expect(try running.objects("orders").map { $0["state"] } == [.string("accepted")])
        #expect(try running.integer("counts", "ordered") == 1)
        // It is a member, so it is not counted as ineligible too.
        #expect(try running.integer("counts", "ineligible", "extension_in_doubt") == nil)
        // Apple's order did not extend it either.
        scene.confirmExtension(of: CampaignScene.id(0))
        try scene.know(0, end: 30)
        try await scene.completeOrder(of: id, succeeded: 0, failed: 1)
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "members") == 1)
        #expect(try finished.integer("counts", "extended") == 1)
        #expect(scene.asked(0) == before + 1)
    }

    @Test func `ask again about a member that Apple cannot find at the moment, and about the others meanwhile`()
        async throws
    {
        let scene = try await CampaignScene(subscriptions: 3)
        scene.store.refuse(CampaignScene.path(1), status: 404, code: 4_040_006)
        let id = try await scene.started()
        let runner = try scene.runner(scene.database, SteppedTime(), repeatsCalls: false)
        try await runner.settle()
        let waiting = try await scene.show(id)
        #expect(try waiting.string("state") == "running")
        #expect(try waiting.json()["retry_at"] == .null)
        #expect(try waiting.integer("counts", "extended") == 2)
        #expect(try waiting.integer("counts", "planned") == 1)
        #expect(try waiting.integer("counts", "postponed") == 1)
        #expect(try waiting.integer("next_try_at") == Sample.time(10) + 600_000)
        let planned = try await scene.members(of: id, "planned")
        #expect(planned.map { $0["subscription_id"] } == [.string(CampaignScene.id(1))])
        #expect(planned.first?["error"]?.objectValue?["code"] == .string("app_store_unavailable"))
        scene.advance(minutes: 9)
        try await runner.settle()
        #expect((0..<3).map { scene.asked($0) } == [1, 1, 1])
        scene.advance(minutes: 1)
        try await runner.settle()
        #expect((0..<3).map { scene.asked($0) } == [1, 2, 1])
        #expect(try await scene.show(id).integer("next_try_at") == Sample.time(10) + 1_200_000)
        #expect(try await scene.count("postponed", of: id) == 1)
        let answer = ExtendRenewalDateResponse(
            originalTransactionId: CampaignScene.id(1),
            success: true,
            effectiveDate: Sample.time(37)
        )
        scene.store.answer(CampaignScene.path(1), answer)
        scene.advance(minutes: 10)
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 3)
        #expect(try finished.integer("counts", "postponed") == 0)
        #expect(try finished.json()["next_try_at"] == .null)
        #expect((0..<3).map { scene.asked($0) } == [1, 3, 1])
        #expect(try await scene.members(of: id, "extended").allSatisfy { $0["error"] == .null })
    }

    @Test func `end after a day for a member that Apple never finds`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.refuse(CampaignScene.path(1), status: 404, code: 4_040_002)
        let id = try await scene.started()
        let runner = try scene.runner(scene.database, SteppedTime(), repeatsCalls: false)
        try await runner.settle()
        scene.advance(minutes: 24 * 60 - 1)
        try await runner.settle()
        #expect(try await scene.show(id).string("state") == "running")
        scene.advance(minutes: 10)
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "failed", "app_store_unavailable") == 1)
        let refused = try await scene.server.send(.get, "/v1/extension_campaigns/\(id)/members?state=refused").json()
        let member = refused["data"]?.arrayValue?.first?.objectValue
        let message = try #require(member?["error"]?.objectValue?["message"]?.stringValue)
        #expect(message.hasPrefix("Apple could not find it for a day, and asked to try again each time."))
        #expect((0..<2).map { scene.asked($0) } == [1, 3])
    }

    @Test(arguments: TestEngine.allCases)
    func `say when postponed members are asked about again, until they are cancelled`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(subscriptions: 2, database: database)
            for number in 0..<2 { scene.store.refuse(CampaignScene.path(number), status: 404, code: 4_040_006) }
            let id = try await scene.started()
            let runner = try scene.runner(database, SteppedTime(), repeatsCalls: false)
            scene.server.time.advance(to: Timestamp(milliseconds: Sample.time(10) + 1))
            try await runner.settle()
            #expect(try await scene.count("postponed", of: id) == 2)
            // Rounded up to the minute.
            #expect(try await scene.show(id).integer("next_try_at") == Sample.time(10) + 660_000)
            #expect(try await scene.call("cancel", of: id).status == 200)
            let cancelled = try await scene.show(id)
            #expect(try cancelled.json()["next_try_at"] == .null)
            try await runner.settle()
            let ended = try await scene.show(id)
            let counts = try ["members", "planned", "postponed", "asked"].map { try ended.integer("counts", $0) }
            #expect(counts == [2, 0, 0, 2])
            // Apple was asked about them, and did not extend them.
            #expect(try ended.integer("counts", "failed", "extension_campaign_cancelled") == 2)
            #expect(try await scene.members(of: id, "refused").count == 2)
        }
    }

    @Test func `say when the first of several postponed members is asked about again`() {
        var campaign = CampaignScene.unstored
        let now = campaign.createdAt
        let (first, second) = (now.adding(milliseconds: 60_000), now.adding(milliseconds: 120_000))
        campaign.state = .running
        campaign.members = ["planned": 5, "asked": 1, "refused:extension_ineligible": 1]
        #expect(campaign.postponedCount == 0)
        #expect(campaign.nextTryAt == nil)
        campaign.members["planned:\(second.milliseconds)"] = 1
        campaign.members["planned:\(first.milliseconds)"] = 2
        #expect(campaign.postponedCount == 3)
        #expect(campaign.nextTryAt == first)
        // While Apple is away, nobody is asked about.
        campaign.retryAt = second
        #expect(campaign.nextTryAt == second)
    }

    /// Nothing was sent, so a late announcement is that of the order, and a call would extend the period again.
    @Test(arguments: [(404, Int64(4_040_006)), (429, 4_290_000)])
    func `are not asked about again if their order is announced late`(status: Int, code: Int64) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.ordered()
        try scene.know(0, end: 30)
        scene.store.refuse(CampaignScene.path(0), status: status, code: code)
        let runner = try scene.runner(scene.database, SteppedTime(), repeatsCalls: false)
        scene.setStatus(of: id, complete: true, succeeded: 1, failed: 0)
        for minutes in [5, 70] as [Int64] {
            scene.advance(minutes: minutes)
            try await runner.settle()
        }
        try await scene.settleChecks()
        try await runner.settle()
        #expect(scene.asked(0) == 1)
        #expect(try await scene.count("planned", of: id) == 1)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100))
        scene.confirmExtension(of: CampaignScene.id(0), end: 44)
        scene.advance(minutes: 10)
        try await runner.settle()
        #expect(scene.asked(0) == 1)
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended_by_order") == 1)
        #expect(try await scene.origins(of: 0) == ["order"])
    }

    @Test func `pause for everybody while Apple cannot find the app`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        scene.store.refuse(CampaignScene.path(0), status: 404, code: 4_040_004)
        let id = try await scene.started()
        try await scene.runner(scene.database, SteppedTime(), repeatsCalls: false).settle()
        let waiting = try await scene.show(id)
        #expect(try waiting.string("error", "code") == "app_store_unavailable")
        #expect(try waiting.integer("retry_at") == Sample.time(10) + 30_000)
        #expect(try await scene.count("planned", of: id) == 1)
    }

    @Test func `by an order ask about each member alone if there is no order for them`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        scene.store.setUnreachable(true)
        let id = try await scene.carriedOut(CampaignScene.massDraft)
        #expect(try await scene.count("ordered", of: id) == 2)
        // As after the start by a version that made no order if all members had an obstacle that passes.
        try await scene.database.write { storage throws(StorageError) in
            let campaign = ExtensionCampaignID(rawValue: id)
            let lookup = TableLookup(of: ServerFixture.app, equal: [.text(campaign)])
            try storage.remove(MassExtensionOrder.self, lookup)
        }
        scene.store.setUnreachable(false)
        scene.advance(minutes: 1)
        try await scene.settle()
        #expect(try await scene.show(id).string("state") == "finished")
        #expect(try await scene.count("extended", of: id) == 2)
        #expect((0..<2).allSatisfy { scene.asked($0) == 1 })
    }

    @Test func `go on while Apple is slow about one member`() async throws {
        let scene = try await CampaignScene(subscriptions: 70)
        let id = try await scene.started()
        scene.store.setSilent(true, path: CampaignScene.path(0))
        let work = Task { try await scene.settle() }
        // Results are stored together with the others of their batch of 16.
        try await ServerFixture.until { try await (scene.count("extended", of: id) ?? 0) >= 54 }
        scene.store.setSilent(false)
        try await work.value
        #expect(try await scene.count("extended", of: id) == 70)
        #expect((0..<70).allSatisfy { scene.asked($0) == 1 })
    }

    @Test func `wait twice as long each time while Apple is away, and an hour at most`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.started()
        let runner = try scene.runner(scene.database, SteppedTime(), repeatsCalls: false)
        scene.store.setUnreachable(true)
        var pauses: [Int64] = []
        for attempt in 1...9 {
            try await runner.settle()
            #expect(scene.asked(0) == attempt)
            let retryAt = try #require(try await scene.show(id).integer("retry_at"))
            pauses.append((retryAt - scene.server.time.now().milliseconds) / 1_000)
            scene.server.time.advance(to: Timestamp(milliseconds: retryAt - 1))
            try await runner.settle()
            #expect(scene.asked(0) == attempt)
            scene.server.time.advance(to: Timestamp(milliseconds: retryAt))
        }
        #expect(pauses == [30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600])
        scene.store.setUnreachable(false)
        try await runner.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.json()["retry_at"] == .null)
        #expect(try finished.json()["error"] == .null)
    }

    @Test(arguments: [TestEngine.memory, .sqlite])
    func `wait for nothing after a cancel, although Apple refuses the calls that were under way`(
        engine: TestEngine
    ) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(database: database)
            let id = try await scene.started()
            for number in 0..<5 { scene.store.refuse(CampaignScene.path(number), status: 429, code: 4_290_000) }
            scene.store.setSilent(true)
            let runner = try scene.runner(database, SteppedTime(), repeatsCalls: false)
            let work = Task { try await runner.settle() }
            try await ServerFixture.until { (0..<5).allSatisfy { scene.asked($0) == 1 } }
            #expect(try await scene.call("cancel", of: id).status == 200)
            scene.store.setSilent(false)
            try await work.value
            let cancelled = try await scene.show(id)
            #expect(try cancelled.json()["retry_at"] == .null)
            #expect(try cancelled.json()["error"] == .null)
            #expect(try cancelled.integer("counts", "skipped", "extension_campaign_cancelled") == 5)
        }
    }

    @Test(arguments: [TestEngine.memory, .sqlite])
    func `of a server that is stopped get the answers that Apple gives soon`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(database: database)
            let id = try await scene.started()
            scene.store.setSilent(true)
            let runner = try scene.runner(database, SteppedTime(), stopPatience: .seconds(600))
            let work = Task { try await runner.settle() }
            try await ServerFixture.until { (0..<5).allSatisfy { scene.asked($0) == 1 } }
            work.cancel()
            scene.store.setSilent(false)
            // On some engines the run fails at the next write.
            _ = await work.result
            #expect(try await scene.count("extended", of: id) == 5)
            #expect(try await scene.count("in_doubt", of: id) == 0)
            try await runner.settle()
            #expect(try await scene.show(id).string("state") == "finished")
            #expect((0..<5).allSatisfy { scene.asked($0) == 1 })
        }
    }

    @Test(arguments: [TestEngine.memory, .sqlite])
    func `of a server that is stopped do not wait for answers for ever`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(database: database)
            let id = try await scene.started()
            scene.store.setSilent(true)
            let runner = try scene.runner(database, SteppedTime(), stopPatience: .zero)
            let work = Task { try await runner.settle() }
            try await ServerFixture.until { (0..<5).allSatisfy { scene.asked($0) == 1 } }
            work.cancel()
            // The cancellation ends it in any case.
            _ = await work.result
            scene.store.setSilent(false)
            let stopped = try await scene.show(id)
            #expect(try stopped.integer("counts", "in_doubt") == 5)
            // That answers were lost is stored all the same.
            #expect(try stopped.string("error", "code") == "app_store_unavailable")
        }
    }
}

extension CampaignScene {
    private static func doubtfulID(_ number: Int) -> String { "\(3_000_000_000_000_000 + number)" }

    private static func doubt(_ number: Int, _ state: RenewalExtension.State) -> RenewalExtension {
        RenewalExtension(
            id: RenewalExtensionID(rawValue: "doubt-\(number)"),
            purchaseID: OriginalTransactionID(doubtfulID(number)),
            origin: .request,
            createdAt: Timestamp(milliseconds: Sample.time(9)),
            state: state,
            transactionID: TransactionID(doubtfulID(number))
        )
    }

    /// Adds subscriptions with an earlier extension whose result is not known. They are stored without signed data.
    fileprivate func addSubscriptionsInDoubt(_ count: Int) async throws {
        try await database.write { storage throws(StorageError) in
            for number in 0..<count {
                let id = Self.doubtfulID(number)
                let start = Timestamp(milliseconds: Sample.time(0))
                let period = TransactionFact(
                    id: TransactionID(id),
                    originalID: OriginalTransactionID(id),
                    productID: ProductID("pro.monthly"),
                    kind: .autoRenewable,
                    purchasedAt: start,
                    originallyPurchasedAt: start,
                    signedAt: start,
                    evidence: EvidenceID("e"),
                    expiresAt: Timestamp(milliseconds: Sample.time(30)),
                    storefront: "USA"
                )
                try storage.save(Fact.transaction(period), of: ServerFixture.app)
                try storage.save(Self.doubt(number, .asked), of: ServerFixture.app)
            }
        }
    }

    /// The earlier extension was not made, and Apple extends the subscription from now on.
    fileprivate func endDoubt(of number: Int) async throws {
        let id = Self.doubtfulID(number)
        try await database.write { storage throws(StorageError) in
            try storage.save(Self.doubt(number, .unknown), of: ServerFixture.app)
        }
        confirmExtension(of: id)
    }
}
