import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Campaigns that extend many subscriptions, on day 10 of periods that end on day 30.
@Suite struct `Extension campaigns` {
    @Test func `are drafted, tried, approved by another key, started and finished`() async throws {
        let scene = try await CampaignScene()
        let id = try await scene.drafted()
        #expect(try await scene.call("approve", of: id).errorCode() == "extension_campaign_not_tried")
        #expect(try await scene.call("start", of: id).errorCode() == "extension_campaign_draft")
        #expect(try await scene.call("dry_run", of: id).status == 202)
        #expect(try await scene.call("dry_run", of: id).errorCode() == "extension_campaign_dry_run_running")
        let other = CampaignScene.otherSecret
        #expect(
            try await scene.call("approve", of: id, key: other).errorCode() == "extension_campaign_dry_run_running"
        )
        try await scene.settle()
        let tried = try await scene.show(id)
        #expect(try tried.integer("dry_run", "eligible") == 5)
        #expect(try tried.integer("dry_run", "products", "pro.monthly") == 5)
        #expect(try await scene.call("approve", of: id).errorCode() == "extension_campaign_own_approval")
        let own = #"{"approve_own":true}"#
        #expect(try await scene.call("approve", of: id, body: own).errorCode() == "extension_campaign_own_approval")
        #expect(try await scene.call("approve", of: id, key: other).status == 200)
        #expect(
            try await scene.call("approve", of: id, key: other).errorCode() == "extension_campaign_approved"
        )
        #expect((0..<5).allSatisfy { scene.asked($0) == 0 })
        #expect(try await scene.call("start", of: id).status == 200)
        #expect(try await scene.call("start", of: id).errorCode() == "extension_campaign_running")
        try await scene.settle()
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "extended") == 5)
        #expect(try finished.integer("counts", "asked") == 5)
        #expect((0..<5).allSatisfy { scene.asked($0) == 1 })
        for step in ["dry_run", "approve", "start", "cancel"] {
            #expect(try await scene.call(step, of: id).errorCode() == "extension_campaign_finished")
        }
        let events = try await scene.events()
        #expect(events.first == "extension_campaign.started" && events.last == "extension_campaign.finished")
        #expect(events.count { $0 == "extension_campaign.progressed" } == 5)
        let audited = try await scene.database.read { storage throws(StorageError) in
            try storage.auditEntries(of: ServerFixture.app, about: "extension_campaign:\(id)", limit: 10)
        }
        #expect(
            Set(audited.map(\.action)) == [
                "extension_campaign.drafted", "extension_campaign.dry_run", "extension_campaign.approved",
                "extension_campaign.started",
            ]
        )
        #expect(Set(audited.map(\.actor)).count == 2)
    }

    @Test func `have each of their steps in the audit log, with who, before, after and the request`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let drafted = try await scene.server.send(.post, CampaignScene.route, body: CampaignScene.draft)
        let id = try #require(try drafted.string("id"))
        var answers = ["extension_campaign.drafted": drafted]
        answers["extension_campaign.dry_run"] = try await scene.call("dry_run", of: id)
        try await scene.settle()
        answers["extension_campaign.approved"] = try await scene.call("approve", of: id, key: CampaignScene.otherSecret)
        answers["extension_campaign.started"] = try await scene.call("start", of: id)
        answers["extension_campaign.cancelled"] = try await scene.call("cancel", of: id)
        let audited = try await scene.database.read { storage throws(StorageError) in
            try storage.auditEntries(of: ServerFixture.app, about: "extension_campaign:\(id)", limit: 10)
        }
        #expect(Set(audited.map(\.action)) == Set(answers.keys))
        #expect(audited.count == answers.count)
        let states = [
            "extension_campaign.dry_run": ("draft", "draft"), "extension_campaign.approved": ("draft", "approved"),
            "extension_campaign.started": ("approved", "running"),
            "extension_campaign.cancelled": ("running", "cancelled"),
        ]
        for entry in audited {
            let key =
                entry.action == "extension_campaign.approved" ? CampaignScene.otherSecret : ServerFixture.secret
            #expect(entry.actor.hasPrefix("key sk_…\(key.suffix(4))"))
            #expect(entry.occurredAt == scene.server.time.now())
            let requestID = answers[entry.action]?.headers[try #require(HTTPField.Name("x-request-id"))]
            #expect(entry.requestID != nil && entry.requestID == requestID)
            if let (before, after) = states[entry.action] {
                #expect(entry.before == #"{"state":"\#(before)"}"#)
                #expect(entry.after == #"{"state":"\#(after)"}"#)
            } else {
                #expect(entry.before == nil)
                #expect(entry.after?.contains(#""extend_by_days":7"#) == true)
            }
        }
    }

    @Test func `are approved by the same key only if the settings allow it and it says so`() async throws {
        let scene = try await CampaignScene(subscriptions: 1, approvesOwn: true)
        let id = try await scene.drafted()
        #expect(try await scene.call("dry_run", of: id).status == 202)
        try await scene.settle()
        let refused = try await scene.call("approve", of: id)
        #expect(try refused.errorCode() == "extension_campaign_own_approval")
        let remedy = try #require(try refused.string("error", "message"))
        #expect(remedy.contains("add --approve-own") && !remedy.contains("campaigns.approve_own"))
        #expect(try await scene.call("approve", of: id, body: #"{"approve_own":true}"#).status == 200)
    }

    @Test func `count who cannot be extended by reason, and leave others alone`() async throws {
        let scene = try await CampaignScene(subscriptions: 3)
        try await scene.subscribe(3) { $0.inAppOwnershipType = .familyShared }
        try await scene.subscribe(4) { $0.price = 0 }
        try await scene.subscribe(5) { $0.productId = "pro.yearly" }
        try await scene.subscribe(6) { $0.storefront = "DEU" }
        try await scene.subscribe(7) { $0.expiresDate = Sample.time(5) }
        let id = try await scene.approved(
            #"{"product_ids":["pro.monthly"],"storefronts":["USA"],"extend_by_days":7,"reason":"other","#
                + #""method":"single"}"#
        )
        let tried = try await scene.show(id)
        #expect(try tried.integer("dry_run", "eligible") == 3)
        #expect(try tried.integer("dry_run", "ineligible", "extension_family_shared") == 1)
        #expect(try tried.integer("dry_run", "ineligible", "extension_free_period") == 1)
        #expect(try tried.integer("dry_run", "storefronts", "USA") == 3)
        let candidates = try await scene.server.send(.get, "\(CampaignScene.route)/\(id)/candidates").objects("data")
        #expect(candidates.count == 5)
        #expect(candidates.count { $0["eligible"] == .bool(true) } == 3)
        #expect(try await scene.call("start", of: id).status == 200)
        try await scene.settle()
        #expect((0..<8).map { scene.asked($0) } == [1, 1, 1, 0, 0, 0, 0, 0])
        #expect(try await scene.show(id).integer("counts", "ineligible", "extension_free_period") == 1)
    }

    @Test func `with a window are about who was subscribed in it`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        // Subscribed after the outage.
        try await scene.subscribe(1) { payload in
            (payload.purchaseDate, payload.originalPurchaseDate) = (Sample.time(8), Sample.time(8))
        }
        // Subscribed in the outage, and not any more.
        try await scene.subscribe(2) { $0.expiresDate = Sample.time(7) }
        let window = #""window":{"from":\#(Sample.time(5)),"to":\#(Sample.time(6))}"#
        let id = try await scene.started(
            #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"outage",\#(window)}"#
        )
        try await scene.settle()
        #expect((0..<3).map { scene.asked($0) } == [1, 0, 0])
        #expect(try await scene.show(id).integer("counts", "ineligible", "extension_expired") == 1)
    }

    @Test func `report each refusal of Apple by its code, and find out lost answers`() async throws {
        let scene = try await CampaignScene()
        scene.store.refuse(CampaignScene.path(1), status: 403, code: 4_030_004)
        scene.store.refuse(CampaignScene.path(2), status: 500, code: 5_000_000)
        let id = try await scene.carriedOut()
        let running = try await scene.show(id)
        #expect(try running.string("state") == "running")
        #expect(try running.integer("counts", "extended") == 3)
        #expect(try running.integer("counts", "failed", "extension_ineligible") == 1)
        #expect(try running.integer("counts", "in_doubt") == 1)
        #expect(try running.string("error", "code") == "app_store_unavailable")
        #expect(try running.integer("retry_at") == Sample.time(10) + 30_000)
        // Apple does not know the transaction, and the period does not change for an hour.
        for minutes: Int64 in [1, 5, 15, 61] {
            scene.server.time.advance(to: Timestamp(milliseconds: Sample.time(10) + minutes * 60_000))
            _ = try? await scene.settleChecks()
            try await scene.settle()
            // Nobody is left to be asked when the wait is over.
            let later = try await scene.show(id).json()
            #expect(later["retry_at"] == .null && later["error"] == .null)
        }
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "unknown") == 1)
        #expect((0..<5).allSatisfy { scene.asked($0) == 1 })
        #expect(
            try await scene.members(of: id, "refused").map { $0["subscription_id"] } == [.string(CampaignScene.id(1))]
        )
        #expect(try await scene.members(of: id, "unknown").map { $0["campaign_id"] } == [.string(id)])
    }

    @Test func `wait while Apple is away or limits the calls, and go on later`() async throws {
        let scene = try await CampaignScene()
        scene.store.refuse(CampaignScene.path(4), status: 429, code: 4_290_000)
        let id = try await scene.carriedOut()
        let waiting = try await scene.show(id)
        #expect(try waiting.string("state") == "running")
        #expect(try waiting.string("error", "code") == "app_store_rate_limited")
        #expect(try waiting.integer("counts", "extended") == 4)
        let calls = scene.asked(4)
        try await scene.settle()
        #expect(scene.asked(4) == calls)
        scene.confirmExtension(of: CampaignScene.id(4))
        scene.server.time.advance(to: Timestamp(milliseconds: Sample.time(10) + 3_600_000))
        try await scene.settle()
        #expect(try await scene.show(id).string("state") == "finished")
        #expect((0..<4).allSatisfy { scene.asked($0) == 1 })
    }

    @Test func `that are cancelled ask no further`() async throws {
        let scene = try await CampaignScene()
        scene.store.setUnreachable(true)
        let id = try await scene.carriedOut()
        #expect(try await scene.call("cancel", of: id).status == 200)
        let calls = scene.store.requestedPaths.count
        scene.store.setUnreachable(false)
        scene.server.time.advance(to: Timestamp(milliseconds: Sample.time(11)))
        try await scene.settle()
        #expect(scene.store.requestedPaths.count == calls)
        let cancelled = try await scene.show(id)
        #expect(try cancelled.string("state") == "cancelled")
        #expect(try cancelled.integer("counts", "extended") == 0)
        let members = try await scene.members(of: id, "skipped")
        #expect(members.count == 5)
        #expect(
            members.allSatisfy { $0["error"]?.objectValue?["code"] == .string("extension_campaign_cancelled") }
        )
        #expect(try cancelled.integer("counts", "skipped", "extension_campaign_cancelled") == 5)
        #expect(try cancelled.integer("counts", "planned") == 0)
        #expect(try await scene.call("cancel", of: id).errorCode() == "extension_campaign_cancelled")
    }

    @Test(arguments: [
        (#"{"product_ids":[],"extend_by_days":7,"reason":"outage"}"#, "product_ids"),
        (#"{"product_ids":["pro.monthly","pro.monthly"],"extend_by_days":7,"reason":"outage"}"#, "product_ids"),
        (#"{"product_ids":["moon"],"extend_by_days":7,"reason":"outage"}"#, "product_ids"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":0,"reason":"outage"}"#, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":91,"reason":"outage"}"#, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"sorry"}"#, "reason"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","storefronts":[]}"#, "storefronts"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","storefronts":["US"]}"#, "storefronts"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","window":7}"#, "window"),
        (
            #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","window":{"from":2,"to":1}}"#,
            "window"
        ),
        (
            #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","#
                + #""window":{"from":1,"to":9000000000000}}"#, "window"
        ),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","days":7}"#, "days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","method":"both"}"#, "method"),
        (
            #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other","method":"mass","#
                + #""window":{"from":1,"to":2}}"#, "method"
        ),
    ])
    func `are not drafted with wrong terms`(body: String, parameter: String) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let answer = try await scene.server.send(.post, CampaignScene.route, body: body)
        #expect(answer.status == 400)
        #expect(try answer.string("error", "param") == parameter)
        #expect(try await scene.server.send(.get, CampaignScene.route).count("data") == 0)
    }

    @Test func `need a secret key and an existing campaign`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let publishable = ServerFixture.publishable
        #expect(
            try await scene.server.send(.post, CampaignScene.route, key: publishable, body: CampaignScene.draft).status
                == 403
        )
        let id = try await scene.drafted()
        for step in ["dry_run", "approve", "start", "cancel"] {
            #expect(try await scene.call(step, of: id, key: publishable).status == 403)
            #expect(try await scene.call(step, of: "xc_0").errorCode() == "extension_campaign_not_found")
        }
        for path in ["", "/members?state=extended", "/candidates"] {
            #expect(
                try await scene.server.send(.get, "\(CampaignScene.route)/\(id)\(path)", key: publishable).status == 403
            )
            #expect(try await scene.server.send(.get, "\(CampaignScene.route)/xc_0\(path)").status == 404)
        }
        let sandbox = ServerFixture.sandboxSecret
        #expect(try await scene.server.send(.get, "\(CampaignScene.route)/\(id)", key: sandbox).status == 404)
        #expect(try await scene.server.send(.get, "\(CampaignScene.route)/\(id)/members").status == 400)
    }
}
