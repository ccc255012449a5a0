import SubscriptionCore
import Testing

/// What the rule of ownership needs: each input is a read of a database, and most steps need none.
@Suite struct `Inputs of the rule of ownership` {
    @Test func `a notification about a purchase that somebody has needs nothing`() {
        var purchase = ClaimedPurchase()
        purchase.notify()
        #expect(purchase.inputs == [])
        _ = purchase.submit("a", .keep)
        purchase.notify()
        #expect(purchase.inputs == [])
    }

    @Test func `a token that names the owner needs nothing, and another one only its customer`() {
        var purchase = ClaimedPurchase()
        purchase.notify(token: "a")
        #expect(purchase.inputs == [.tokenCustomer(CustomerID("a"))])
        purchase.notify()
        #expect(purchase.inputs == [])
    }

    @Test(arguments: TransferPolicy.allCases)
    func `a first claim needs the claims and nothing else`(rule: TransferPolicy) {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", rule)
        #expect(purchase.inputs == [.claims])
        _ = purchase.submit("a", rule)
        #expect(purchase.inputs == [.claims])
    }

    @Test(arguments: TransferPolicy.allCases)
    func `a second customer's claim needs whom the identifiers stand for, and the past only where the rule asks for it`(
        rule: TransferPolicy
    ) {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", rule)
        _ = purchase.submit("b", rule)
        let a: Set = [CustomerID("a")]
        switch rule {
        // It can change nothing.
        case .keep: #expect(purchase.inputs == [.claims])
        case .transfer, .share: #expect(purchase.inputs == [.claims, .customers(a)])
        case .transferIfInactive:
            let times = [1, 2].map { Timestamp(milliseconds: $0) }
            #expect(purchase.inputs == [.claims, .customers(a), .accessHistory(times)])
        }
    }

    @Test func `a claim on what an operator moved needs who shares it`() {
        var purchase = ClaimedPurchase()
        _ = purchase.submit("a", .keep)
        purchase.ownership = PurchaseOwnership(owner: CustomerID("b"), basis: .transferred)
        _ = purchase.submit("c", .transfer)
        #expect(purchase.inputs == [.sharers])
    }

    @Test func `no input is needed twice`() {
        var random = SystemRandomNumberGenerator()
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
                // An identifier that is linked begins anew.
                #expect(purchase.inputs.count <= 2 * Set(purchase.inputs).count)
                if purchase.aliases.isEmpty { #expect(Set(purchase.inputs).count == purchase.inputs.count) }
            }
        }
    }
}
