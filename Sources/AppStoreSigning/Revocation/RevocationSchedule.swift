/// How long revocation answers are used.
public struct RevocationSchedule: Hashable, Sendable {
    /// How long an answer is fresh; after that it is queried again.
    public var freshFor: Duration

    /// How long a missing answer is stored; after that the query is repeated.
    ///
    /// If missing answers refuse data (``RevocationFailureMode/hard``), the next verification waits for the new query.
    /// Otherwise it waits only if the chain has been unused for twice this time.
    public var retryAfter: Duration

    /// How long a stale "good" is used while a new answer is fetched in the background.
    ///
    /// Within this time no verification waits a second time for the network for the same chain. "Revoked" is used until
    /// the authority answers otherwise.
    public var usableFor: Duration

    /// Makes a schedule; the defaults are 15 minutes, 1 minute and 12 hours.
    public init(
        freshFor: Duration = .seconds(15 * 60),
        retryAfter: Duration = .seconds(60),
        usableFor: Duration = .seconds(12 * 3600)
    ) {
        self.freshFor = freshFor
        self.retryAfter = retryAfter
        self.usableFor = usableFor
    }
}

extension Duration {
    /// Whole milliseconds, clamped to 64 bits.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
