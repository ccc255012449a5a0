import SubscriptionCore
import SubscriptionServer
import Testing

/// The file with the policy for refund requests.
@Suite struct `The file of a consumption policy` {
    @Test func `has rules and an answer for the rest`() throws {
        let policy = try ConsumptionPolicyFile.policy(
            """
            rules:
              - reasons: [unintended_purchase]
                product_types: [consumable]
                purchase_age_days_max: 2
                answer: grant_full
              - products: [coins.100]
                currency: EUR
                lifetime_spent_min: 100000
                lifetime_spent_max: 900000
                answer: grant_prorated
            otherwise: no_preference
            sample_content_provided: true
            """
        )
        let expected = ConsumptionPolicy(
            rules: [
                .init(
                    kinds: [.consumable],
                    reasons: ["unintended_purchase"],
                    bounds: [.purchaseAgeDays: .init(maximum: 2)],
                    answer: .grantFull
                ),
                .init(
                    products: [ProductID("coins.100")],
                    bounds: [.lifetimeSpent: .init(minimum: 100_000, maximum: 900_000)],
                    currency: "EUR",
                    answer: .grantProrated
                ),
            ],
            otherwise: .noPreference,
            sampleProvided: true
        )
        #expect(policy == expected)
    }

    @Test(arguments: [
        ("", "it needs otherwise"),
        ("rules: []", "otherwise is missing"),
        ("otherwise: maybe", "line 1: \"maybe\" is not an answer. Allowed: decline"),
        ("otherwise: decline\nrule: []", "line 2: \"rule\" is not known here. Allowed: otherwise"),
        ("otherwise: decline\nrules:\n  - reasons: [bored]\n    answer: decline", "line 3: \"bored\" is not a reason"),
        ("otherwise: decline\nrules:\n  - refunds_before: 2\n    answer: decline", "line 3: \"refunds_before\" is"),
        (
            "otherwise: decline\nrules:\n  - refunds_before_min: -1\n    answer: decline",
            "line 3: refunds_before_min must be a whole number from 0"
        ),
        ("otherwise: decline\nrules:\n  - products: coins\n    answer: decline", "line 3: products must be a list of"),
        (
            "otherwise: decline\nrules:\n  - consumption_percentage_min: 100001\n    answer: decline",
            "line 3: consumption_percentage_min must be a whole number from 0 to 100000"
        ),
        (
            "otherwise: decline\nrules:\n  - refunds_before_max: 1\n    refunds_before_min: 2\n    answer: decline",
            "line 4: refunds_before_min is greater than refunds_before_max"
        ),
        ("otherwise: decline\nrules:\n  - product_types: [tea]\n    answer: decline", "line 3: \"tea\" is not known"),
        ("otherwise: decline\nrules:\n  - currency: usd\n    answer: decline", "line 3: currency must be"),
        ("otherwise: decline\nrules:\n  - refunds_before_min: 1", "line 3: the rule has no answer"),
        ("otherwise: decline\nsample_content_provided: 3", "line 2: sample_content_provided must be true or false"),
        ("otherwise: decline\nrules: [a\n", "line 3: did not find expected ',' or ']'"),
        ("otherwise: decline\nrules:\n\t- a", "line 3: found character that cannot start any token"),
        ("rules: []\notherwise: decline\notherwise: decline", "line 2: otherwise occurs twice"),
        ("otherwise: \u{1}", "it is neither YAML nor JSON"),
    ])
    func `says what is wrong in it, and where`(text: String, message: String) throws {
        let problem = #expect(throws: ConsumptionPolicyFile.Problem.self) {
            _ = try ConsumptionPolicyFile.policy(text)
        }
        let description = try #require(problem).description
        #expect(description.hasPrefix(message), "\(description)")
    }

    @Test func `must be readable`() throws {
        let problem = #expect(throws: ConsumptionPolicyFile.Problem.self) {
            _ = try ConsumptionPolicyFile.policy(path: "/nowhere/policy.yaml")
        }
        #expect(try #require(problem).description.hasPrefix("/nowhere/policy.yaml cannot be read"))
    }
}
