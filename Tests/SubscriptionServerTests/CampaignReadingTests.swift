import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// What an operator reads about campaigns, page by page, and what its events say.
@Suite struct `Reading extension campaigns` {
    /// Apple says at which price a subscription renews.
    private func setPrice(of number: Int, _ price: Int64, _ currency: String, in scene: CampaignScene) async throws {
        let id = CampaignScene.id(number)
        let notification = SentNotification(
            .didChangeRenewalStatus,
            .autoRenewEnabled,
            day: 9,
            status: .active,
            transaction: Sample.period(0, signed: 9) { payload in
                (payload.transactionId, payload.originalTransactionId) = (id, id)
                payload.webOrderLineItemId = id
            },
            renewal: Sample.renewal(signed: 9) { renewal in
                renewal.originalTransactionId = id
                (renewal.renewalPrice, renewal.currency) = (price, currency)
            }
        )
        let signed = try notification.signed(at: scene.server, number: 500 + number)
        #expect(try await scene.server.notify(signed).status == 200)
    }

    /// All pages of a list of at most two, by one member of each item.
    private func pages(_ path: String, _ name: String, in scene: CampaignScene) async throws -> [[String]] {
        var pages: [[String]] = []
        var after = ""
        while pages.count < 10 {
            let answer = try await scene.server.send(.get, "\(path)limit=2\(after)")
            #expect(answer.status == 200)
            pages.append(try answer.objects("data").compactMap { $0[name]?.stringValue })
            guard try answer.bool("has_more") == true else {
                #expect(try answer.json()["next_cursor"] == .null)
                break
            }
            let cursor = try #require(try answer.string("next_cursor"))
            after = "&after=\(cursor)"
        }
        return pages
    }

    @Test func `shows the renewals that a dry run would move, by currency`() async throws {
        let scene = try await CampaignScene(subscriptions: 5)
        try await setPrice(of: 0, 9_990, "USD", in: scene)
        try await setPrice(of: 1, 12_990, "USD", in: scene)
        try await setPrice(of: 2, 8_490, "EUR", in: scene)
        // Of the fourth no price is known, and the last one cannot be extended a third time.
        for (number, signed) in [Int64(7), 8].enumerated() {
            try await scene.announce(
                ExtensionNotice(subscription: 4, notification: 600 + number, end: 32 + signed, signed: signed)
            )
        }
        try await setPrice(of: 4, 5_000, "USD", in: scene)
        let id = try await scene.approved()
        let run = try #require(try await scene.show(id).json()["dry_run"]?.objectValue)
        #expect(run["eligible"] == .integer(4))
        #expect(run["ineligible"] == .object(["extension_limit_reached": 1]))
        #expect(run["renewals"] == .object(["EUR": 8_490, "USD": 22_980]))
    }

