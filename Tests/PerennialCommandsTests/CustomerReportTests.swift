import AppStoreModel
import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommands

/// `perennial customer`: the server's answers as readable text.
@Suite struct `A customer as text` {
    private static let customer = #"""
        {"object":"customer","app_user_id":"u_42","aliases":["anon_1"],"first_seen_at":1770000000000,
         "entitlements":{"pro":{"active":false,"inactive_reason":"billing_retry","expires_at":1770000000000,
          "grace_expires_at":null,"will_renew":true},"vip":{"active":true,"expires_at":null,"will_renew":false}},
         "subscriptions":[{"id":"2000000000000001","product_id":"pro.monthly","status":"in_billing_retry",
          "ownership":"PURCHASED","period_type":"normal","price":9990,"currency":"USD","auto_renew":true,
          "billing_issue":"payment_failed",
          "next_product_id":"pro.yearly","renewal_price":79990,"renewal_currency":"USD","price_increase":"pending",
          "current_period_ends_at":1770000000000,"management_url":"https://apps.apple.com/account/subscriptions",
          "payment_url":"https://apps.apple.com/account/billing"}],
         "refused_claims":[{"purchase_id":"2000000000000001","role":"owner","reason":"submitted_before",
          "claimed_at":1770000000000,"other_app_user_id":"u_7","what_to_do":"Move it."}],
         "purchases":[{"id":"3000000000000001","product_id":"coins","purchased_at":1770000000000,"revoked_at":null}],
         "explanation":{"pro":{"summary":"No access: the renewal due on 2 February 2026 failed."}},
         "product_explanation":{"coins":{"summary":"No access: coins was bought."}}}
        """#

    private static let timeline = #"""
        {"data":[{"type":"subscription.started","at":1767400000000,"product_id":"pro.monthly","price":9990,
          "currency":"USD"},
         {"type":"subscription.refunded","at":1767400000000,"product_id":"pro.monthly","price":-1500000,
          "currency":"JPY"},
         {"type":"transfer.given","at":1767400000000,"purchase_id":"2000000000000001",
          "details":{"other_app_user_id":"u_8","what_to_do":"Nothing."}},
         {"type":"something.quite_new","at":1770000000000,"details":{"because":"\u001b[31m"}}]}
        """#

    private static let extensions = #"""
        {"object":"list","data":[{"object":"extension","extend_by_days":7,"reason":"outage","origin":"request",
          "state":"extended","created_at":1767400000000,"period_ends_at":1770000000000,"error":null},
         {"object":"extension","extend_by_days":null,"reason":null,"origin":"apple","state":"extended",
          "created_at":1767400000000,"period_ends_at":1770000000000,"error":null},
         {"object":"extension","extend_by_days":1,"reason":"other","origin":"request","state":"refused",
          "created_at":1767400000000,"period_ends_at":null,"error":{"code":"extension_ineligible","message":"No."}}],
         "eligible":false,"obstacles":[{"code":"extension_billing_retry","message":"The last charge failed."}]}
        """#

    @Test func `shows state, reasons and the timeline in local time`() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let entries = try JSONParser.parseObject(Array(Self.timeline.utf8))["data"]?.arrayValue ?? []
        let report = CustomerReport(
            customer: try JSONParser.parseObject(Array(Self.customer.utf8)),
            timeline: entries.compactMap(\.objectValue),
            hasMore: true,
            extensions: ["2000000000000001": try JSONParser.parseObject(Array(Self.extensions.utf8))]
        )
        let lines = report.lines(in: zone).map { $0.replacing("GMT+9", with: "JST") }
        #expect(
            lines == [
                "Customer u_42, known since 2026-02-02 11:40 JST", "  also known as: anon_1", "", "Entitlements",
                "  pro: no access (billing retry), paid until 2026-02-02 11:40 JST",
                "    No access: the renewal due on 2 February 2026 failed.", "  vip: access without end", "",
                "Products to check", "  No access: coins was bought.", "", "Subscriptions",
                "  2000000000000001  pro.monthly  in billing retry, period ends 2026-02-02 11:40 JST",
                "    9.99 USD, renews as pro.yearly for 79.99 USD, if the customer agrees",
                "    manage: https://apps.apple.com/account/subscriptions",
                "    payment method: https://apps.apple.com/account/billing",
                "    extension of 7 days (outage), 2026-01-03 09:26 JST: extended to 2026-02-02 11:40 JST",
                "    extension, not requested here, 2026-01-03 09:26 JST: extended to 2026-02-02 11:40 JST",
                "    extension of 1 day (other), 2026-01-03 09:26 JST: refused (extension_ineligible)",
                "    cannot be extended: The last charge failed.", "", "One-time purchases",
                "  3000000000000001  coins, bought 2026-02-02 11:40 JST", "", "Refused claims",
                "  2000000000000001  u_7 submitted it too (submitted before), 2026-02-02 11:40 JST", "  Move it.", "",
                "Timeline",
                "  2026-01-03 09:26 JST  subscribed: pro.monthly, 9.99 USD",
                "  2026-01-03 09:26 JST  refunded: pro.monthly, -1500 JPY",
                "  2026-01-03 09:26 JST  purchase moved away by an operator: 2000000000000001 (other app user id u_8)",
                #"  2026-02-02 11:40 JST  quite new (because \u001b[31m)"#,
                "  … more: GET /v1/customers/{app_user_id}/timeline", "", "What can be done",
                "  Ask the customer to update the payment method: https://apps.apple.com/account/billing",
                "    Apple could not charge pro.monthly and keeps trying. Nothing here can make the charge succeed.",
                "  Let the server ask Apple about the customer's purchases now",
                "    perennial customer u_42 --refresh",
                "    If the customer says that the payment works again, Apple's answer shows it.",
                "  Give pro without a purchase, for example for a week",
                #"    POST /v1/customers/u_42/grants {"entitlement_id":"pro","duration":"P7D"}"#,
                "    There is no access while Apple retries the charge. A grant bridges that time.",
                "  Move 2000000000000001 to u_7",
                #"    POST /v1/transfers {"from":"u_42","to":"u_7","purchase_ids":["2000000000000001"]}"#,
                "    u_7 submitted it too. Move it only if it is theirs; the transfer can be undone.",
            ]
        )
    }

    @Test(arguments: [(nil, nil), (0, nil), (3, "  not refreshed: 3 of the older purchases")] as [(Int64?, String?)])
    func `says how many purchases a refresh did not ask about`(count: Int64?, line: String?) throws {
        var customer = try JSONParser.parseObject(Array(Self.customer.utf8))
        customer["purchases_not_asked"] = count.map { .integer($0) }
        let report = CustomerReport(customer: customer, timeline: [], hasMore: false)
        let lines = report.lines(in: .gmt).filter { $0.contains("not refreshed") }
        #expect(lines.map { text in line.map { text.hasPrefix($0) } ?? false } == (line == nil ? [] : [true]))
    }

    @Test(
        arguments: [
            (9_990, "USD", "9.99 USD"), (500_000, "JPY", "500 JPY"), (10_000, "EUR", "10.00 EUR"),
            (-1_708, "EUR", "about -1.71 EUR"), (1_995, "USD", "about 2.00 USD"), (500_400, "JPY", "about 500 JPY"),
            (0, "USD", "0.00 USD"),
        ] as [(Int64, String, String)]
    )
    func `contains amounts in the format of their currency`(milliunits: Int64, currency: String, text: String) {
        #expect(DisplayNames.price(.integer(milliunits), currency) == text)
    }

    @Test func `says whether a subscription can be extended, unless it has ended`() throws {
        func lines(_ list: String) throws -> [String] {
            ExtensionReport(try JSONParser.parseObject(Array(list.utf8))).lines(LocalTimes(zone: .gmt))
        }
        #expect(try lines(#"{"data":[],"eligible":true,"obstacles":[]}"#) == ["can be extended"])
        let ended = #"{"data":[],"eligible":false,"obstacles":[{"code":"extension_expired","message":"Ended."}]}"#
        #expect(try lines(ended).isEmpty)
    }

    @Test func `keeps every text of others on one line`() throws {
        let customer = try JSONParser.parseObject(Array(#"{"app_user_id":"u_7\nWhat can be done\n  Call"}"#.utf8))
        let lines = CustomerReport(customer: customer, timeline: [], hasMore: false).lines(in: .gmt)
        #expect(lines.allSatisfy { !$0.contains("\n") })
        #expect(lines.first?.contains(#"u_7\u000aWhat"#) == true)
    }

    @Test(arguments: [[], ["u_1", "--order", "M"], ["--order", "M", "--transaction", "2"]])
    func `requires exactly one way to select a customer`(arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try CustomerCommand.parse(arguments) }
    }
}
