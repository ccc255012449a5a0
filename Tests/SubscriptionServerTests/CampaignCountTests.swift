import PerennialPrimitives
import SubscriptionCore
import SubscriptionStorage
import Testing

/// The counts of a campaign are those of its members at every moment, whoever changes the members, and in any order.
@Suite struct `Counts of a campaign` {
    private static let subscriptions = 8

    @Test(arguments: TestEngine.allCases, 1...4)
    func `are those of its members, before and after they are added to the campaign`(
        engine: TestEngine,
        seed: UInt64
    ) async throws {
        try await engine.run { database in
            var random = SplitMix64(seed: seed)
            let scene = try await CampaignScene(subscriptions: Self.subscriptions, database: database)
            let id = try await scene.ordered()
            var silent = Array(0..<Self.subscriptions)
            var wasBehind = false
            for step in 0..<12 {
                // Several notifications may be in one commit. Some come twice.
                let first = silent.isEmpty ? [] : Array(silent.prefix(Int.random(in: 1...3, using: &random)))
                silent.removeFirst(first.count)
                let isFailure = Bool.random(using: &random)
                try await withThrowingTaskGroup { group in
                    for number in first {
                        group.addTask {
                            var notice = ExtensionNotice(subscription: number, notification: 100 + number)
                            if isFailure { notice = .failure(of: number, notification: 200 + number) }
                            try await scene.announce(notice)
                            try await scene.announce(notice)
                        }
                    }
                    try await group.waitForAll()
                }
                if isFailure { silent += first.prefix(1) }
                let changes = try await Self.changes(of: id, in: database)
                if !changes.isEmpty { wasBehind = true }
                try await Self.expectCounts(of: id, scene, database, "step \(step)")
                guard Bool.random(using: &random) else { continue }
                try await scene.settle()
                #expect(try await Self.changes(of: id, in: database).isEmpty)
                try await Self.expectCounts(of: id, scene, database, "step \(step), settled")
            }
            #expect(wasBehind)
            for number in 0..<Self.subscriptions { try scene.know(number, end: 37) }
            try await scene.completeOrder(of: id, succeeded: Int64(Self.subscriptions), failed: 0)
            try await scene.settleFailures()
            #expect(try await Self.changes(of: id, in: database).isEmpty)
            #expect(try await scene.show(id).string("state") == "finished")
            try await Self.expectCounts(of: id, scene, database, "at the end")
            let stored = try await Self.campaign(id, in: database)
            #expect(stored.members == (try await Self.results(of: id, in: database)))
        }
    }

    @Test(arguments: TestEngine.allCases)
    func `contain an announcement that comes after a cancel`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(subscriptions: 2, database: database)
            let id = try await scene.ordered()
            #expect(try await scene.call("cancel", of: id).status == 200)
            try await scene.announceExtensions(count: 2)
            #expect(try await scene.count("extended_by_order", of: id) == 2)
            #expect(try await Self.campaign(id, in: database).members == ["ordered": 2])
            try await scene.settle()
            #expect(try await Self.campaign(id, in: database).members == ["extended:order": 2])
            #expect(try await scene.count("extended_by_order", of: id) == 2)
        }
    }

    private static func expectCounts(
        of id: String,
        _ scene: CampaignScene,
        _ database: any SubscriptionDatabase,
        _ moment: String
    ) async throws {
        let results = try await results(of: id, in: database)
        let extended = results.filter { $0.key.hasPrefix("extended") }.values.reduce(0, +)
        #expect(try await scene.count("ordered", of: id) == Int64(results["ordered"] ?? 0), "\(moment)")
        #expect(try await scene.count("extended", of: id) == Int64(extended), "\(moment)")
        #expect(
            try await scene.count("extended_by_order", of: id) == Int64(results["extended:order"] ?? 0),
            "\(moment)"
        )
        #expect(results.values.reduce(0, +) == subscriptions, "\(moment)")
    }

    private static func changes(
        of id: String,
        in database: any SubscriptionDatabase
    ) async throws -> [CampaignCountChange] {
        try await database.read { storage throws(StorageError) in
            try storage.campaignCountChanges(
                of: ExtensionCampaignID(rawValue: id),
                app: ServerFixture.app,
                limit: 100
            )
        }
    }

    private static func campaign(_ id: String, in database: any SubscriptionDatabase) async throws -> ExtensionCampaign
    {
        let campaign = try await database.read { storage throws(StorageError) in
            try storage.extensionCampaign(ExtensionCampaignID(rawValue: id), of: ServerFixture.app)
        }
        return try #require(campaign)
    }

    /// The results of the members, counted one by one.
    private static func results(of id: String, in database: any SubscriptionDatabase) async throws -> [String: Int] {
        try await database.read { storage throws(StorageError) in
            var results: [String: Int] = [:]
            for state in RenewalExtension.State.allCases {
                let members = try storage.members(
                    of: ExtensionCampaignID(rawValue: id),
                    in: state,
                    app: ServerFixture.app,
                    limit: 1_000
                )
                for member in members { results[member.result, default: 0] += 1 }
            }
            return results
        }
    }
}
