import AppStoreModel
import Foundation
import Testing

@testable import PerennialCommands

/// `perennial extend campaign`: the server's answers as readable text.
@Suite struct `A campaign as text` {
    /// A campaign in the middle of its work, with `changes` instead of its members.
    private static func campaign(_ changes: String = "{}") throws -> JSONObject {
        var campaign = try JSONParser.parseObject(Array(running.utf8))
        for change in try JSONParser.parseObject(Array(changes.utf8)).members { campaign[change.key] = change.value }
        return campaign
    }

    private static func lines(_ changes: String = "{}") throws -> [String] {
        CampaignText(try campaign(changes)).lines(in: .gmt).map { $0.replacing("UTC", with: "GMT") }
    }

    private static let running = #"""
        {"id":"xc_1","state":"running","product_ids":["pro.weekly","pro.monthly"],"storefronts":["DEU","USA"],
         "extend_by_days":10,"reason":"outage","window":{"from":1770000000000,"to":1770003600000},
         "created_at":1770000000000,"started_at":1770007200000,"is_enlisted":true,"retry_at":null,"error":null,
         "dry_run":{"finished_at":1770000000000,"eligible":10,"ineligible":{"extension_free_period":3},
           "ineligible_products":{"pro.monthly":{"extension_free_period":3}},
           "ineligible_storefronts":{"DEU":{"extension_free_period":3}},
           "products":{"pro.weekly":10},"storefronts":{"DEU":4,"USA":6},"renewals":{"EUR":11960,"JPY":900000},
           "products_without_eligible":["pro.monthly"],"storefronts_without_eligible":["XXX"]},
         "counts":{"members":10,"planned":1,"ordered":2,"in_doubt":1,"extended":3,"extended_by_order":2,"unknown":1,
           "failed":{"extension_limit_reached":2},"ineligible":{"extension_billing_retry":4}},
         "orders":[{"product_id":"pro.weekly","state":"complete","succeeded":2,"failed":1,"error":null}],
         "disagreements":[{"code":"extension_order_extended_differs","message":"Apple counts 2 extended."},
           {"code":"extension_order_counts_differ","message":"This is in the line of the order."}]}
        """#

    @Test func `has what was ordered, the dry run, and what became of the members`() throws {
        #expect(
            try Self.lines() == [
                "Campaign xc_1: running",
                "  10 days (outage) for pro.weekly, pro.monthly in DEU, USA",
                "  only who was subscribed between 2026-02-02 02:40 GMT and 2026-02-02 03:40 GMT",
                "",
                "Dry run of 2026-02-02 02:40 GMT",
                "  can be extended: 10",
                "    product pro.weekly: 10",
                "    storefront DEU: 4",
                "    storefront USA: 6",
                "  renewals that come 10 days later: 11.96 EUR",
                "  renewals that come 10 days later: 900 JPY",
                "  cannot be extended, free period: 3",
                "  nobody can be extended for the product pro.monthly: nobody has paid yet",
                "  nobody can be extended in the storefront XXX: no subscribers, check its name",
                "",
                "Members: 10",
                "  extended: 3 (2 by an order)",
                "  not extended, limit reached: 2",
                "  not asked: 1",
                "  ordered: 2",
                "  in doubt: 1",
                "    Apple is being asked, or its answer was lost. The server finds out what Apple did: within an "
                    + "hour, or later while Apple does not answer, at most two weeks.",
                "  without an answer: 1",
                "  not a member, billing retry: 4",
                "  order for pro.weekly: complete, Apple counts 2 extended and 1 not",
                "  disagreement: Apple counts 2 extended.",
            ]
        )
    }

    @Test func `says why nobody can be extended for a product or in a storefront`() throws {
        func lines(_ products: String, _ storefronts: String) throws -> [String] {
            let run =
                #"{"finished_at":1770000000000,"eligible":0,"ineligible":{},"ineligible_products":\#(products),"#
                + #""ineligible_storefronts":\#(storefronts),"products_without_eligible":["pro.daily"],"#
                + #""storefronts_without_eligible":["FRA"]}"#
            return Array(try Self.lines(#"{"dry_run":\#(run),"started_at":null}"#).suffix(2))
        }
        #expect(
            try lines("{}", "{}") == [
                "  nobody can be extended for the product pro.daily: no subscribers",
                "  nobody can be extended in the storefront FRA: no subscribers, check its name",
            ]
        )
        let trials = #"{"extension_free_period":2}"#
        let others = #"{"extension_billing_retry":1,"extension_free_period":2}"#
        #expect(
            try lines(#"{"pro.daily":\#(others)}"#, #"{"FRA":\#(trials)}"#) == [
                "  nobody can be extended for the product pro.daily: billing retry: 1, free period: 2",
                "  nobody can be extended in the storefront FRA: nobody has paid yet",
            ]
        )
        // As of an earlier version.
        #expect(
            try lines("null", "null") == [
                "  nobody can be extended for the product pro.daily",
                "  nobody can be extended in the storefront FRA: check its name",
            ]
        )
    }

    @Test func `of a draft has no dry run and no members`() throws {
        let draft = #"""
            {"state":"draft","storefronts":null,"window":null,"extend_by_days":1,"dry_run":null,"started_at":null}
            """#
        #expect(
            try Self.lines(draft) == [
                "Campaign xc_1: draft", "  1 day (outage) for pro.weekly, pro.monthly", "  no dry run yet",
            ]
        )
        let counting = try Self.lines(#"{"dry_run":{"finished_at":null,"eligible":4},"started_at":null}"#)
        #expect(counting.suffix(2) == ["Dry run, still running", "  can be extended: 4"])
    }

    @Test func `without orders does not say how many an order extended`() throws {
        #expect(try Self.lines(#"{"orders":[]}"#).contains("  extended: 3"))
    }

    @Test func `that is cancelled says that Apple may still extend those in its order`() throws {
        let line = "  Apple cannot be stopped: its order may still extend 2"
        #expect(try Self.lines(#"{"state":"cancelled"}"#).contains(line))
        #expect(try !Self.lines().contains(line))
        let waiting = try Self.lines(
            #"{"state":"cancelled","orders":[{"product_id":"pro.weekly","state":"waiting","error":null}]}"#
        )
        #expect(
            waiting.contains(
                "  the server asks Apple whether it has the order. If Apple has it, it may still extend 2; "
                    + "otherwise it extends nobody"
            )
        )
        #expect(!waiting.contains(where: { $0.contains("cannot be stopped") }))
        let alone = try Self.lines(#"{"state":"cancelled","counts":{"members":1,"planned":1}}"#)
        #expect(!alone.contains(where: { $0.contains("stopped") }))
    }

    @Test(arguments: [
        (
            #"{"error":{"code":"app_store_rate_limited"},"retry_at":1770003600000}"#,
            "  waiting: Apple limits the calls. The server asks again at 2026-02-02 03:40 GMT."
        ),
        (
            #"{"error":{"code":"app_store_unavailable"},"retry_at":1770003600000}"#,
            "  waiting: Apple does not answer, or is busy (app_store_unavailable). "
                + "The server asks again at 2026-02-02 03:40 GMT."
        ),
        (
            #"{"error":{"code":"app_store_refused","message":"The App Store refused the request: No."},"#
                + #""retry_at":1770003600000}"#,
            "  waiting: The App Store refused the request: No. The server asks again at 2026-02-02 03:40 GMT."
        ),
        (
            #"{"error":{"code":"app_store_unauthorized"}}"#,
            "  stopped: Apple refuses this server's key. Correct app_store, and restart the server."
        ),
        (
            #"{"orders":[{"product_id":"pro.weekly","state":"ended","succeeded":null,"failed":null,"#
                + #""error":{"code":"app_store_refused","message":"Apple refused it."}}],"disagreements":[]}"#,
            "  order for pro.weekly: ended (Apple refused it.)"
        ),
    ])
    func `says in its last line why it does not go on`(changes: String, line: String) throws {
        #expect(try Self.lines(changes).last == line)
    }

    /// A campaign with some members that Apple could not find at the moment.
    private static let postponed = #"""
        {"counts":{"members":10,"planned":3,"postponed":2,"extended":7},"orders":[],"disagreements":[],
         "next_try_at":1770003600000}
        """#

    @Test func `says how many members Apple could not find, and when it is asked again`() throws {
        let lines = try Self.lines(Self.postponed)
        #expect(
            lines.suffix(4) == [
                "Members: 10", "  extended: 7", "  not asked: 1",
                "  postponed: 2. Apple asks to try again; the next try is at 2026-02-02 03:40 GMT",
            ]
        )
        var cancelled = try Self.campaign(Self.postponed)
        cancelled["state"] = .string("cancelled")
        cancelled["next_try_at"] = .null
        #expect(CampaignText(cancelled).lines(in: .gmt).suffix(2) == ["  not asked: 1", "  postponed: 2"])
    }

    @Test(arguments: [
        (#"{}"#, true),
        (postponed, true),
        (#"{"error":{"code":"app_store_rate_limited"},"retry_at":1770003600000}"#, true),
        (#"{"error":{"code":"app_store_unauthorized"},"retry_at":1770003600000}"#, false),
        (#"{"counts":{"members":5,"extended":3,"ordered":2}}"#, false),
        (#"{"counts":{"members":5,"extended":3,"planned":2},"state":"cancelled"}"#, false),
        (#"{"counts":{"members":5,"extended":4,"unknown":1},"state":"finished"}"#, false),
    ])
    func `goes on without a command until it ends`(changes: String, isContinued: Bool) throws {
        #expect(CampaignText(try Self.campaign(changes)).isContinued == isContinued)
    }

    @Test func `in a list is one line`() throws {
        let line = CampaignText(try Self.campaign()).line(in: .gmt).replacing("UTC", with: "GMT")
        #expect(
            line == "xc_1  running  2026-02-02 02:40 GMT  10 days (outage) for pro.weekly, pro.monthly in DEU, USA"
        )
    }

    @Test func `shows no control characters of a terminal`() throws {
        let lines = try Self.lines(#"{"product_ids":["pro\u001b[2J"]}"#)
        #expect(lines[1].contains("pro"))
        #expect(!lines.contains(where: { $0.contains("\u{1B}") }))
    }

    @Test(arguments: [
        (#"{"members":0}"#, "[------------------------------] 0 of 0"),
        (
            #"{"members":100,"planned":20,"ordered":25,"in_doubt":5,"extended":50}"#,
            "[###############---------------] 50 of 100"
        ),
        (#"{"members":100,"extended":97,"unknown":1}"#, "[##############################] 100 of 100"),
        (#"{"members":100,"in_doubt":1,"extended":99}"#, "[#############################-] 99 of 100"),
        (
            #"{"members":100,"planned":50,"postponed":2,"extended":50}"#,
            "[###############---------------] 50 of 100, 2 postponed"
        ),
    ])
    func `has a bar of those with a result`(counts: String, bar: String) throws {
        #expect(CampaignWait.bar(CampaignText(try Self.campaign(#"{"counts":\#(counts)}"#))) == bar)
    }

    @Test(arguments: [
        (#"{}"#, true, true),
        (#"{"state":"finished","awaits_announcements":true}"#, true, false),
        (#"{"state":"finished","awaits_announcements":false}"#, false, false),
        (#"{"counts":{"members":5,"extended":3,"ordered":2}}"#, true, false),
        (#"{"counts":{"members":5,"extended":3,"ordered":2},"retry_at":1770003600000}"#, false, false),
    ])
    func `is waited for to the end, or until Apple was asked`(changes: String, toTheEnd: Bool, asked: Bool) throws {
        let campaign = try Self.campaign(changes)
        #expect(CampaignWait.goesOn(campaign, untilTheEnd: true) == toTheEnd)
        #expect(CampaignWait.goesOn(campaign, untilTheEnd: false) == asked)
    }

    /// The seconds after which nobody waits any more for a change. The next try is at 1,770,003,600 seconds.
    @Test(
        arguments: [
            // Only postponed members are left.
            (#"{"members":10,"planned":2,"postponed":2,"extended":8}"#, 1_770_000_000, 31, 31),
            // The next try is soon.
            (#"{"members":10,"planned":2,"postponed":2,"extended":8}"#, 1_770_003_570, nil, nil),
            (#"{"members":10,"planned":2,"postponed":2,"extended":8}"#, 1_770_003_630, nil, nil),
            // Its time is over, and nothing happened.
            (#"{"members":10,"planned":2,"postponed":2,"extended":8}"#, 1_770_003_631, 31, 31),
            // Others wait for something else, or for their orders.
            (#"{"members":10,"planned":3,"postponed":2,"extended":7}"#, 1_770_000_000, 31, nil),
            (#"{"members":10,"planned":2,"postponed":2,"ordered":8}"#, 1_770_000_000, 31, nil),
            (#"{"members":10,"planned":2,"postponed":2,"in_doubt":8}"#, 1_770_000_000, 31, nil),
            // Orders alone take as long as they take.
            (#"{"members":10,"ordered":10}"#, 1_770_000_000, nil, nil),
        ] as [(String, Double, Int?, Int?)]
    )
    func `is not waited for if nothing changes until a later try`(
        counts: String,
        now: Double,
        asked: Int?,
        toTheEnd: Int?
    ) throws {
        let campaign = try Self.campaign(#"{"counts":\#(counts),"next_try_at":1770003600000}"#)
        let now = Date(timeIntervalSince1970: now)
        for (end, untilTheEnd) in [(asked, false), (toTheEnd, true)] {
            for seconds in [0, 30, 31, 100_000] {
                let isTooQuiet = CampaignWait.isTooQuiet(
                    campaign,
                    for: .seconds(seconds),
                    untilTheEnd: untilTheEnd,
                    at: now
                )
                #expect(isTooQuiet == (end.map { seconds >= $0 } ?? false))
            }
        }
    }

    @Test func `is waited for longer if its members wait for something without a time`() throws {
        let now = Date(timeIntervalSince1970: 1_770_000_000)
        let waiting = try Self.campaign(#"{"counts":{"members":10,"planned":2,"extended":8},"next_try_at":null}"#)
        func isTooQuiet(_ campaign: JSONObject, _ seconds: Int, untilTheEnd: Bool) -> Bool {
            CampaignWait.isTooQuiet(campaign, for: .seconds(seconds), untilTheEnd: untilTheEnd, at: now)
        }
        #expect(!isTooQuiet(waiting, 120, untilTheEnd: false))
        #expect(isTooQuiet(waiting, 121, untilTheEnd: false))
        #expect(!isTooQuiet(waiting, 100_000, untilTheEnd: true))
        var enlisting = waiting
        enlisting["is_enlisted"] = .bool(false)
        #expect(!isTooQuiet(enlisting, 100_000, untilTheEnd: false))
    }

    @Test(arguments: [
        (#"{}"#, false),
        (#"{"counts":{"members":5,"extended":3,"ordered":2}}"#, true),
        (#"{"counts":{"members":5,"extended":3,"ordered":2},"state":"cancelled"}"#, false),
        (#"{"counts":{"members":5,"extended":3,"ordered":2},"retry_at":1770003600000}"#, false),
        (#"{"counts":{"members":5,"extended":3,"ordered":2},"orders":[{"state":"ended"}]}"#, false),
        (#"{"counts":{"members":5,"extended":5},"orders":[{"state":"ended"}],"state":"finished"}"#, true),
        (#"{"counts":{"members":5,"extended":4,"unknown":1},"state":"finished"}"#, false),
    ])
    func `is good if everybody is extended or in an order that Apple carries out`(
        changes: String,
        isGood: Bool
    ) throws {
        #expect(CampaignText(try Self.campaign(changes)).isGood == isGood)
    }
}
