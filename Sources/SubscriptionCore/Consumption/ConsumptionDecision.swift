/// What is sent to Apple about a refund request, or why nothing is.
public struct ConsumptionDecision: Hashable, Sendable {
    /// Why nothing is sent.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Nobody recorded that the customer agreed.
        case noConsent = "no_consent"
        /// The policy says so.
        case policy
        /// Somebody else paid for the purchase, and Apple refuses data about it.
        case shared
    }

    /// What the server sends Apple.
    public struct Content: Hashable, Sendable {
        /// What the developer would like Apple to do; nil for no wish.
        public var preference: ConsumptionPolicy.Answer?
        /// Whether the customer received a working purchase.
        public var delivery: ConsumptionFacts.Delivery
        /// The consumed part, in thousandths of a percent; nil for subscriptions, and if nobody reported it.
        public var percentage: Int?
        /// Whether the customer could try it before.
        public var sampleProvided: Bool
    }

    /// The answer of the policy.
    public let answer: ConsumptionPolicy.Answer
    /// The number of the rule, from 1; nil if no rule fitted.
    public let rule: Int?
    /// What is sent, or why nothing is.
    public let outcome: Outcome

    /// What is sent, or why nothing is.
    public enum Outcome: Hashable, Sendable {
        /// The server sends Apple this.
        case send(Content)
        /// Nothing is sent.
        case withhold(Reason)
    }

    /// The answer as Apple gets it: without a used part, `grantProrated` is sent as `noPreference`. Where nothing is
    /// sent, the answer of the policy.
    public var sentAnswer: ConsumptionPolicy.Answer {
        switch outcome {
        case .send(let content): content.preference ?? .noPreference
        case .withhold: answer
        }
    }

    /// Makes a decision from an answer.
    ///
    /// Without the customer's consent nothing is sent. A purchase whose delivery nobody reported counts as delivered.
    ///
    /// - Parameter sampleProvided: Whether the customer could try the product, where nobody reported it.
    public init(
        _ answer: ConsumptionPolicy.Answer,
        rule: Int?,
        on facts: ConsumptionFacts,
        sampleProvided: Bool
    ) {
        self.answer = answer
        self.rule = rule
        outcome = Self.outcome(answer, on: facts, sampleProvided: sampleProvided)
    }

    private static func outcome(
        _ answer: ConsumptionPolicy.Answer,
        on facts: ConsumptionFacts,
        sampleProvided: Bool
    ) -> Outcome {
        guard facts.ownership != .familyShared, facts.ownership != .assigned else { return .withhold(.shared) }
        guard answer != .noAnswer else { return .withhold(.policy) }
        guard facts.consents == true else { return .withhold(.noConsent) }
        let isSubscription = facts.kind == .autoRenewable
        let delivery = facts.delivery ?? .delivered
        // Apple computes the part of a subscription from its time, and allows no part of an undelivered purchase.
        let percentage = isSubscription || delivery != .delivered ? nil : facts.percentage
        let isPartly = percentage.map { (1..<ConsumptionFacts.percentageMax).contains($0) } ?? false
        let preference: ConsumptionPolicy.Answer? =
            switch answer {
            case .noPreference, .noAnswer: nil
            // Apple refuses the wish for a part unless the purchase is partly consumed.
            case .grantProrated where !isSubscription && !isPartly: nil
            case .grantProrated, .grantFull, .decline: answer
            }
        return .send(
            Content(
                preference: preference,
                delivery: delivery,
                percentage: percentage,
                sampleProvided: facts.sampleProvided ?? sampleProvided
            )
        )
    }
}
