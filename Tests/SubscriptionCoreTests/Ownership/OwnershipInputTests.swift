import PerennialPrimitives
import SubscriptionCore
import Testing

/// The inputs of the ownership rule. Each input is a database read, and most steps need none.
@Suite struct `Inputs of the ownership rule` {
    @Test func `are empty for a notification without a token`() {
        var purchase = ClaimedPurchase()
        purchase.notify()
        #expect(purchase.inputs == [])
        _ = purchase.submit("a", .keep)
        purchase.notify()
        #expect(purchase.inputs == [])
    }

    @Test func `are the token's customer for a new token, and empty for the next notification`() {
        var purchase = ClaimedPurchase()
        purchase.notify(token: "a")
        #expect(purchase.inputs == [.tokenCustomer(CustomerID("a"))])
        purchase.notify()
        #expect(purchase.inputs == [])
    }

    @Test(arguments: TransferPolicy.allCases)
    func `are the claims for a first claim`(rule: TransferPolicy) {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", rule)
        #expect(purchase.inputs == [.claims])
        _ = purchase.submit("a", rule)
        #expect(purchase.inputs == [.claims])
    }

    @Test(arguments: TransferPolicy.allCases)
    func `include the customers of the identifiers for a second claim, and the access history if the rule uses it`(
        rule: TransferPolicy
    ) {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", rule)
        _ = purchase.submit("b", rule)
        let a: Set = [CustomerID("a")]
        switch rule {
        // The claim cannot change anything.
        case .keep: #expect(purchase.inputs == [.claims])
        case .transfer, .share: #expect(purchase.inputs == [.claims, .customers(a)])
        case .transferIfInactive:
            let times = [1, 2].map { Timestamp(milliseconds: $0) }
            #expect(purchase.inputs == [.claims, .customers(a), .accessHistory(times)])
        }
    }

    @Test func `are the sharers for a claim on a purchase that an operator moved`() {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", .keep)
        purchase.ownership = PurchaseOwnership(owner: CustomerID("b"), basis: .transferred)
        _ = purchase.submit("c", .transfer)
        #expect(purchase.inputs == [.sharers])
    }

    @Test func `are never needed twice`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<300 {
            var purchase = ClaimedPurchase()
            purchase.policy.anonymousPrefix = "anon"
            for _ in 0..<8 {
                let name = ["a", "b", "anon1", "anon2", "anon3"].randomElement(using: &random) ?? "a"
                if Bool.random(using: &random) {
                    _ = purchase.submit(name, TransferPolicy.allCases.randomElement(using: &random) ?? .keep)
                } else {
                    purchase.notify(token: Bool.random(using: &random) ? nil : name)
                }
                // The rule starts again after an identifier is linked.
                #expect(purchase.inputs.count <= 2 * Set(purchase.inputs).count)
                if purchase.aliases.isEmpty { #expect(Set(purchase.inputs).count == purchase.inputs.count) }
            }
        }
    }
}
