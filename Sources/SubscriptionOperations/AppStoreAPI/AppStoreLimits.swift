/// The limits of calls to the App Store Server API while requests wait.
public struct AppStoreLimits: Hashable, Sendable {
    /// The maximum number of requests of one app that wait for the App Store; further ones are refused.
    public var lookupsMax: Int
    /// The time limit for all calls of one request.
    ///
    /// - Units: milliseconds.
    public var lookupMillisecondsMax: Int
    /// How long the purchases of a receipt are taken from the cache instead of a new look-up.
    ///
    /// - Units: milliseconds.
    public var receiptMilliseconds: Int64

    /// Makes limits. Values below 1 count as 1.
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
