import Foundation
import PerennialPrimitives
import Testing

@testable import PerennialDemo

/// The demo's output for people: arrivals, payments, and the meaning of the server's answers.
@Suite struct `People of the demo` {
    @Test func `one customer arrives in the first week, and the others are spread over the time, for any number`() {
        for count in [1, 2, 5, 12, 60, 400] {
            for weeks in [1, 4, 13, 52, 260] {
                for seed in UInt64(1)...5 {
                    var random = SplitMix64(seed: seed)
                    let joined = (1...count).map {
                        DemoShopper(index: $0, of: count, weeks: weeks, using: &random).joinsInWeek
                    }
                    #expect(joined.first == 0)
                    #expect(joined.allSatisfy { (0..<weeks).contains($0) })
                    // Every part of the time has an arrival if possible.
                    let span = max(1, weeks * 3 / 4)
                    let quarters = Set(joined.map { $0 * 4 / span })
                    if count >= 12, span >= 12 { #expect(quarters == [0, 1, 2, 3], "\(count) \(weeks) \(joined)") }
                }
            }
        }
    }

    @Test(arguments: [
        (1_500_000, "JPY", "¥1,500"), (14_000_000, "KRW", "₩14,000"), (9_990, "USD", "$9.99"),
        (79_990, "EUR", "€79.99"),
        (1_234_567_050, "BRL", "R$1,234,567.05"), (990, "CHF", "0.99 CHF"), (0, "JPY", "¥0"),
    ])
    func `amounts are shown in the format of their currency`(amount: Int, currency: String, expected: String) {
        #expect(DemoMoney.text(thousandths: Int64(amount), currency: currency) == expected)
    }

    @Test func `every product has a plausible price in other currencies, in whole yen and won`() {
        let products = AccountComparison.demoEntitlements.values.reduce(into: Set(["coins.100", "season.pass"])) {
            $0.formUnion($1)
        }
        for (storefront, prices) in DemoPrices.points {
            #expect(Set(prices.keys) == products)
            if storefront != "BRA" { #expect(prices.values.allSatisfy { $0 % 1_000 == 0 && $0 >= 100_000 }) }
        }
    }

    @Test(arguments: [
        (
            #""status": "active", "auto_renew": true, "period_type": "normal""#,
            "access; renews on 3 February 2027 for ¥1,500"
        ),
        (
            #""status": "active", "auto_renew": false, "period_type": "normal""#,
            "access until 3 February 2027: renewal is"
        ),
        (
            #""status": "active", "auto_renew": true, "period_type": "trial""#,
            "access: a free trial until 3 February 2027"
        ),
        (#""status": "active", "auto_renew": true, "ownership": "FAMILY_SHARED""#, "shared by a family member"),
        (#""status": "in_grace_period", "auto_renew": true"#, "access until 5 February 2027, a grace period"),
        (#""status": "in_billing_retry", "auto_renew": true"#, "no access: the renewal of 3 February 2027 failed"),
        (#""status": "expired", "auto_renew": false"#, "no access: it ended on 3 February 2027"),
        (#""status": "revoked", "auto_renew": false"#, "no access: it was refunded"),
    ])
    func `a response of the server becomes one sentence`(members: String, sentence: String) throws {
        let end = 1_801_638_000_000  // 3 February 2027, 07:00 UTC
        let text = """
            { "app_user_id": "u_1", "purchases": [],
              "entitlements": { "pro": { "active": true, "expires_at": \(end), "grace_expires_at": \(end + 172_800_000),
                  "product_id": "pro.monthly", "will_renew": true, "billing_issue": true, "source": "subscription" } },
              "subscriptions": [ { "id": "100", "product_id": "pro.monthly", "group_id": "21000001", \(members),
                  "gives_access": true, "started_at": 1000, "current_period_starts_at": 2000,
                  "current_period_ends_at": \(end), "billing_issue": null, "price": 1500000, "currency": "JPY" } ] }
            """
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let customer = try decoder.decode(ServedCustomer.self, from: Data(text.utf8))
        let answer = DemoAnswer(customer: customer).text
        #expect(answer.hasPrefix("pro.monthly  ") && answer.contains(sentence), "\(answer)")
    }
}
