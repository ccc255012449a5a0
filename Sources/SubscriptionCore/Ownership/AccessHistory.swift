/// Whether a purchase gave access at the times of its claims, by what was signed until then.
public struct AccessHistory: Hashable, Sendable {
    /// The facts of one signed input.
    public struct Input: Hashable, Sendable {
        /// When it was signed.
        public var signedAt: Timestamp
        /// What it says.
        public var facts: [Fact]

        /// Makes an input.
        public init(signedAt: Timestamp, facts: [Fact]) {
            self.signedAt = signedAt
            self.facts = facts
        }
    }

    private let activeTimes: Set<Timestamp>

    /// Makes a history of a purchase that gave access at these times, and at no other.
    public init(activeAt times: Set<Timestamp>) {
        activeTimes = times
    }

    /// Derives the answer for each time from the signed inputs; the inputs are joined once.
    ///
    /// - Parameters:
    ///   - purchase: The purchase.
    ///   - inputs: All signed inputs about it, in the order in which they were signed.
    ///   - times: The times in question.
    ///   - policy: The developer's choices about access.
    public init(
        of purchase: OriginalTransactionID,
        inputs: [Input],
        at times: some Sequence<Timestamp>,
        policy: AccessPolicy
    ) {
        var ledger = PurchaseLedger(originalID: purchase)
        var rest = inputs[...]
        var activeTimes: Set<Timestamp> = []
        for time in Set(times).sorted() {
            while let next = rest.first, next.signedAt <= time {
                for fact in next.facts { ledger.join(fact) }
                rest.removeFirst()
            }
            if ledger.state(at: time, policy: policy)?.givesAccess ?? false { activeTimes.insert(time) }
        }
        self.activeTimes = activeTimes
    }

    /// Whether the purchase gave access at one of the times that the history was made for.
    public func gaveAccess(at time: Timestamp) -> Bool { activeTimes.contains(time) }
}
