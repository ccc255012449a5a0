import AppStoreModel
import SubscriptionServer
import SubscriptionStorage
import Testing

@testable import SubscriptionOperations

/// Several servers on one database: one of them works on the campaigns of an app.
@Suite struct `Campaigns of several servers` {
    private static let leaseMilliseconds: Int64 = 40_000

    /// Another server, which has the lease of the campaigns.
    private static func holder(_ clock: SteppedTime, _ database: any SubscriptionDatabase) async throws -> LeaseHolder {
        let holder = LeaseHolder(
            work: "extension_campaigns",
            app: ServerFixture.app,
            name: "another server",
            time: clock,
            milliseconds: leaseMilliseconds
        )
        #expect(try await database.write { storage throws(StorageError) in try holder.take(in: storage) })
        return holder
    }

    @Test(arguments: TestEngine.allCases)
    func `are worked on by the one that has the lease`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(subscriptions: 3, database: database)
            let tried = try await scene.drafted()
            #expect(try await scene.call("dry_run", of: tried).status == 202)
            let clock = SteppedTime()
            let holder = try await Self.holder(clock, database)
            let runner = try scene.runner(database, clock)
            try await runner.settle()
            #expect(try await scene.show(tried).json()["dry_run"]?.objectValue?["finished_at"] == .null)
            clock.add(Self.leaseMilliseconds)
            try await runner.settle()
            #expect(try await scene.show(tried).integer("dry_run", "eligible") == 3)
            #expect(try await scene.call("approve", of: tried, key: CampaignScene.otherSecret).status == 200)
            #expect(try await scene.call("start", of: tried).status == 200)

            _ = try await Self.holder(clock, database)
            try await runner.settle()
            clock.add(Self.leaseMilliseconds - 1)
            try await runner.settle()
            #expect((0..<3).allSatisfy { scene.asked($0) == 0 })
            #expect(try await scene.count("members", of: tried) == 0)
            clock.add(1)
            try await runner.settle()
            #expect((0..<3).allSatisfy { scene.asked($0) == 1 })
            #expect(try await scene.show(tried).string("state") == "finished")
            let isStillHeld = try await database.write { storage throws(StorageError) in
                try holder.renew(in: storage, ends: false)
            }
            #expect(!isStillHeld)
        }
    }

    @Test func `keep no answer that comes when the lease is lost, and ask about nobody twice`() async throws {
        let scene = try await CampaignScene()
        let id = try await scene.started()
        let clock = SteppedTime()
        let (first, second) = (try scene.runner(scene.database, clock), try scene.runner(scene.database, clock))
        scene.store.setSilent(true)
        let work = Task { try await first.settle() }
        try await ServerFixture.until { (0..<5).allSatisfy { scene.asked($0) == 1 } }
        clock.add(Self.leaseMilliseconds)
        _ = try await Self.holder(clock, scene.database)
        scene.store.setSilent(false)
        try await work.value
        let lost = try await scene.show(id)
        #expect(try lost.integer("counts", "extended") == 0)
        #expect(try lost.integer("counts", "in_doubt") == 5)
        clock.add(Self.leaseMilliseconds)
        try await second.settle()
        #expect(try await scene.show(id).string("state") == "running")
        // What became of them is looked up.
        for number in 0..<5 { try scene.know(number, end: 37) }
        scene.advance(minutes: 1)
        try await scene.settleChecks()
        try await second.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 5)
        #expect((0..<5).allSatisfy { scene.asked($0) == 1 })
    }

    @Test(arguments: TestEngine.allCases)
    func `go on at once on another one after a stop in the middle of the calls`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(database: database)
            let id = try await scene.started()
            let clock = SteppedTime()
            let (first, second) = (try scene.runner(database, clock), try scene.runner(database, clock))
            scene.store.setSilent(true)
            let work = Task { try await first.settle() }
            try await ServerFixture.until { (0..<5).allSatisfy { scene.asked($0) == 1 } }
            work.cancel()
            scene.store.setSilent(false)
            // A cancelled write may be an error.
            _ = await work.result
            #expect(try await scene.count("extended", of: id) == 5)
            try await second.settle()
            #expect(try await scene.show(id).string("state") == "finished")
            #expect((0..<5).allSatisfy { scene.asked($0) == 1 })
        }
    }

    @Test func `order again under the same identifier when the lease was lost before Apple's answer`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        let id = try await scene.started(CampaignScene.massDraft)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.setStatus(of: id, complete: false)
        let clock = SteppedTime()
        let (first, second) = (try scene.runner(scene.database, clock), try scene.runner(scene.database, clock))
        scene.store.setSilent(true, path: CampaignScene.massPath)
        let work = Task { try await first.settle() }
        try await ServerFixture.until { scene.store.requestedPaths.contains(CampaignScene.massPath) }
        clock.add(Self.leaseMilliseconds)
        _ = try await Self.holder(clock, scene.database)
        scene.store.setSilent(false)
        try await work.value
        #expect(try await scene.order(of: id)["state"] == .string("waiting"))
        clock.add(Self.leaseMilliseconds)
        try await second.settle()
        #expect(try await scene.order(of: id)["state"] == .string("accepted"))
        let orders = scene.store.bodies(of: CampaignScene.massPath).map { $0["requestIdentifier"] }
        #expect(orders == [.string(CampaignScene.requestID(of: id)), .string(CampaignScene.requestID(of: id))])
        #expect((0..<2).allSatisfy { scene.asked($0) == 0 })
    }
}
