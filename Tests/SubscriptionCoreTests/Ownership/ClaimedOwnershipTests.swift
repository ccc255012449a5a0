import PerennialPrimitives
import SubscriptionCore
import Testing

/// The owner of a purchase that several customers submit, under each rule.
@Suite struct `Claims under a rule` {
    private static func ownership(
        _ claims: [(String, TransferPolicy)],
        activeUntil end: Int64 = .max
    ) -> ClaimedOwnership {
        let purchaseClaims = claims.enumerated().map { index, claim in
            PurchaseClaim(
                customer: CustomerID(claim.0),
                evidence: EvidenceID("e_\(index)"),
                at: Timestamp(milliseconds: Int64(index)),
                policy: claim.1
            )
        }
        let active = purchaseClaims.map(\.at).filter { $0.milliseconds < end }
        return ClaimedOwnership(claims: purchaseClaims, history: AccessHistory(activeAt: Set(active)))
    }

    @Test(arguments: TransferPolicy.allCases)
    func `the first customer to submit is the owner and may submit again`(policy: TransferPolicy) {
        let ownership = Self.ownership([("a", policy), ("a", policy)])
        #expect(ownership.owner == CustomerID("a"))
        #expect(ownership.outcomes == [.first, .alreadyOwned])
        #expect(ownership.sharers.isEmpty)
    }

    @Test(
        arguments: [
            (.keep, .max, "a", [], [.first, .refused, .alreadyOwned]),
            (.transfer, .max, "a", [], [.first, .transferred, .transferred]),
            (.transferIfInactive, .max, "a", [], [.first, .refused, .alreadyOwned]),
            (.transferIfInactive, 0, "a", [], [.first, .transferred, .transferred]),
            (.transferIfInactive, 2, "a", [], [.first, .refused, .alreadyOwned]),
            (.share, .max, "a", ["b"], [.first, .shared, .alreadyOwned]),
        ] as [(TransferPolicy, Int64, String, [String], [ClaimedOwnership.Outcome])]
    )
    func `the rule decides on the claim of a second customer`(
        policy: TransferPolicy,
        end: Int64,
        owner: String,
        sharers: [String],
        outcomes: [ClaimedOwnership.Outcome]
    ) {
        let ownership = Self.ownership([("a", policy), ("b", policy), ("a", policy)], activeUntil: end)
        #expect(ownership.owner == CustomerID(owner))
        #expect(ownership.sharers.map(\.rawValue) == sharers)
        #expect(ownership.outcomes == outcomes)
        #expect(ownership.dependsOnFacts == (policy == .transferIfInactive))
    }

    @Test func `each claim is decided by the rule at its time`() {
        let claims: [(String, TransferPolicy)] = [
            ("a", .keep), ("b", .share), ("b", .keep), ("c", .keep), ("b", .transfer), ("a", .share),
        ]
        let ownership = Self.ownership(claims)
        #expect(ownership.outcomes == [.first, .shared, .alreadyOwned, .refused, .transferred, .shared])
        #expect(ownership.owner == CustomerID("b"))
        #expect(ownership.sharers == [CustomerID("a")])
        #expect(ownership.owners.last == ownership.owner)
    }

