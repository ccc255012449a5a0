/// Why an answer is what it is: each step of the evidence, and what the clock will make of it.
public struct Explanation: Hashable, Sendable {
    /// What a step rests on.
    public enum Basis: Hashable, Sendable {
        /// A signed statement about a transaction.
        case transaction(TransactionFact)
        /// A signed renewal record.
        case renewal(RenewalFact)
        /// The store's own word about the status.
        case status(StatusFact)
        /// An operator's grant.
        case grant(Grant)
        /// The developer's rule that a product gives an entitlement.
        case rule(ProductID)
        /// The developer's policy.
        case policy
        /// How the purchase came to the customer: by the app's rule, or nil for an operator's decision.
        case ownership(TransferPolicy?)
        /// The present instant, beside the one named.
        case clock(Timestamp)
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// What it rests on.
        public let basis: Basis
        /// What follows from it, in a sentence.
        public let text: String

        /// Makes a step.
        public init(_ basis: Basis, _ text: String) {
            self.basis = basis
            self.text = text
        }
    }

    /// What the clock alone changes next.
    public struct NextChange: Hashable, Sendable {
        /// When.
        public let at: Timestamp
        /// Whether there is access from then on, if nothing else is heard.
        public let givesAccess: Bool
        /// The status from then on, for a subscription.
        public let status: SubscriptionStatus?

        /// Makes a change.
        public init(at: Timestamp, givesAccess: Bool, status: SubscriptionStatus?) {
            self.at = at
            self.givesAccess = givesAccess
            self.status = status
        }
    }

    /// The answer in one plain sentence; empty where only the steps were asked for.
    public var summary = ""
    /// The steps, in the order in which they lead to the answer.
    public var steps: [Step]
    /// What the clock changes next; nil where only a new fact can.
    public var nextChange: NextChange?

    /// Makes an explanation.
    public init(steps: [Step], nextChange: NextChange?) {
        self.steps = steps
        self.nextChange = nextChange
    }
}

extension GrantState {
    /// Why the grant gives access or not.
    public var explanation: Explanation {
        var steps = [Explanation.Step(.grant(grant), "An operator granted it.")]
        if let end = grant.endsAt {
            let isRevoked = grant.revokedAt == end
            let ended = isRevoked ? "An operator took it back at that instant." : "The grant ended at that instant."
            steps.append(Explanation.Step(.clock(end), isActive ? "The grant lasts until that instant." : ended))
        }
        let change = nextChangeAt.map { Explanation.NextChange(at: $0, givesAccess: false, status: nil) }
        return Explanation(steps: steps, nextChange: change)
    }
}
