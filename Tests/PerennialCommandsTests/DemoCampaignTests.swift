import Foundation
import Testing

@testable import PerennialDemo

private let day = DemoLedger.dayMilliseconds

/// The outage week is useful only if it detects what a campaign reports wrongly.
@Suite struct `The demo's campaigns` {
    /// A subscription of an account of its own; its period began at the time 0.
    private struct Sold {
        var id: String
        var product = "pro.weekly"
        var storefront = "USA"
        var period = "first"
        var days: Int64 = 7
        var status = 1
        var price = 2_990
        var ownership = "PURCHASED"

        func account() throws -> LedgerAccount {
            let (start, end) = (period == "first" ? 0 : 7 * day, days * day)
            let text = """
                { "accountId": "a\(id)", "storefront": "\(storefront)", "payment": { "state": "ok" },
                  "subscriptions": [ { "originalTransactionId": "\(id)", "subscriptionGroupIdentifier": "21000001",
                      "productId": "\(product)", "autoRenewStatus": 1, "status": \(status), "originalPurchaseDate": 0,
                      "purchaseDate": \(start), "expiresDate": \(end), "price": \(price), "currency": "USD",
                      "inAppOwnershipType": "\(ownership)" } ],
                  "transactions": [ { "transactionId": "\(id)-\(period)", "originalTransactionId": "\(id)",
                      "productId": "\(product)", "type": "Auto-Renewable Subscription", "purchaseDate": \(start),
                      "expiresDate": \(end), "price": \(price), "currency": "USD", "quantity": 1 } ] }
                """
            return try JSONDecoder().decode(LedgerAccount.self, from: Data(text.utf8))
        }
    }

    private static func ledger(_ sold: [Sold]) throws -> DemoLedger { DemoLedger(try sold.map { try $0.account() }) }

    /// Three members: one is extended, Apple refuses one, and the answer about one is lost.
    private static let campaign = """
        { "id": "xc_1", "state": "finished", "is_enlisted": true,
          "dry_run": { "finished_at": 1, "eligible": 3, "storefronts": { "DEU": 1, "USA": 2 },
              "ineligible": { "extension_family_shared": 1, "extension_grace_period": 1,
                  "extension_billing_retry": 2, "extension_free_period": 1 } },
          "counts": { "members": 3, "extended": 1, "extended_by_order": 0, "failed": { "extension_limit_reached": 1 },
              "skipped": {}, "unknown": 1 },
          "orders": [ { "state": "complete", "succeeded": 1, "failed": 1 } ] }
        """
    private static let members = """
        [ { "subscription_id": "1", "transaction_id": "1-first", "state": "extended", "period_ends_at": \(14 * day) },
          { "subscription_id": "2", "transaction_id": "2-first", "state": "refused", "period_ends_at": null },
          { "subscription_id": "3", "transaction_id": "3-first", "state": "unknown", "period_ends_at": null } ]
        """

    /// The members, those that cannot be extended, and some that the campaign is not about.
    private static let tried = [
        Sold(id: "1"), Sold(id: "2"), Sold(id: "3", storefront: "DEU"),
        Sold(id: "11", ownership: "FAMILY_SHARED"), Sold(id: "12", status: 4), Sold(id: "13", status: 3),
        Sold(id: "14", status: 3), Sold(id: "15", price: 0),
        Sold(id: "21", status: 2), Sold(id: "22", status: 5), Sold(id: "23", product: "pro.yearly", status: 3),
    ]

    /// The fields that differ after a change of the answers or of the ledger.
    private func fields(
        _ method: DemoCampaignTerms.Method = .single,
        changing original: String = "",
        to changed: String = "",
        after: [Sold] = [Sold(id: "1", days: 14), Sold(id: "2"), Sold(id: "3")]
    ) throws -> [String] {
        func answer(_ text: String) -> Data {
            Data((original.isEmpty ? text : text.replacingOccurrences(of: original, with: changed)).utf8)
        }
        if !original.isEmpty { try #require((Self.campaign + Self.members).contains(original)) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let check = DemoCampaignCheck(
            terms: DemoCampaignTerms(
                productIDs: ["pro.weekly"],
                storefronts: nil,
                days: 7,
                reason: "outage",
                method: method
            ),
            campaign: try decoder.decode(ServedCampaign.self, from: answer(Self.campaign)),
            members: try decoder.decode([ServedExtension].self, from: answer(Self.members)),
            tried: try Self.ledger(Self.tried),
            before: try Self.ledger(["1", "2", "3"].map { Sold(id: $0) }),
            after: try Self.ledger(after)
        )
        return check.disagreements().map(\.field)
    }

    @Test func `agree with the ledger`() throws {
        #expect(try fields().isEmpty)
        #expect(try fields(.mass, changing: #""extended_by_order": 0"#, to: #""extended_by_order": 1"#).isEmpty)
    }

