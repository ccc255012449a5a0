import PerennialPrimitives
import SubscriptionCore
import Testing

/// Results that do not depend on the order of claims and facts.
@Suite struct `The order of claims` {
    private static let names = ["a", "b", "c", "d"]

    /// Every order of some names.
    private static func orders(of names: [String]) -> [[String]] {
        guard let first = names.first else { return [[]] }
        return orders(of: Array(names.dropFirst())).flatMap { rest in
            (0...rest.count).map { position in
                var order = rest
                order.insert(first, at: position)
                return order
            }
        }
    }

    private static func customers(_ purchase: ClaimedPurchase) -> Set<CustomerID> {
        Set([purchase.ownership.owner].compactMap(\.self) + purchase.ownership.others)
    }

    @Test func `does not affect the customer named by the account token`() {
        for order in Self.orders(of: Self.names) {
            for position in 0...order.count {
                var purchase = ClaimedPurchase()
                for (index, name) in order.enumerated() {
                    if index == position { purchase.notify(token: "a") }
                    _ = purchase.submit(name, .keep)
                }
                if position == order.count { purchase.notify(token: "a") }
                #expect(purchase.ownership.owner == CustomerID("a"))
                #expect(purchase.ownership.sharers.isEmpty)
            }
        }
    }

    @Test(arguments: TransferPolicy.allCases)
    func `decides for the first or the last claim, or has no effect, depending on the rule`(rule: TransferPolicy) {
        for isActive in [false, true] {
            for order in Self.orders(of: Self.names) {
                var purchase = ClaimedPurchase()
                if isActive { purchase.activeTimes = Set((0..<9).map { Timestamp(milliseconds: $0) }) }
                for name in order { _ = purchase.submit(name, rule) }
                let keepsFirst = rule == .keep || rule == .share || rule == .transferIfInactive && isActive
                #expect(purchase.ownership.owner?.rawValue == (keepsFirst ? order.first : order.last))
                if rule == .share { #expect(Self.customers(purchase) == Set(Self.names.map { CustomerID($0) })) }
            }
        }
    }

    /// A claim by a random customer, with a random rule and rank.
    private static func claim(
        _ number: Int,
        _ random: inout some RandomNumberGenerator
    ) -> PurchaseClaim {
        PurchaseClaim(
            customer: CustomerID(names.randomElement(using: &random) ?? "a"),
            evidence: EvidenceID("e_\(number)"),
            at: Timestamp(milliseconds: Int64(number)),
            policy: TransferPolicy.allCases.randomElement(using: &random) ?? .keep,
            outranksToken: Bool.random(using: &random),
            isAnonymous: false
        )
    }

    @Test func `leads to the same owner, whenever the account token arrives`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let claims = (1...6).map { Self.claim($0, &random) }
            let active = Set(claims.map(\.at).filter { _ in Bool.random(using: &random) })
            var results: Set<Set<CustomerID>> = []
            var owners: Set<CustomerID?> = []
            for position in 0...claims.count {
                var purchase = ClaimedPurchase()
                purchase.activeTimes = active
                for (index, claim) in claims.enumerated() {
                    if index == position { purchase.notify(token: "b") }
                    _ = purchase.submit(claim)
                }
                if position == claims.count { purchase.notify(token: "b") }
                owners.insert(purchase.ownership.owner)
                results.insert(Self.customers(purchase))
            }
            #expect(owners.count == 1)
            #expect(results.count == 1)
        }
    }

    @Test func `leads to the stored ownership, and the number of stored claims is limited`() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<4 {
            var purchase = ClaimedPurchase()
            for number in 1...(2 * PurchaseClaim.countMax + 50) {
                var claim = Self.claim(number, &random)
                claim.customer = CustomerID("u_\(Int.random(in: 0..<150, using: &random))")
                if Bool.random(using: &random) { purchase.activeTimes.insert(claim.at) }
                let decision = purchase.submit(claim)
                let evaluated = purchase.evaluation.ownership
                #expect(evaluated.hasSameCustomers(as: purchase.ownership))
                #expect(purchase.claims.count <= PurchaseClaim.countMax)
                let hasIt = Self.customers(purchase).contains(claim.customer)
                #expect(hasIt == (decision.refusal == nil))
            }
        }
    }
}
