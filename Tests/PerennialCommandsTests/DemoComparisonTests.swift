import Foundation
import PerennialPrimitives
import Testing

@testable import PerennialDemo

/// The demo is useful only if it detects differences.
@Suite struct `The demo's comparison` {
    @Test func `a response that agrees with the ledger has no differences`() throws {
        #expect(try disagreements(changing: "", to: "").isEmpty)
    }

    @Test(arguments: [
        (#""status": "in_grace_period""#, #""status": "active""#, "status"),
        (#""gives_access": true"#, #""gives_access": false"#, "gives_access"),
        (#""product_id": "pro.monthly", "group_id""#, #""product_id": "pro.yearly", "group_id""#, "product_id"),
        (#""current_period_starts_at": 2000"#, #""current_period_starts_at": 2001"#, "current_period_starts_at"),
        (#""current_period_ends_at": 3000"#, #""current_period_ends_at": 3001"#, "current_period_ends_at"),
        (#""auto_renew": true"#, #""auto_renew": false"#, "auto_renew"),
        (#""billing_issue": "payment_failed""#, #""billing_issue": null"#, "billing_issue"),
        (#""price": 9990"#, #""price": 9900"#, "price"),
        (#""currency": "EUR""#, #""currency": "USD""#, "currency"),
        (#""revoked_at": 2500"#, #""revoked_at": null"#, "revoked_at"),
        (#""quantity": 2"#, #""quantity": 1"#, "quantity"),
        (#""id": "100""#, #""id": "101""#, "subscriptions"),
        (#""id": "200""#, #""id": "201""#, "purchases"),
        (#""app_user_id": "u_1""#, #""app_user_id": "u_2""#, "app_user_id"),
    ])
    func `a difference in the customer is detected and reported`(original: String, changed: String, field: String)
        throws
    {
        let found = try disagreements(changing: original, to: changed)
        #expect(found.contains { $0.field.hasSuffix(field) })
    }

    @Test(arguments: [
        (#""active": true"#, #""active": false"#, "entitlement pro active"),
        (#""expires_at": 3000"#, #""expires_at": 3001"#, "entitlement pro expires_at"),
        (#""grace_expires_at": 4000"#, #""grace_expires_at": null"#, "entitlement pro grace_expires_at"),
        (#""pro": {"#, #""other": {"#, "entitlement pro"),
    ])
    func `a difference in an entitlement is detected and reported`(original: String, changed: String, field: String)
        throws
    {
        let found = try disagreements(changing: original, to: changed)
        #expect(found.contains { $0.field == field })
    }

    @Test func `two responses about the same entitlements must agree with each other`() throws {
        let found = try disagreements(changing: "", to: "", smallAnswer: #"{"entitlements": {}}"#)
        #expect(found.map(\.field) == ["the two answers about entitlements"])
    }

    @Test func `a period that was charged early counts when it begins`() throws {
        let account = try Self.chargedEarly()
        let before = try #require(account.running(at: 2_999).subscriptions.first)
        #expect(before.productId == "pro.monthly" && before.price == 9_990 && before.autoRenewStatus == 1)
        #expect(before.purchaseDate == 2_000 && before.expiresDate == 3_000)
        let after = try #require(account.running(at: 3_000).subscriptions.first)
        #expect(after.productId == "pro.yearly" && after.price == 99_990 && after.autoRenewStatus == 0)
        #expect(after.purchaseDate == 3_000 && after.expiresDate == 4_000)
    }

    @Test func `a period that was charged early counts at once if the one before it was refunded`() throws {
        let account = try Self.chargedEarly(refundedAt: 2_500)
        #expect(account.running(at: 2_999).subscriptions.map(\.purchaseDate) == [3_000])
        #expect(account.running(at: 2_999).subscriptions.map(\.autoRenewStatus) == [0])
    }

    /// An account whose period runs from 2000 to 3000, and whose next one is charged. Renewal was turned off then.
    private static func chargedEarly(refundedAt date: Int? = nil) throws -> LedgerAccount {
        let refund = date.map { #", "revocationDate": \#($0)"# } ?? ""
        let text = """
            { "accountId": "a", "storefront": "DEU", "payment": { "state": "ok" },
              "subscriptions": [ { "originalTransactionId": "100", "subscriptionGroupIdentifier": "21000001",
                  "productId": "pro.yearly", "autoRenewStatus": 0, "status": 1, "originalPurchaseDate": 2000,
                  "purchaseDate": 3000, "expiresDate": 4000, "price": 99990, "currency": "EUR",
                  "inAppOwnershipType": "PURCHASED" } ],
              "transactions": [
                { "transactionId": "100", "originalTransactionId": "100", "productId": "pro.monthly",
                  "type": "Auto-Renewable Subscription", "purchaseDate": 2000, "expiresDate": 3000, "price": 9990,
                  "currency": "EUR", "quantity": 1\(refund) },
                { "transactionId": "101", "originalTransactionId": "100", "productId": "pro.yearly",
                  "type": "Auto-Renewable Subscription", "purchaseDate": 3000, "expiresDate": 4000, "price": 99990,
                  "currency": "EUR", "quantity": 1 } ] }
            """
        return try JSONDecoder().decode(LedgerAccount.self, from: Data(text.utf8))
    }

    @Test func `the same seed generates the same customers`() {
        func draw(seed: UInt64) -> [String] {
            var random = SplitMix64(seed: seed)
            return (1...40).map { index in
                let shopper = DemoShopper(index: index, of: 40, weeks: 52, using: &random)
                return "\(shopper.appUserID) \(shopper.storefront) \(shopper.joinsInWeek)"
            }
        }
        #expect(draw(seed: 7) == draw(seed: 7))
        #expect(draw(seed: 7) != draw(seed: 8))
    }

    /// The known first numbers of SplitMix64 with seed 1234567.
    @Test func `the generator returns the published sequence`() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
        #expect(random.next() == 9_817_491_932_198_370_423)
    }

    private func disagreements(
        changing original: String,
        to changed: String,
        smallAnswer: String? = nil
    ) throws -> [Disagreement] {
        let customer =
            original.isEmpty ? Self.customer : Self.customer.replacingOccurrences(of: original, with: changed)
        if !original.isEmpty { try #require(customer != Self.customer, "the fixture has no \(original)") }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let comparison = AccountComparison(
            customer: "u_1",
            ledger: try decoder.decode(LedgerAccount.self, from: Data(Self.ledger.utf8)),
            definitions: ["pro": ["pro.monthly"], "plus": ["plus.monthly"]]
        )
        return comparison.disagreements(
            with: try decoder.decode(ServedCustomer.self, from: Data(customer.utf8)),
            and: try decoder.decode(ServedEntitlements.self, from: Data((smallAnswer ?? customer).utf8))
        )
    }

    private static let ledger = """
        { "accountId": "a", "storefront": "DEU", "payment": { "state": "declined" },
          "subscriptions": [ { "originalTransactionId": "100", "subscriptionGroupIdentifier": "21000001",
              "productId": "pro.monthly", "autoRenewStatus": 1, "status": 4, "originalPurchaseDate": 1000,
              "purchaseDate": 2000, "expiresDate": 3000, "gracePeriodExpiresDate": 4000, "price": 9990,
              "currency": "EUR", "inAppOwnershipType": "PURCHASED" } ],
          "transactions": [
            { "transactionId": "100", "originalTransactionId": "100", "productId": "pro.monthly",
              "type": "Auto-Renewable Subscription", "purchaseDate": 2000, "expiresDate": 3000, "price": 9990,
              "currency": "EUR", "quantity": 1 },
            { "transactionId": "200", "originalTransactionId": "200", "productId": "coins.100", "type": "Consumable",
              "purchaseDate": 2200, "price": 1980, "currency": "EUR", "quantity": 2, "revocationDate": 2500 } ] }
        """

    private static let customer = """
        { "app_user_id": "u_1",
          "entitlements": { "pro": { "active": true, "expires_at": 3000, "grace_expires_at": 4000,
              "product_id": "pro.monthly", "will_renew": true, "billing_issue": true, "source": "subscription" } },
          "subscriptions": [ { "id": "100", "product_id": "pro.monthly", "group_id": "21000001",
              "status": "in_grace_period", "gives_access": true, "started_at": 1000, "current_period_starts_at": 2000,
              "current_period_ends_at": 3000, "auto_renew": true, "billing_issue": "payment_failed", "price": 9990,
              "currency": "EUR" } ],
          "purchases": [ { "id": "200", "product_id": "coins.100", "quantity": 2, "purchased_at": 2200,
              "revoked_at": 2500, "price": 1980, "currency": "EUR" } ] }
        """
}
