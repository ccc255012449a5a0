import AppStoreModel
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// A server is killed at each write of a campaign, from the dry run to the end, and another one goes on.
@Suite struct `Campaigns of a killed server` {
    enum Method: String, CaseIterable, Sendable {
        case single, mass

        var draft: String { self == .single ? CampaignScene.draft : CampaignScene.massDraft }
    }

    /// A server that writes nothing from a point on, and the one that takes its work over.
    private struct Servers {
        private let killed: CampaignRunner
        private let other: CampaignRunner
        private let clock = SteppedTime()
        private(set) var isKilled = false

        init(_ scene: CampaignScene, killedAt point: Int) throws {
            let points = KillingDatabase.Points(failingAt: point, isRetryable: false)
            killed = try scene.runner(KillingDatabase(engine: scene.database, points: points), clock)
            other = try scene.runner(scene.database, clock)
        }

        /// Works until nothing is left to do now, from the kill on with the other server.
        ///
        /// - Parameter beforeTakeover: What happens between the kill and the work of the other server.
        mutating func settle(_ beforeTakeover: () async throws -> Void = {}) async throws {
            if !isKilled {
                do { return try await killed.settle() } catch { isKilled = true }
                try await beforeTakeover()
                // The lease of the killed server ends.
                clock.add(3_600_000)
            }
            try await other.settle()
        }
    }

    /// More than one batch.
    private static let members = 20

    @Test(arguments: Method.allCases, TestEngine.allCases)
    func `go on with another one, and nobody is extended twice`(method: Method, engine: TestEngine) async throws {
        // Each point on PostgreSQL needs a server of its own.
        let step = engine == .postgreSQL ? 10 : 1
        var point = 0
        while try await engine.run({ try await Self.isKilled(at: point, method, $0) }) { point += step }
        #expect(point > 20)
    }

    /// Carries a campaign out.
    ///
    /// - Returns: Whether the server was killed before the end.
    private static func isKilled(
        at point: Int,
        _ method: Method,
        _ database: any SubscriptionDatabase
    ) async throws -> Bool {
        let scene = try await CampaignScene(subscriptions: members, database: database)
        var servers = try Servers(scene, killedAt: point)
        let id = try await scene.drafted(method.draft)
        #expect(try await scene.call("dry_run", of: id).status == 202)
        try await servers.settle()
        #expect(try await scene.show(id).integer("dry_run", "eligible") == Int64(members), "killed at \(point)")
        #expect(try await scene.call("approve", of: id, key: CampaignScene.otherSecret).status == 200)
        #expect(try await scene.call("start", of: id).status == 200)
        scene.store.answer(CampaignScene.massPath, MassExtendRenewalDateResponse(requestIdentifier: "r"))
        scene.setStatus(of: id, complete: false)
        var isCarriedOut = false
        try await servers.settle {
            // Apple has the order, and carries it out before a server knows that.
            guard scene.store.requestedPaths.contains(CampaignScene.massPath) else { return }
            try await announceOrder(scene)
            isCarriedOut = true
        }
        if method == .mass {
            #expect(try await scene.order(of: id)["state"] == .string("accepted"), "killed at \(point)")
            if !isCarriedOut { try await announceOrder(scene) }
            try await completeOrder(of: id, scene, &servers)
        }
        // Members whose answer the killed server did not store are found out.
        for minutes: Int64 in [2, 4, 10, 50] {
            scene.advance(minutes: minutes)
            try await scene.settleChecks()
        }
        try await servers.settle()
        try await expectEnd(of: id, method, scene, point: point, isKilled: servers.isKilled)
        return servers.isKilled
    }

    /// Apple extends all but two by the order. It announces the failure of one, and nothing about the last.
    private static func announceOrder(_ scene: CampaignScene) async throws {
        for number in 0..<members - 2 {
            try await scene.announce(ExtensionNotice(subscription: number, notification: 100 + number))
        }
        try await scene.announce(ExtensionNotice.failure(of: members - 2, notification: 100 + members))
        try scene.know(members - 1, end: 30)
    }

    private static func completeOrder(of id: String, _ scene: CampaignScene, _ servers: inout Servers) async throws {
        scene.setStatus(of: id, complete: true, succeeded: Int64(members - 2), failed: 1)
        scene.advance(minutes: 5)
        try await servers.settle()
        scene.advance(minutes: 70)
        try await servers.settle()
        try await scene.settleChecks()
        try await servers.settle()
    }

    private static func expectEnd(
        of id: String,
        _ method: Method,
        _ scene: CampaignScene,
        point: Int,
        isKilled: Bool
    ) async throws {
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished", "killed at \(point)")
        let extended = try #require(try finished.integer("counts", "extended"))
        let unknown = try #require(try finished.integer("counts", "unknown"))
        #expect(extended + unknown == Int64(members), "killed at \(point)")
        if !isKilled { #expect(unknown == 0) }
        let byOrder = method == .mass ? Int64(members) - 2 : 0
        #expect(try finished.integer("counts", "extended_by_order") == byOrder, "killed at \(point)")
        #expect(try await scene.events().count { $0 == "extension_campaign.finished" } == 1, "killed at \(point)")
        for number in 0..<members {
            let sent = scene.store.bodies(of: CampaignScene.path(number)).map { $0["requestIdentifier"] }
            let isInOrder = method == .mass && number < members - 2
            #expect(sent.count <= (isInOrder ? 0 : 1), "killed at \(point)")
            #expect(sent.allSatisfy { $0 == .string("\(id)-\(CampaignScene.id(number))") }, "killed at \(point)")
        }
        let orders = scene.store.bodies(of: CampaignScene.massPath).map { $0["requestIdentifier"] }
        // The order may be repeated, under the same identifier.
        #expect((method == .mass ? 1...2 : 0...0).contains(orders.count), "killed at \(point)")
        #expect(orders.allSatisfy { $0 == .string(CampaignScene.requestID(of: id)) }, "killed at \(point)")
    }
}
