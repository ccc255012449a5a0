import AppStoreModel
import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommands

/// `perennial customer`: the answers of the server in plain words.
@Suite struct `A customer in plain words` {
    private static let customer = #"""
        {"object":"customer","app_user_id":"u_42","aliases":["anon_1"],"first_seen_at":1770000000000,
         "entitlements":{"pro":{"active":false,"inactive_reason":"billing_retry","expires_at":1770000000000,
          "grace_expires_at":null,"will_renew":true},"vip":{"active":true,"expires_at":null,"will_renew":false}},
         "subscriptions":[{"id":"2000000000000001","product_id":"pro.monthly","status":"in_billing_retry",
          "current_period_ends_at":1770000000000,"management_url":"https://apps.apple.com/account/subscriptions",
          "payment_url":"https://apps.apple.com/account/billing"}],
         "purchases":[{"id":"3000000000000001","product_id":"coins","purchased_at":1770000000000,"revoked_at":null}],
         "explanation":{"pro":{"summary":"No access: the renewal due on 2 February 2026 failed."}},
         "product_explanation":{"coins":{"summary":"No access: coins was bought."}}}
        """#

    private static let timeline = #"""
        {"data":[{"type":"subscription.started","at":1767400000000,"product_id":"pro.monthly","price":9990,
          "currency":"USD"},
         {"type":"subscription.refunded","at":1767400000000,"product_id":"pro.monthly","price":-1500,"currency":"JPY"},
         {"type":"something.quite_new","at":1770000000000,"details":{"because":"\u001b[31m"}}]}
        """#

    @Test func `tells state, why and the story in local time`() throws {
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let entries = try JSONParser.parseObject(Array(Self.timeline.utf8))["data"]?.arrayValue ?? []
        let report = CustomerReport(
            customer: try JSONParser.parseObject(Array(Self.customer.utf8)),
            timeline: entries.compactMap(\.objectValue),
            hasMore: true
        )
        let lines = report.lines(in: zone).map { $0.replacing("GMT+9", with: "JST") }
        #expect(
            lines == [
                "Customer u_42, known since 2026-02-02 11:40 JST", "  also known as: anon_1", "", "Entitlements",
                "  pro: no access (billing retry), ended 2026-02-02 11:40 JST",
                "    No access: the renewal due on 2 February 2026 failed.", "  vip: access without end", "",
                "Products to look at", "  No access: coins was bought.", "", "Subscriptions",
                "  2000000000000001  pro.monthly  in billing retry, period ends 2026-02-02 11:40 JST",
                "    manage: https://apps.apple.com/account/subscriptions",
                "    payment method: https://apps.apple.com/account/billing", "", "One-time purchases",
                "  3000000000000001  coins, bought 2026-02-02 11:40 JST", "", "Timeline",
                "  2026-01-03 09:26 JST  subscribed: pro.monthly, 9.99 USD",
                "  2026-01-03 09:26 JST  refunded: pro.monthly, -1.50 JPY",
                #"  2026-02-02 11:40 JST  quite new (because \u001b[31m)"#,
                "  … more: GET /v1/customers/{app_user_id}/timeline",
            ]
        )
    }

    @Test(
        arguments: [
            (9_990, "USD", "9.99 USD"), (500_000, "JPY", "500 JPY"), (10_000, "EUR", "10.00 EUR"),
            (-5, "USD", "-0.005 USD"),
            (0, "USD", "0.00 USD"),
        ] as [(Int64, String, String)]
    )
    func `money is written as people write it`(milliunits: Int64, currency: String, text: String) {
        #expect(PlainWords.price(.integer(milliunits), currency) == text)
    }

    @Test(arguments: [[], ["u_1", "--order", "M"], ["--order", "M", "--transaction", "2"]])
    func `one customer is asked for, in one way`(arguments: [String]) {
        #expect(throws: (any Error).self) { _ = try CustomerCommand.parse(arguments) }
    }
}