    @Test func `lists candidates, members and campaigns in pages`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        try await scene.subscribe(2) { $0.productId = "pro.yearly" }
        for number in 3...4 { try await scene.subscribe(number) }
        var ids: [String] = []
        for _ in 1...3 {
            ids.append(try await scene.drafted())
            scene.advance(minutes: 1)
        }
        let route = CampaignScene.route
        #expect(try await pages("\(route)?", "id", in: scene) == [[ids[2], ids[1]], [ids[0]]])
        let id = try await scene.carriedOut()
        let members = (0..<5).map(CampaignScene.id)
        let extended = try await pages("\(route)/\(id)/members?state=extended&", "subscription_id", in: scene)
        let candidates = try await pages("\(route)/\(id)/candidates?", "subscription_id", in: scene)
        #expect(extended.flatMap(\.self) == members.filter { $0 != CampaignScene.id(2) })
        #expect(extended.map(\.count) == [2, 2])
        // A page may have fewer: another product is no candidate.
        #expect(candidates == [[members[0], members[1]], [members[3]], [members[4]]])
        for path in ["?", "/\(id)/members?state=extended&", "/\(id)/candidates?"] {
            #expect(try await scene.server.send(.get, "\(route)\(path)limit=0").status == 400)
            #expect(try await scene.server.send(.get, "\(route)\(path)limit=1001").status == 400)
        }
        let unknown = try await scene.server.send(.get, "\(route)?after=xc_0")
        #expect(unknown.status == 404)
        #expect(try unknown.errorCode() == "extension_campaign_not_found")
    }

    @Test func `says that too many are open`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let approved = try await scene.approved()
        var open: [String] = []
        for _ in 1...10 {
            let id = try await scene.drafted()
            #expect(try await scene.call("dry_run", of: id).status == 202)
            open.append(id)
        }
        let last = try await scene.drafted()
        for refused in [try await scene.call("dry_run", of: last), try await scene.call("start", of: approved)] {
            #expect(refused.status == 503)
            #expect(try refused.errorCode() == "extension_campaigns_busy")
        }
        #expect(try await scene.show(last).json()["dry_run"] == .null)
        #expect(try await scene.show(approved).string("state") == "approved")
        #expect(try await scene.call("cancel", of: open[0]).status == 200)
        #expect(try await scene.call("start", of: approved).status == 200)
    }

    @Test func `says that a campaign cannot start without Apple's key`() async throws {
        let scene = try await CampaignScene(subscriptions: 1, hasAppStoreKey: false)
        let id = try await scene.approved()
        let refused = try await scene.call("start", of: id)
        #expect(refused.status == 503)
        #expect(try refused.errorCode() == "app_store_api_not_configured")
        #expect(try await scene.show(id).string("state") == "approved")
        try await scene.settle()
        #expect(try await scene.count("members", of: id) == 0)
        #expect(try await scene.events().isEmpty)
    }

    @Test func `counts every member whose result changed after the end, also in the list`() async throws {
        // The reference engine searches each row of a table, which takes too long for so many.
        try await TestEngine.sqlite.run { database in
            let scene = try await CampaignScene(subscriptions: 1, database: database)
            let id = try await scene.carriedOut()
            #expect(try await scene.show(id).string("state") == "finished")
            // More than a reader counts together.
            let late = 2_001
            try await database.write { storage throws(StorageError) in
                for number in 0..<late {
                    var member = RenewalExtension(
                        id: RenewalExtensionID(rawValue: "\(id)-late-\(number)"),
                        purchaseID: OriginalTransactionID("\(number)"),
                        origin: .request,
                        createdAt: Timestamp(milliseconds: Sample.time(9)),
                        state: .extended,
                        transactionID: TransactionID("\(number)")
                    )
                    member.campaignID = ExtensionCampaignID(rawValue: id)
                    try storage.save(member, of: ServerFixture.app)
                }
            }
            #expect(try await scene.count("extended", of: id) == Int64(late) + 1)
            let list = try await scene.server.send(.get, CampaignScene.route)
            let counts = try #require(try list.objects("data").first?["counts"]?.objectValue)
            #expect(counts["extended"] == .integer(Int64(late) + 1))
            // They are stored, and not counted again.
            let events = try await scene.events()
            try await scene.settle()
            let stored = try await database.read { storage throws(StorageError) in
                try storage.extensionCampaign(ExtensionCampaignID(rawValue: id), of: ServerFixture.app)
            }
            #expect(stored?.members["extended"] == late + 1)
            let uncounted = try await database.read { storage throws(StorageError) in
                try storage.uncountedMembers(app: ServerFixture.app, limit: 1)
            }
            #expect(uncounted.isEmpty)
            #expect(try await scene.count("extended", of: id) == Int64(late) + 1)
            #expect(try await scene.events() == events)
        }
    }

    @Test func `does not wait for announcements without Apple's key or long after the end`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.carriedOut()
        #expect(try await scene.show(id).bool("awaits_announcements") == true)
        let withoutKey = ExtensionCampaigns(
            database: scene.database,
            access: AppStoreAccess(),
            policy: AccessPolicy(),
            approvesOwn: false,
            time: scene.server.time
        )
        let campaign = try await withoutKey.campaign(ExtensionCampaignID(rawValue: id), app: ServerFixture.app)
        #expect(try await withoutKey.awaitsAnnouncements(of: campaign, app: ServerFixture.app) == false)
        // Apple is away: nothing is checked.
        scene.advance(minutes: 179)
        #expect(try await scene.show(id).bool("awaits_announcements") == true)
        scene.advance(minutes: 1)
        #expect(try await scene.show(id).bool("awaits_announcements") == false)
    }

    @Test func `has no unseen member after the announcement of a later extension of the same period`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.carriedOut()
        // Apple's answers still have the old end.
        try scene.know(0, end: 30)
        scene.advance(minutes: 65)
        try await scene.settleChecks()
        #expect(try await scene.count("extended_unseen", of: id) == 1)
        scene.confirmExtension(of: CampaignScene.id(0), end: 44)
        #expect(try await scene.extendAlone(0) == 201)
        #expect(try await scene.count("extended_unseen", of: id) == 1)
        try await scene.announce(ExtensionNotice(subscription: 0, notification: 100, end: 44, signed: 11))
        #expect(try await scene.count("extended_unseen", of: id) == 0)
        #expect(try await scene.count("extended", of: id) == 1)
        #expect(try await scene.disagreements(of: id).isEmpty)
    }

    @Test func `has events with the counts of the members`() async throws {
        let scene = try await CampaignScene()
        scene.store.refuse(CampaignScene.path(1), status: 403, code: 4_030_004)
        let id = try await scene.carriedOut()
        let events = try await scene.server.events().map(\.event).filter {
            $0.kind.rawValue.hasPrefix("extension_campaign.")
        }
        let terms = ["campaign_id": id, "extend_by_days": "7"]
        #expect(events.first?.details == terms)
        let last = terms.merging(["members": "5", "extended": "4", "refused": "1"]) { $1 }
        #expect(events.last?.details == last)
        let progressed = events.filter { $0.kind == .campaignProgressed }.map { $0.details ?? [:] }
        #expect(progressed.last == last)
        for (number, details) in progressed.enumerated() {
            let results = ["extended", "refused"].compactMap { details[$0].flatMap { Int($0) } }.reduce(0, +)
            #expect(results == number + 1)
            #expect(details["members"] == "5")
            #expect(details["asked"] == (results == 5 ? nil : "\(5 - results)"))
        }
        #expect(progressed.count == 5)
    }
}
