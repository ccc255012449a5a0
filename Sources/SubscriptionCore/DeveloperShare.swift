/// The developer's share of a price. It is an estimate, because no signed fact contains taxes or commission.
///
/// One share applies to all sales. It ignores taxes, the higher share after a year of paid service, and regional terms.
public struct DeveloperShare: Hashable, Sendable {
    /// The share, from 0 to 100; 70 by the App Store's standard terms, 85 in its Small Business Program.
    ///
    /// - Units: hundredths of the price.
    public let percent: Int

    /// Makes a share, kept between 0 and 100.
    public init(percent: Int = 70) {
        self.percent = min(100, max(0, percent))
    }

    /// The share of an amount, rounded towards zero.
    func milliunits(of amount: Int64) -> Int64 {
        let (quotient, remainder) = amount.quotientAndRemainder(dividingBy: 100)
        return quotient * Int64(percent) + remainder * Int64(percent) / 100
    }
}
