/// Whether a purchase gave access at the times of its claims, according to what was signed by then.
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

    /// Makes the history of a purchase that gave access at exactly these times.
    public init(activeAt times: Set<Timestamp>) {
        activeTimes = times
    }

    /// Derives the access at each time from the signed inputs; each input is joined once.
    ///
    /// - Parameters:
    ///   - purchase: The purchase.
    ///   - inputs: All signed inputs about it, in the order in which they were signed.
    ///   - times: The times to check.
    ///   - policy: The developer's policy.
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

    /// Whether the purchase gave access at one of the checked times.
    public func gaveAccess(at time: Timestamp) -> Bool { activeTimes.contains(time) }
}
