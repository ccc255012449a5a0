/// Why a state is what it is: each step with its evidence, and the next change by time.
public struct Explanation: Hashable, Sendable {
    /// The basis of a step.
    public enum Basis: Hashable, Sendable {
        /// A signed statement about a transaction.
        case transaction(TransactionFact)
        /// A signed renewal record.
        case renewal(RenewalFact)
        /// A signed status of the store.
        case status(StatusFact)
        /// An operator's grant.
        case grant(Grant)
        /// The developer's rule that a product gives an entitlement.
        case rule(ProductID)
        /// The developer's policy.
        case policy
        /// Why the customer owns the purchase: the app's transfer policy, or nil for an operator's decision.
        case ownership(TransferPolicy?)
        /// The comparison of the current time with this time.
        case clock(Timestamp)
    }

    /// One step.
    public struct Step: Hashable, Sendable {
        /// Its basis.
        public let basis: Basis
        /// The conclusion, in a sentence.
        public let text: String

        /// Makes a step.
        public init(_ basis: Basis, _ text: String) {
            self.basis = basis
            self.text = text
        }
    }

    /// The next change by time alone.
    public struct NextChange: Hashable, Sendable {
        /// When.
        public let at: Timestamp
        /// Whether there is access from then on, without new facts.
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

    /// The summary in one sentence; empty if only the steps were requested.
    public var summary = ""
    /// The steps, in the order of the derivation.
    public var steps: [Step]
    /// The next change by time; nil if only a new fact can change the state.
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
            let ended = isRevoked ? "An operator took it back at that time." : "The grant ended at that time."
            steps.append(Explanation.Step(.clock(end), isActive ? "The grant lasts until that time." : ended))
        }
        let change = nextChangeAt.map { Explanation.NextChange(at: $0, givesAccess: false, status: nil) }
        return Explanation(steps: steps, nextChange: change)
    }
}
