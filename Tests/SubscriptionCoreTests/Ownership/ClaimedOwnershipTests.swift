import SubscriptionCore
import Testing

/// Whose a purchase is when several customers submit it, under each rule.
@Suite struct `Claims under a rule` {
    private static func ownership(
        _ claims: [(String, TransferPolicy)],
        activeUntil end: Int64 = .max
    ) -> ClaimedOwnership {
        let told = claims.enumerated().map { place, claim in
            PurchaseClaim(
                customer: CustomerID(claim.0),
                evidence: EvidenceID("e_\(place)"),
                at: Timestamp(milliseconds: Int64(place)),
                policy: claim.1
            )
        }
        let active = told.map(\.at).filter { $0.milliseconds < end }
        return ClaimedOwnership(claims: told, history: AccessHistory(activeAt: Set(active)))
    }

    @Test(arguments: TransferPolicy.allCases)
    func `the first to submit gets it, and may submit again, under every rule`(policy: TransferPolicy) {
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
    func `a second customer meets the rule`(
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

    @Test func `each claim meets the rule of its own time`() {
        let claims: [(String, TransferPolicy)] = [
            ("a", .keep), ("b", .share), ("b", .keep), ("c", .keep), ("b", .transfer), ("a", .share),
        ]
        let ownership = Self.ownership(claims)
        #expect(ownership.outcomes == [.first, .shared, .alreadyOwned, .refused, .transferred, .shared])
        #expect(ownership.owner == CustomerID("b"))
        #expect(ownership.sharers == [CustomerID("a")])
        #expect(ownership.owners.last == ownership.owner)
    }

    @Test func `whether two identifiers are one person before or after the claims does not matter`() {
        // Every sequence of five claims by three identifiers, two of which are one person's.
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

    /// A claim by somebody, under any rule and of any weight.
    private static func claim(at place: Int, _ random: inout some RandomNumberGenerator) -> PurchaseClaim {
        PurchaseClaim(
            customer: names[Int.random(in: 0..<3, using: &random)],
            evidence: EvidenceID("e_\(place)"),
            at: Timestamp(milliseconds: Int64(place)),
            policy: ([.keep, .keep, .keep] + TransferPolicy.allCases).randomElement(using: &random) ?? .keep,
            outranksToken: Int.random(in: 0..<3, using: &random) == 0,
            isAnonymous: Bool.random(using: &random)
        )
    }

    @Test func `a claim that cannot count changes nothing, whatever is signed and whomever the token names`() {
        var random = SystemRandomNumberGenerator()
        var dropped = 0
        for _ in 0..<4000 {
            var kept: [PurchaseClaim] = []
            for place in 0..<6 {
                let claim = Self.claim(at: place, &random)
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

    @Test
    func `the token is the first claim, and only what outranks it takes the purchase from who claimed by nothing else`()
    {
        func ownership(_ claims: [(String, Bool)]) -> ClaimedOwnership {
            let told = claims.map { name, outranks in
                PurchaseClaim(
                    customer: CustomerID(name),
                    evidence: EvidenceID("e"),
                    at: Timestamp(milliseconds: 0),
                    policy: .keep,
                    outranksToken: outranks
                )
            }
            let history = AccessHistory(activeAt: [Timestamp(milliseconds: 0)])
            return ClaimedOwnership(claims: told, token: CustomerID("t"), history: history)
        }
        #expect(ownership([]).owner == CustomerID("t"))
        #expect(ownership([("a", false)]).outcomes == [.refused])
        #expect(ownership([("a", true), ("t", false)]).outcomes == [.first, .refused])
        #expect(ownership([("t", false), ("a", true)]).outcomes == [.alreadyOwned, .refused])
        #expect(ownership([("a", false), ("b", true)]).owner == CustomerID("b"))
    }

    @Test func `nobody whom the token names is anonymous by an app's word, and so gives way to nobody`() {
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

    @Test func `an anonymous claim on what somebody has under an anonymous identifier need not be kept`() {
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

    @Test func `a purchase is shared with so many customers and no more`() {
        let claims: [(String, TransferPolicy)] = (0...ClaimedOwnership.sharersMax + 1).map { ("u_\($0)", .share) }
        let ownership = Self.ownership(claims)
        #expect(ownership.sharers.count == ClaimedOwnership.sharersMax)
        #expect(ownership.outcomes.last == .refused)
        #expect(ownership.owner == CustomerID("u_0"))
    }
}
