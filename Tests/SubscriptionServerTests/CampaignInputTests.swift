import AppStoreModel
import HTTPTypes
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import Testing

/// What a campaign does not accept, and what it says about terms that concern nobody.
@Suite struct `The input of extension campaigns` {
    private static let invalid = "parameter_invalid"

    private static func draft(_ members: String) -> String {
        #"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"other",\#(members)}"#
    }

    /// Each body with the code and the parameter of its refusal.
    private static let refused: [(String, String, String)] = [
        (
            #"{"product_ids":["pro.monthly","moon"],"extend_by_days":7,"reason":"other"}"#, "product_unknown",
            "product_ids"
        ),
        (#"{"extend_by_days":7,"reason":"other"}"#, "parameter_missing", "product_ids"),
        (#"{"product_ids":"pro.monthly","extend_by_days":7,"reason":"other"}"#, invalid, "product_ids"),
        (#"{"product_ids":[1],"extend_by_days":7,"reason":"other"}"#, invalid, "product_ids"),
        (#"{"product_ids":[""],"extend_by_days":7,"reason":"other"}"#, invalid, "product_ids"),
        (#"{"product_ids":["pro\nmonthly"],"extend_by_days":7,"reason":"other"}"#, invalid, "product_ids"),
        (#"{"product_ids":["pro.monthly"],"reason":"other"}"#, "parameter_missing", "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":0,"reason":"other"}"#, invalid, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":91,"reason":"other"}"#, invalid, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":-1,"reason":"other"}"#, invalid, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7.5,"reason":"other"}"#, invalid, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":"7","reason":"other"}"#, invalid, "extend_by_days"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7}"#, "parameter_missing", "reason"),
        (#"{"product_ids":["pro.monthly"],"extend_by_days":7,"reason":"weather"}"#, invalid, "reason"),
        (draft(#""storefronts":[]"#), invalid, "storefronts"),
        (draft(#""storefronts":"USA""#), invalid, "storefronts"),
        (draft(#""storefronts":[""]"#), invalid, "storefronts"),
        (draft(#""storefronts":["USA",""]"#), invalid, "storefronts"),
        (draft(#""storefronts":[1]"#), invalid, "storefronts"),
        (draft(#""storefronts":["usa"]"#), invalid, "storefronts"),
        (draft(#""storefronts":["US"]"#), invalid, "storefronts"),
        (draft(#""storefronts":["USAA"]"#), invalid, "storefronts"),
        (draft(#""storefronts":["U5A"]"#), invalid, "storefronts"),
        (draft(#""storefronts":["USA","USA"]"#), invalid, "storefronts"),
        (draft(#""window":{"from":5,"to":5}"#), "extension_campaign_window_invalid", "window"),
        (draft(#""window":{"from":6,"to":5}"#), "extension_campaign_window_invalid", "window"),
        (draft(#""window":{"from":1,"to":9000000000000}"#), "extension_campaign_window_invalid", "window"),
        (draft(#""window":{"from":"noon","to":5}"#), invalid, "from"),
        (draft(#""window":{"from":5}"#), "parameter_missing", "to"),
        (draft(#""method":"mass","window":{"from":1,"to":2}"#), "extension_campaign_method_invalid", "method"),
    ]

    @Test(arguments: refused)
    func `is refused with a code and its parameter`(body: String, code: String, parameter: String) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let answer = try await scene.server.send(.post, CampaignScene.route, body: body)
        #expect(answer.status == 400)
        #expect(try answer.errorCode() == code)
        #expect(try answer.string("error", "param") == parameter)
        #expect(try await scene.server.send(.get, CampaignScene.route).count("data") == 0)
    }

    @Test(arguments: ["", "usa", "US", "USA\\n"])
    func `says what a storefront must be, and how to mean all`(storefront: String) async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let body = Self.draft(#""storefronts":["\#(storefront)"]"#)
        let answer = try await scene.server.send(.post, CampaignScene.route, body: body)
        let message = try #require(try answer.string("error", "message"))
        #expect(message.contains("three capital letters (ISO 3166-1 alpha-3), such as USA"))
        #expect(message.contains("Leave storefronts out if all are meant"))
    }

    @Test func `may name products and storefronts without anybody, and the dry run says so`() async throws {
        let scene = try await CampaignScene(subscriptions: 2)
        // One that was sold, but to nobody who is still subscribed, and one that was never sold.
        try await scene.subscribe(2) { payload in
            payload.productId = "pro.yearly"
            payload.expiresDate = Sample.time(5)
        }
        let list = #"{"products":[{"id":"pro.daily","type":"auto_renewable"}]}"#
        #expect(try await scene.server.send(.put, "/v1/products", body: list).status == 200)
        let id = try await scene.drafted(
            #"{"product_ids":["pro.monthly","pro.yearly","pro.daily"],"storefronts":["XXX","USA"],"extend_by_days":7,"#
                + #""reason":"other"}"#
        )
        let trying = try await scene.call("dry_run", of: id)
        #expect(try trying.json()["dry_run"]?.objectValue?["products_without_eligible"] == .null)
        #expect(try trying.json()["dry_run"]?.objectValue?["storefronts_without_eligible"] == .null)
        try await scene.settle()
        let run = try #require(try await scene.show(id).json()["dry_run"]?.objectValue)
        #expect(run["eligible"] == .integer(2))
        #expect(run["products_without_eligible"] == .array([.string("pro.yearly"), .string("pro.daily")]))
        #expect(run["storefronts_without_eligible"] == .array([.string("XXX")]))
        #expect(run["ineligible_products"] == .object(JSONObject()))
    }

    @Test(arguments: TestEngine.allCases)
    func `says in the dry run what is against the subscribers of each product`(engine: TestEngine) async throws {
        try await engine.run { database in
            let scene = try await CampaignScene(subscriptions: 1, database: database)
            for number in 1...2 {
                try await scene.subscribe(number) { payload in
                    payload.productId = "pro.yearly"
                    payload.price = 0
                }
            }
            let id = try await scene.drafted(
                #"{"product_ids":["pro.monthly","pro.yearly"],"extend_by_days":7,"reason":"other"}"#
            )
            #expect(try await scene.call("dry_run", of: id).status == 202)
            try await scene.settle()
            let run = try #require(try await scene.show(id).json()["dry_run"]?.objectValue)
            #expect(run["eligible"] == .integer(1))
            let free = try #require(run["ineligible_products"]?.objectValue)
            #expect(free.members.map(\.key) == ["pro.yearly"])
            #expect(free["pro.yearly"]?.objectValue?["extension_free_period"] == .integer(2))
            let storefronts = try #require(run["ineligible_storefronts"]?.objectValue)
            #expect(storefronts.members.count == 1)
            #expect(storefronts.members.first?.value.objectValue?["extension_free_period"] == .integer(2))
        }
    }

    @Test func `of an earlier version does not say it, because it did not count by product`() {
        var campaign = CampaignScene.unstored
        #expect(campaign.ineligibleProducts == nil)
        campaign.dryRun = ExtensionCampaign.DryRun(startedAt: campaign.createdAt)
        #expect(campaign.ineligibleProducts == [:])
        campaign.dryRun?.counts.ineligible = ["extension_free_period": 2]
        #expect(campaign.ineligibleProducts == nil && campaign.ineligibleStorefronts == nil)
    }

    @Test func `that concerns nobody asks Apple for nothing`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        let id = try await scene.carriedOut(
            #"{"product_ids":["pro.monthly"],"storefronts":["XXX"],"extend_by_days":7,"reason":"other"}"#
        )
        let finished = try await scene.show(id)
        #expect(try finished.string("state") == "finished")
        #expect(try finished.integer("counts", "members") == 0)
        #expect(try finished.count("orders") == 0)
        #expect(
            try finished.json()["dry_run"]?.objectValue?["storefronts_without_eligible"] == .array([.string("XXX")])
        )
        #expect(!scene.store.requestedPaths.contains { $0.hasPrefix("/inApps/v1/subscriptions/extend") })
    }

    @Test func `has no steps that its state does not allow`() async throws {
        let scene = try await CampaignScene(subscriptions: 1)
        // Cancelled during the dry run, which ends with it.
        let draft = try await scene.drafted()
        #expect(try await scene.call("dry_run", of: draft).status == 202)
        #expect(try await scene.call("cancel", of: draft).status == 200)
        try await scene.settle()
        #expect(try await scene.show(draft).json()["dry_run"] == .null)
        for step in ["dry_run", "approve", "start", "cancel"] {
            let refused = try await scene.call(step, of: draft, key: CampaignScene.otherSecret)
            #expect(refused.status == 409)
            #expect(try refused.errorCode() == "extension_campaign_cancelled")
            #expect(try refused.string("error", "message")?.contains("order") == false)
        }
        // Cancelled after the approval.
        let approved = try await scene.approved()
        let again = try await scene.call("approve", of: approved, key: CampaignScene.otherSecret)
        #expect(try again.errorCode() == "extension_campaign_approved")
        #expect(try await scene.call("cancel", of: approved).status == 200)
        #expect(try await scene.call("start", of: approved).errorCode() == "extension_campaign_cancelled")
        // Cancelled while it runs.
        let running = try await scene.started()
        scene.store.setUnreachable(true)
        try await scene.settle()
        for step in ["dry_run", "approve", "start"] {
            let refused = try await scene.call(step, of: running, key: CampaignScene.otherSecret)
            #expect(try refused.errorCode() == "extension_campaign_running")
        }
        #expect(try await scene.call("cancel", of: running).status == 200)
        #expect(try await scene.show(running).string("state") == "cancelled")
    }
}