    @Test(arguments: [
        (#""state": "finished""#, #""state": "running""#, "state"),
        (#""eligible": 3"#, #""eligible": 2"#, "dry_run eligible"),
        (#""DEU": 1"#, #""DEU": 2"#, "dry_run storefronts"),
        (#""extension_billing_retry": 2"#, #""extension_billing_retry": 1"#, "dry_run ineligible"),
        (#""extension_free_period""#, #""extension_expired""#, "dry_run ineligible"),
        (#""members": 3"#, #""members": 4"#, "counts members"),
        (#""extended": 1,"#, #""extended": 2,"#, "counts extended"),
        (#""extension_limit_reached": 1"#, #""extension_limit_reached": 2"#, "counts failed"),
        (#""unknown": 1"#, #""unknown": 0"#, "counts unknown"),
        (#""state": "refused""#, #""state": "extended""#, "subscription 2 extended"),
        (#""state": "unknown""#, #""state": "extended""#, "subscription 3 extended"),
        (#""state": "extended""#, #""state": "unknown""#, "subscription 1 extended"),
        ("\(14 * day)", "\(13 * day)", "subscription 1 period_ends_at"),
    ])
    func `that report something else are detected`(original: String, changed: String, field: String) throws {
        let found = try fields(changing: original, to: changed)
        #expect(found.contains(field), "\(found)")
    }

    @Test func `that extend a subscription twice, or another one, are detected`() throws {
        let twice = [Sold(id: "1", days: 21), Sold(id: "2"), Sold(id: "3")]
        #expect(
            try fields(changing: "\(14 * day)", to: "\(21 * day)", after: twice)
                == ["subscription 1 extend_by_days"]
        )
        let other = [Sold(id: "1", days: 14), Sold(id: "2"), Sold(id: "3"), Sold(id: "4", days: 14)]
        #expect(try fields(after: other) == ["extended subscriptions"])
        let byOrder = try fields(
            .mass,
            changing: #""extended_by_order": 0"#,
            to: #""extended_by_order": 1"#,
            after: other
        )
        #expect(byOrder == ["order succeeded"])
    }

    @Test func `may not know whether an order extended a member that was renewed meanwhile`() throws {
        let renewed = Sold(id: "3", period: "second", days: 21)
        let after = [Sold(id: "1", days: 14), Sold(id: "2"), renewed]
        #expect(try fields(after: after) == ["subscription 3 extended", "extended subscriptions"])
        let change = (#""extended_by_order": 0"#, #""extended_by_order": 1"#)
        #expect(try fields(.mass, changing: change.0, to: change.1, after: after) == ["order succeeded"])
    }

    @Test func `are an order for the largest product, and single calls for the next one`() throws {
        let sold = [
            Sold(id: "1", product: "plus.monthly"), Sold(id: "2"), Sold(id: "3"),
            Sold(id: "4", product: "pro.yearly", status: 3), Sold(id: "5", product: "pro.yearly", price: 0),
            Sold(id: "6", product: "pro.yearly", ownership: "FAMILY_SHARED"),
        ]
        let terms = DemoOutage.terms(for: try Self.ledger(sold))
        #expect(terms.map(\.productIDs) == [["pro.weekly"], ["plus.monthly"]])
        #expect(terms.map(\.method) == [.mass, .single])
        #expect(DemoOutage.terms(for: try Self.ledger([sold[3], sold[4], sold[5]])).isEmpty)
    }

    @Test func `that ask about each member alone have some countries only if there are many members`() throws {
        let many = (1...140).map { number in
            Sold(id: "\(number)", product: "plus.monthly", storefront: ["USA", "DEU", "JPN", "USA"][number % 4])
        }
        let most = (201...400).map { Sold(id: "\($0)") }
        #expect(DemoOutage.terms(for: try Self.ledger(many + most)).map(\.storefronts) == [nil, ["DEU", "JPN"]])
        #expect(DemoOutage.terms(for: try Self.ledger(many)).map(\.storefronts) == [nil])
    }

    @Test func `fail as often as they should`() {
        for number in 0...50 {
            let rules = DemoFaults.Rule.extensionFailures(number)
            #expect(rules.compactMap(\.count).reduce(0, +) == number)
            #expect(rules.allSatisfy { $0.endpoint == "extendSubscriptionRenewalDate" && $0.probability == nil })
        }
        #expect([4, 5, 14, 15, 100].map(DemoOutage.tenth) == [0, 1, 1, 2, 10])
    }

    @Test func `are in the demo's report, also if there is none`() throws {
        var report = DemoReport()
        #expect(report.text.contains("outage week: no active paid subscription: no campaign\n"))
        #expect(report.jsonLine.contains(#""campaigns":[]"#))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let terms = DemoCampaignTerms(
            productIDs: ["pro.weekly"],
            storefronts: nil,
            days: 7,
            reason: "outage",
            method: .mass
        )
        let served = try decoder.decode(ServedCampaign.self, from: Data(Self.campaign.utf8))
        report.campaigns = [DemoReport.Campaign(terms, served, hours: 5, failedCalls: 0)]
        #expect(
            report.text.contains(
                "outage week: pro.weekly by one order: 3 members, 1 extended, 1 refused, 1 without an answer "
                    + "(0 extended alone); 1 made to fail; finished after 5 h\n"
            )
        )
    }
}
