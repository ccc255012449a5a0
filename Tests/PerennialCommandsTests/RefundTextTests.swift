import AppStoreModel
import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommands

/// `perennial refunds`: the server's answers as readable text.
@Suite struct `Refunds as text` {
    private static var times: LocalTimes { LocalTimes(zone: .gmt) }

    private static func object(_ text: String) throws -> JSONObject { try JSONParser.parseObject(Array(text.utf8)) }

    @Test func `name the amount, the customer and the reasons`() throws {
        let refund = try Self.object(
            #"""
            {"transaction_id":"2000000000000003","app_user_id":"u_42","product_id":"pro_monthly","storefront":"USA",
             "price":9990,"amount":4995,"currency":"USD","refunded_at":1770000000000,"reason":"app_issue",
             "requested_because":"unintended_purchase","reversed_at":1770003600000}
            """#
        )
        let line = RefundText.line(of: refund, Self.times).replacing("UTC", with: "GMT")
        #expect(
            line == "2026-02-02 02:40 GMT  2000000000000003  pro_monthly  USA  about 5.00 USD  u_42  "
                + "(of 9.99 USD, app issue, requested: unintended purchase, reversed 2026-02-02 03:40 GMT)"
        )
        let bare = try Self.object(
            #"{"transaction_id":"2","app_user_id":null,"product_id":"coins","refunded_at":1770000000000}"#
        )
        let short = RefundText.line(of: bare, Self.times).replacing("UTC", with: "GMT")
        #expect(short == "2026-02-02 02:40 GMT  2  coins  ?  no known amount  no customer")
        var damaged = bare
        damaged["owner_unreadable"] = .bool(true)
        #expect(RefundText.line(of: damaged, Self.times).hasSuffix("  customer unreadable"))
    }

    @Test(
        arguments: [
            (
                #"""
                {"product_id":"pro_monthly","charged":7,"refunds":2,"reversed":1,"share":28571,
                 "amounts":{"USD":9990}}
                """#,
                "pro_monthly: 2 of 7 charges refunded (28.6 %), 9.99 USD, 1 reversed"
            ),
            (
                #"{"storefront":null,"charged":1,"refunds":0,"reversed":0,"share":0,"amounts":{}}"#,
                "not known: 0 of 1 charge refunded (0.0 %)"
            ),
            (
                #"""
                {"reason":"app_issue","charged":null,"refunds":1,"reversed":0,"share":null,"amounts":{"JPY":500000},
                 "requested_because":{"legal":1}}
                """#,
                "app issue: 1 refund, 500 JPY (requested: legal: 1)"
            ),
        ]
    )
    func `are counted beside the charges`(group: String, line: String) throws {
        #expect(RefundText.line(ofGroup: try Self.object(group)) == line)
    }

    @Test func `of a customer are a section, unless there is nothing`() throws {
        let none = #"{"purchases":1,"charged":2,"refunds":0,"reversed":0,"share":0,"requested":0,"declined":0}"#
        #expect(RefundText.lines(ofCustomer: try Self.object(none), Self.times).isEmpty)
        #expect(RefundText.lines(ofCustomer: JSONObject(), Self.times).isEmpty)
        let some = #"""
            {"purchases":2,"charged":4,"refunds":2,"reversed":1,"share":50000,"amounts":{"USD":19980},"requested":3,
             "declined":1,"first_refunded_at":1767400000000,"last_refunded_at":1770000000000}
            """#
        let lines = RefundText.lines(ofCustomer: try Self.object(some), Self.times)
            .map { $0.replacing("UTC", with: "GMT") }
        #expect(
            lines == [
                "", "Refunds",
                "  2 of 4 charges refunded (50.0 %), 19.98 USD, the first 2026-01-03 00:26 GMT, "
                    + "the last 2026-02-02 02:40 GMT",
                "  reversed: 1", "  requested: 3, declined: 1",
            ]
        )
    }

    @Test func `are asked for by time, product and customer`() throws {
        let list = try RefundsListCommand.parse(["--from", "2026-11-01", "--product", "a b", "--customer", "ü"])
        let parameters = [("product_id", list.product), ("app_user_id", list.customer)]
        #expect(
            list.span.path("/v1/refunds", parameters)
                == "/v1/refunds?from=2026-11-01&product_id=a%20b&app_user_id=%C3%BC"
        )
        #expect(try RefundsListCommand.parse([]).span.path("/v1/refunds") == "/v1/refunds")
        #expect(try RefundsRatesCommand.parse(["--by", "reason"]).by == .reason)
    }
}
