import AppStoreModel
import Foundation
import Testing

@testable import PerennialCommands

/// What a support agent can do for a customer, from the server's answers.
@Suite struct `What can be done for a customer` {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_770_000_000_000

    private static func json(_ text: String) throws -> JSONObject { try JSONParser.parseObject(Array(text.utf8)) }

    /// A time as the reader sees it.
    private static func time(_ milliseconds: Int64) -> String {
        LocalTimes(zone: .gmt).text(.integer(milliseconds)) ?? ""
    }

    private static func actions(_ customer: String, _ extensions: String? = nil) throws -> [CustomerAction] {
        let lists = try extensions.map { ["2000000000000001": try json($0)] } ?? [:]
        return CustomerActions(
            customer: try json(customer),
            extensions: lists,
            times: LocalTimes(zone: .gmt)
        ).all
    }

    /// A customer with one subscription and one entitlement.
    private static func customer(
        _ subscription: String,
        active: Bool = true,
        because reason: String = "null",
        id: String = "u_42"
    ) -> String {
        #"""
        {"app_user_id":"\#(id)","purchases":[],
         "entitlements":{"pro":{"active":\#(active),"inactive_reason":\#(reason),"product_id":"pro.monthly"}},
         "subscriptions":[{"id":"2000000000000001","product_id":"pro.monthly","ownership":"PURCHASED",
          "current_period_ends_at":\#(now),\#(subscription)}]}
        """#
    }

    private static func list(_ obstacles: String, data: String = "") -> String {
        #"{"data":[\#(data)],"eligible":\#(obstacles.isEmpty),"obstacles":[\#(obstacles)]}"#
    }

    private static func obstacle(_ code: String) -> String { #"{"code":"extension_\#(code)","message":"Why not."}"# }

    @Test func `is to lengthen a running period`() throws {
        let actions = try Self.actions(Self.customer(#""status":"active","auto_renew":true"#), Self.list(""))
        #expect(actions.map(\.action) == ["Lengthen the period of pro.monthly by 1 to 90 days"])
        #expect(
            actions.first?.command == "perennial extend one 2000000000000001 --days 7 --reason satisfaction"
        )
        #expect(actions.first?.because.contains("ends \(Self.time(Self.now)),") == true)
    }

    @Test func `names the time from which a period can be lengthened`() throws {
        let trial = try Self.actions(
            Self.customer(#""status":"active","auto_renew":true"#),
            Self.list(Self.obstacle("free_period"))
        )
        #expect(trial.map(\.action) == ["Lengthen the period of pro.monthly from \(Self.time(Self.now)) on"])
        #expect(trial.first?.because == "Apple would refuse it now: Why not.")
        #expect(trial.first?.command != nil)
        // No paid period follows.
        #expect(
            try Self.actions(
                Self.customer(#""status":"active","auto_renew":false"#),
                Self.list(Self.obstacle("free_period"))
            ).isEmpty
        )
        // Three were made; two count, and the older of them for 365 days.
        let made = ([1, 11, 21] as [Int64]).map { days in
            #"{"state":"extended","created_at":0,"announced_at":\#(Self.now - days * Self.day)}"#
        }
        let refused = #"{"state":"refused","created_at":\#(Self.now),"announced_at":null}"#
        let limited = try Self.actions(
            Self.customer(#""status":"active","auto_renew":true"#),
            Self.list(Self.obstacle("limit_reached"), data: ([refused] + made).joined(separator: ","))
        )
        let start = Self.time(Self.now + (365 - 11) * Self.day)
        #expect(limited.map(\.action) == ["Lengthen the period of pro.monthly from \(start) on"])
        // The period ends before, and does not renew.
        #expect(
            try Self.actions(
                Self.customer(#""status":"active","auto_renew":false"#),
                Self.list(Self.obstacle("limit_reached"), data: made.joined(separator: ","))
            ).isEmpty
        )
        let both = Self.obstacle("limit_reached") + "," + Self.obstacle("free_period")
        #expect(
            try Self.actions(Self.customer(#""status":"active","auto_renew":true"#), Self.list(both)).isEmpty
        )
    }

    @Test func `is to wait while an extension has no result`() throws {
        let alone = Self.obstacle("in_doubt")
        for obstacles in [alone, Self.obstacle("limit_reached") + "," + alone] {
            let actions = try Self.actions(
                Self.customer(#""status":"active","auto_renew":true"#),
                Self.list(obstacles)
            )
            #expect(actions.map(\.action) == ["Wait until the last extension of pro.monthly has a result"])
            #expect(actions.map(\.because) == ["Why not."])
            #expect(actions.map(\.command) == [nil])
        }
    }

    @Test func `is for every identifier, also one that a path would lose`() throws {
        for (id, path) in [("..", "%2E%2E"), (".", "%2E"), ("a/..", "a%2F..")] {
            let ended = #""status":"expired","ended_because":"voluntary""#
            let actions = try Self.actions(
                Self.customer(ended, active: false, because: #""expired""#, id: id)
            )
            #expect(actions.compactMap(\.command).contains { $0.contains("/v1/customers/\(path)/grants") })
        }
    }

    @Test func `is up to the person who pays, if that is somebody else`() throws {
        let actions = try Self.actions(
            Self.customer(#""status":"in_billing_retry","billing_issue":"payment_failed","payment_url":null"#),
            Self.list(Self.obstacle("family_shared"))
        )
        #expect(
            actions.map(\.action) == [
                "Ask who pays for it to update the payment method",
                "Let the server ask Apple about the customer's purchases now",
                "Lengthen the period of the person who pays for pro.monthly",
            ]
        )
        #expect(actions.map { $0.command == nil } == [true, false, true])
    }

    @Test func `is an update of the payment method in a grace period, which is named`() throws {
        let url = "https://apps.apple.com/account/billing"
        let actions = try Self.actions(
            Self.customer(
                #""status":"in_grace_period","billing_issue":"payment_failed","payment_url":"\#(url)","#
                    + #""grace_expires_at":\#(Self.now)"#
            ),
            Self.list(Self.obstacle("grace_period"))
        )
        #expect(actions.count == 2)
        #expect(actions.first?.action == "Ask the customer to update the payment method: \(url)")
        #expect(actions.first?.command == nil)
        #expect(actions.first?.because.contains("Access stays until \(Self.time(Self.now)).") == true)
    }

    @Test(arguments: [
        (#""status":"expired","ended_because":"cancelled""#, false),
        (#""status":"expired","ended_because":"unknown""#, true),
        (#""status":"expired","ended_because":"billing_retry""#, true),
    ])
    func `is a grant after the end, and a refresh if Apple has not said how it ended`(
        subscription: String,
        isUnclear: Bool
    ) throws {
        let actions = try Self.actions(
            Self.customer(subscription, active: false, because: #""expired""#),
            Self.list(Self.obstacle("expired"))
        )
        #expect(
            actions.compactMap(\.command) == (isUnclear ? ["perennial customer u_42 --refresh"] : []) + [
                #"POST /v1/customers/u_42/grants {"entitlement_id":"pro","duration":"P7D"}"#
            ]
        )
    }

    @Test func `is a refresh while a renewal is awaited`() throws {
        let actions = try Self.actions(
            Self.customer(#""status":"active","auto_renew":true,"renewal_awaited_until":\#(Self.now)"#),
            Self.list(Self.obstacle("renewal_awaited"))
        )
        #expect(actions.map(\.command) == ["perennial customer u_42 --refresh"])
        let hyphenated = try Self.actions(
            Self.customer(#""status":"active","auto_renew":true,"renewal_awaited_until":\#(Self.now)"#)
                .replacing("u_42", with: "-u42"),
            Self.list(Self.obstacle("renewal_awaited"))
        )
        #expect(hyphenated.map(\.command) == ["perennial customer --refresh -- -u42"])
    }

    @Test func `says what a reversed refund does`() throws {
        let actions = try Self.actions(
            Self.customer(
                #""status":"revoked","ended_because":"refunded""#,
                active: false,
                because: #""refunded""#
            ),
            Self.list(Self.obstacle("revoked"))
        )
        #expect(actions.map { $0.command == nil } == [true, false])
        #expect(actions.first?.because.contains("REFUND_REVERSED") == true)
        let coins = #""product_id":"coins","revoked_at":\#(Self.now)"#
        let purchases = try Self.actions(
            #"{"app_user_id":"u_1","purchases":[{"id":"3",\#(coins)},{"id":"4",\#(coins)}]}"#
        )
        #expect(purchases.map(\.action) == ["Tell the customer that Apple took coins back"], "once for both")
    }

    @Test func `is a transfer, an alias or another account token for a purchase of another customer`() throws {
        let uuid = "0f2e6f0a-2d7e-4d0b-8a11-6a4b6a0f9c3e"
        func actions(role: String, other: String, reason: String, id: String) throws -> [String?] {
            try Self.actions(
                #"""
                {"app_user_id":"\#(id)","refused_claims":[{"purchase_id":"2000000000000001","role":"\#(role)",
                 "reason":"\#(reason)","other_app_user_id":\#(other)}]}
                """#
            ).map(\.command)
        }
        #expect(
            try actions(role: "claimant", other: #""u 7""#, reason: "account_token", id: uuid) == [
                #"POST /v1/transfers {"from":"u 7","to":"\#(uuid)","purchase_ids":["2000000000000001"]}"#,
                #"POST /v1/customers/u%207/aliases {"alias":"\#(uuid)"}"#,
                "perennial account-token set 2000000000000001 --token \(uuid)",
            ]
        )
        #expect(
            try actions(role: "claimant", other: "null", reason: "submitted_before", id: "u_1") == [
                #"POST /v1/transfers {"to":"u_1","purchase_ids":["2000000000000001"]}"#
            ]
        )
        let token = try actions(role: "claimant", other: #""u_7""#, reason: "account_token", id: "u_1")
        #expect(token.count == 2, "Apple takes only a UUID")
    }

    @Test func `is to find the purchase of a customer who has none here`() throws {
        let actions = try Self.actions(#"{"app_user_id":"u 1","subscriptions":[],"purchases":[]}"#)
        #expect(
            actions.map(\.command) == [
                "perennial customer --order ORDER",
                #"POST /v1/transactions {"app_user_id":"u 1","order_id":"ORDER"}"#, nil,
            ]
        )
    }

    @Test func `is nothing for a customer whose entitlement has moved to another product`() throws {
        let changed = Self.customer(#""status":"active""#, active: false, because: #""plan_changed""#)
        #expect(try Self.actions(changed).isEmpty)
    }

    @Test func `names the server in the commands if it is not the default one`() throws {
        let customer = try Self.json(#"{"app_user_id":"u 42","subscriptions":[],"purchases":[]}"#)
        let times = LocalTimes(zone: .gmt)
        let commands = ["http://127.0.0.1:9000", nil].map { server in
            CustomerActions(customer: customer, extensions: [:], times: times, server: server).all.first?.command
        }
        #expect(
            commands == [
                "perennial customer --order ORDER --server http://127.0.0.1:9000",
                "perennial customer --order ORDER",
            ]
        )
    }

    @Test func `is no talk of a refund if the purchase was that of a family member`() throws {
        func told(_ ownership: String) throws -> String? {
            let customer = #"""
                {"app_user_id":"u_42","subscriptions":[],
                 "purchases":[{"id":"3","product_id":"lifetime","ownership":"\#(ownership)","revoked_at":\#(Self.now)}]}
                """#
            return try Self.actions(customer).first?.action
        }
        #expect(try told("PURCHASED") == "Tell the customer that Apple took lifetime back")
        let shared = "is no longer shared with them"
        #expect(try told("FAMILY_SHARED") == "Tell the customer that lifetime \(shared)")
        let ended = #""status":"revoked","ended_because":"sharing_ended""#
        let member = Self.customer(ended).replacing("PURCHASED", with: "FAMILY_SHARED")
        let list = Self.list(Self.obstacle("family_shared"))
        #expect(try Self.actions(member, list).map(\.action) == ["Tell the customer that pro.monthly \(shared)"])
    }

    @Test func `is to ask for consent while Apple waits for facts about a refund request`() throws {
        func actions(
            _ state: String,
            _ code: String,
            consented: String = "null",
            answer: String = "decline"
        ) throws -> [CustomerAction] {
            let request = try Self.json(
                #"""
                {"purchase_id":"3000000000000001","product_id":"coins","state":"\#(state)","answer":"\#(answer)",
                 "error":{"code":"\#(code)","message":"Why."},"answer_due_by":\#(Self.now),
                 "facts":{"customer_consented":\#(consented),"delivery_status":"delivered",
                  "consumption_percentage":40000,"sample_content_provided":null}}
                """#
            )
            return CustomerActions(
                customer: try Self.json(Self.customer(#""status":"active""#)),
                extensions: [:],
                refundRequests: [request],
                times: LocalTimes(zone: .gmt)
            ).all
        }
        let found = try actions("waiting", "no_consent")
        #expect(
            found.map(\.action) == [
                "Ask the customer whether Apple may get facts about coins, until \(Self.time(Self.now))"
            ]
        )
        #expect(
            found.first?.command == "PUT /v1/purchases/3000000000000001/consumption "
                + #"{"customer_consented":true,"delivery_status":"delivered","consumption_percentage":40000}"#
        )
        #expect(try actions("waiting", "app_store_unavailable").isEmpty)
        #expect(try actions("withheld", "no_consent").isEmpty)
        // The backend did not decide, and the policy lacks the consent.
        #expect(try actions("waiting", "hook_failed") == found)
        #expect(try actions("waiting", "hook_failed", consented: "true").isEmpty)
        #expect(try actions("waiting", "hook_failed", answer: "no_answer").isEmpty)
        // The customer does not agree.
        #expect(try actions("waiting", "no_consent", consented: "false").isEmpty)
    }

    @Test(arguments: [("u_42", "u_42"), ("u 42", "'u 42'"), ("it's", #"'it'\''s'"#), ("", "''")])
    func `quotes an identifier for a shell`(text: String, word: String) {
        #expect(CustomerAction.argument(text) == word)
    }

    @Test func `is an object with the command or null`() throws {
        let action = CustomerAction(action: "Do it", because: "It helps.")
        #expect(action.json == ["action": "Do it", "command": .null, "because": "It helps."])
        #expect(action.lines == ["  Do it", "    It helps."])
    }
}