    @Test func `an alias has the same effect before and after the claims`() {
        // Every sequence of five claims by three identifiers. Two of the identifiers belong to one person.
        let names = ["a", "a2", "b"]
        for policy in TransferPolicy.allCases {
            for end in [0, 3, Int64.max] {
                for number in 0..<243 {
                    var rest = number
                    let claims = (0..<5).map { _ -> (String, TransferPolicy) in
                        defer { rest /= 3 }
                        return (names[rest % 3], policy)
                    }
                    let apart = Self.ownership(claims, activeUntil: end)
                    let joined = Self.ownership(claims.map { ($0.0 == "a2" ? "a" : $0.0, $0.1) }, activeUntil: end)
                    let person = { (id: CustomerID) in id == CustomerID("a2") ? CustomerID("a") : id }
                    #expect(apart.owner.map(person) == joined.owner)
                    #expect(
                        Set(apart.sharers.map(person)).subtracting([joined.owner].compactMap(\.self))
                            == Set(joined.sharers)
                    )
                }
            }
        }
    }

    private static let names = ["a", "b", "c"].map { CustomerID($0) }

    /// A claim by a random customer, with a random rule and rank.
    private static func claim(at index: Int, _ random: inout some RandomNumberGenerator) -> PurchaseClaim {
        PurchaseClaim(
            customer: names[Int.random(in: 0..<3, using: &random)],
            evidence: EvidenceID("e_\(index)"),
            at: Timestamp(milliseconds: Int64(index)),
            policy: ([.keep, .keep, .keep] + TransferPolicy.allCases).randomElement(using: &random) ?? .keep,
            outranksToken: Int.random(in: 0..<3, using: &random) == 0,
            isAnonymous: Bool.random(using: &random)
        )
    }

    @Test func `a claim that cannot count changes nothing, for any facts and any token`() {
        var random = SplitMix64(seed: 1)
        var dropped = 0
        for _ in 0..<4000 {
            var kept: [PurchaseClaim] = []
            for index in 0..<6 {
                let claim = Self.claim(at: index, &random)
                guard !claim.mayCount(after: kept) else {
                    kept.append(claim)
                    continue
                }
                dropped += 1
                for token in [nil] + Self.names.map(Optional.some) {
                    for active in 0..<8 {
                        let times = (0..<6).filter { (active >> ($0 % 3)) & 1 == 1 }
                        let history = AccessHistory(
                            activeAt: Set(times.map { Timestamp(milliseconds: Int64($0)) })
                        )
                        let without = ClaimedOwnership(claims: kept, token: token, history: history)
                        let with = ClaimedOwnership(claims: kept + [claim], token: token, history: history)
                        #expect(with.owner == without.owner && with.sharers == without.sharers)
                    }
                }
            }
        }
        #expect(dropped > 1000)
    }

    @Test func `the token is the first claim, and a claim that outranks it replaces a token without a submission`() {
        func ownership(_ claims: [(String, Bool)]) -> ClaimedOwnership {
            let purchaseClaims = claims.map { name, outranks in
                PurchaseClaim(
                    customer: CustomerID(name),
                    evidence: EvidenceID("e"),
                    at: Timestamp(milliseconds: 0),
                    policy: .keep,
                    outranksToken: outranks
                )
            }
            let history = AccessHistory(activeAt: [Timestamp(milliseconds: 0)])
            return ClaimedOwnership(claims: purchaseClaims, token: CustomerID("t"), history: history)
        }
        #expect(ownership([]).owner == CustomerID("t"))
        #expect(ownership([("a", false)]).outcomes == [.refused])
        #expect(ownership([("a", true), ("t", false)]).outcomes == [.first, .refused])
        #expect(ownership([("t", false), ("a", true)]).outcomes == [.alreadyOwned, .refused])
        #expect(ownership([("a", false), ("b", true)]).owner == CustomerID("b"))
    }

    @Test func `a customer named by the token is never anonymous and stays the owner`() {
        let claims = [("t", true), ("a", false)].map { name, isAnonymous in
            PurchaseClaim(
                customer: CustomerID(name),
                evidence: EvidenceID("e"),
                at: Timestamp(milliseconds: 0),
                policy: .keep,
                outranksToken: false,
                isAnonymous: isAnonymous
            )
        }
        let history = AccessHistory(activeAt: [Timestamp(milliseconds: 0)])
        let ownership = ClaimedOwnership(claims: claims, token: CustomerID("t"), history: history)
        #expect(ownership.owner == CustomerID("t"))
        #expect(ownership.outcomes == [.alreadyOwned, .refused])
    }

    @Test func `an anonymous claim on a purchase of an anonymous customer is not stored`() {
        let claims = ["a", "b"].map { name in
            PurchaseClaim(
                customer: CustomerID(name),
                evidence: EvidenceID("e"),
                at: Timestamp(milliseconds: 0),
                policy: .keep,
                isAnonymous: true
            )
        }
        #expect(claims[0].mayCount(after: [PurchaseClaim]()))
        #expect(!claims[1].mayCount(after: [claims[0]]))
    }

    @Test func `a purchase is shared with a limited number of customers`() {
        let claims: [(String, TransferPolicy)] = (0...ClaimedOwnership.sharersMax + 1).map { ("u_\($0)", .share) }
        let ownership = Self.ownership(claims)
        #expect(ownership.sharers.count == ClaimedOwnership.sharersMax)
        #expect(ownership.outcomes.last == .refused)
        #expect(ownership.owner == CustomerID("u_0"))
    }
}
