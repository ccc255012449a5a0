/// What a developer answers when Apple asks about the consumption of a purchase.
///
/// The first rule that fits decides. It is a pure function of ``ConsumptionFacts``.
public struct ConsumptionPolicy: Hashable, Sendable {
    /// What the developer would like Apple to do.
    public enum Answer: String, Hashable, Sendable, CaseIterable {
        /// Keep the money.
        case decline
        /// Give all of it back.
        case grantFull = "grant_full"
        /// Give back what was not used.
        case grantProrated = "grant_prorated"
        /// Send the facts, without a wish.
        case noPreference = "no_preference"
        /// Send nothing.
        case noAnswer = "no_answer"
    }

    /// A number that a rule may bound.
    public enum Measure: String, Hashable, Sendable, CaseIterable {
        /// The consumed part, in thousandths of a percent.
        case consumptionPercentage = "consumption_percentage"
        /// Whole days from the purchase to the request.
        case purchaseAgeDays = "purchase_age_days"
        /// Whole days from the customer's account to the request.
        case accountAgeDays = "account_age_days"
        /// Refunds of the customer before.
        case refundsBefore = "refunds_before"
        /// Requests of the customer before.
        case requestsBefore = "requests_before"
        /// Charges of the customer before.
        case paymentsBefore = "payments_before"
        /// What the customer paid before, in milliunits of the rule's currency.
        case lifetimeSpent = "lifetime_spent"
        /// What the customer got back before, in milliunits of the rule's currency.
        case lifetimeRefunded = "lifetime_refunded"
    }

    /// The bounds of a number, both included.
    public struct Bounds: Hashable, Sendable {
        /// The least value; nil for none.
        public var minimum: Int?
        /// The greatest value; nil for none.
        public var maximum: Int?

        /// Makes bounds.
        public init(minimum: Int? = nil, maximum: Int? = nil) {
            self.minimum = minimum
            self.maximum = maximum
        }

        /// A number that is not known lies in no bounds.
        func contains(_ value: Int?) -> Bool {
            guard let value else { return false }
            return value >= minimum ?? .min && value <= maximum ?? .max
        }
    }

    /// A rule. It fits if everything that it names fits.
    public struct Rule: Hashable, Sendable {
        /// The products; nil for every product.
        public var products: Set<ProductID>?
        /// The kinds of product; nil for every kind.
        public var kinds: Set<ProductKind>?
        /// The customer's reasons; nil for every reason, also for none.
        public var reasons: Set<String>?
        /// The bounds of numbers.
        public var bounds: [Measure: Bounds]
        /// The ISO 4217 currency of amounts.
        public var currency: String
        /// The answer.
        public var answer: Answer

        /// Makes a rule.
        public init(
            products: Set<ProductID>? = nil,
            kinds: Set<ProductKind>? = nil,
            reasons: Set<String>? = nil,
            bounds: [Measure: Bounds] = [:],
            currency: String = "USD",
            answer: Answer
        ) {
            self.products = products
            self.kinds = kinds
            self.reasons = reasons
            self.bounds = bounds
            self.currency = currency
            self.answer = answer
        }

        func fits(_ facts: ConsumptionFacts) -> Bool {
            (products?.contains(facts.productID) ?? true) && (kinds?.contains(facts.kind) ?? true)
                && (reasons.map { reasons in facts.reason.map(reasons.contains) ?? false } ?? true)
                && bounds.allSatisfy { $1.contains(facts.value(of: $0, in: currency)) }
        }
    }

    /// The rules, in the order in which they are tried.
    public var rules: [Rule]
    /// The answer if no rule fits.
    public var otherwise: Answer
    /// Whether the customer could try the product before, where nobody reported it.
    public var sampleProvided: Bool

    /// Makes a policy.
    public init(rules: [Rule] = [], otherwise: Answer, sampleProvided: Bool = false) {
        self.rules = rules
        self.otherwise = otherwise
        self.sampleProvided = sampleProvided
    }

    /// The answer to a request, before consent and Apple's rules.
    ///
    /// - Returns: The answer, and the number of the rule, from 1; nil if none fitted.
    public func answer(to facts: ConsumptionFacts) -> (answer: Answer, rule: Int?) {
        guard let index = rules.firstIndex(where: { $0.fits(facts) }) else { return (otherwise, nil) }
        return (rules[index].answer, index + 1)
    }

    /// What is sent to Apple.
    public func decision(on facts: ConsumptionFacts) -> ConsumptionDecision {
        let (answer, rule) = answer(to: facts)
        return ConsumptionDecision(answer, rule: rule, on: facts, sampleProvided: sampleProvided)
    }
}
