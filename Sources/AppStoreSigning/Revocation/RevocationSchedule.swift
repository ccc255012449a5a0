/// For how long an answer about revocation serves.
public struct RevocationSchedule: Hashable, Sendable {
    /// For how long an answer is taken for fresh; then it is asked for again.
    public var freshFor: Duration

    /// For how long the lack of an answer is remembered; then the question is asked again.
    ///
    /// Where no answer refuses data (``RevocationFailureMode/hard``) the next verification waits for the new question.
    /// Else it waits only when the chain has been unused for twice this time.
    public var retryAfter: Duration

    /// For how long "good" still serves, though no longer fresh, while a new answer is fetched behind it.
    ///
    /// Within this time no verification waits for the network a second time for the same chain. "Revoked" serves until
    /// the authority says otherwise.
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
