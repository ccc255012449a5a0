/// For how long an answer about revocation serves.
public struct RevocationSchedule: Hashable, Sendable {
    /// For how long an answer is taken for fresh; then it is asked for again.
    public var freshFor: Duration

    /// For how long the lack of an answer is taken for fresh; then the question is asked again.
    public var retryAfter: Duration

    /// For how long an answer that is no longer fresh still serves while a new one is fetched behind it.
    ///
    /// Within this time no verification waits for the network a second time for the same chain.
    public var usableFor: Duration

    /// Makes a schedule: 15 minutes, 1 minute and 12 hours unless said otherwise.
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
    /// Whole milliseconds, at the most what 64 bits hold.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }
}
