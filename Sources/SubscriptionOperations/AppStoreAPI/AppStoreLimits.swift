/// How much the App Store Server API is asked for requests that wait for its answer.
public struct AppStoreLimits: Hashable, Sendable {
    /// How many requests of one app may wait for the App Store at a time; one more is refused.
    public var lookupsMax: Int
    /// How long all calls for one request may take together.
    ///
    /// - Units: milliseconds.
    public var lookupMillisecondsMax: Int
    /// How long a receipt that was looked up is answered from what is held.
    ///
    /// - Units: milliseconds.
    public var receiptMilliseconds: Int64

    /// Makes limits. What would serve nobody counts as 1.
    public init(
        lookupsMax: Int = 8,
        lookupMillisecondsMax: Int = 15_000,
        receiptMilliseconds: Int64 = 5 * 60 * 1000
    ) {
        self.lookupsMax = max(1, lookupsMax)
        self.lookupMillisecondsMax = max(1, lookupMillisecondsMax)
        self.receiptMilliseconds = max(0, receiptMilliseconds)
    }
}
