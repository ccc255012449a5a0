/// An amount in one currency.
///
/// - Units: milliunits, a thousandth of the currency unit, also for currencies without decimals.
public struct Money: Hashable, Sendable, Codable {
    /// Thousandths of the currency unit: $9.99 is 9990.
    public var milliunits: Int64
    /// ISO 4217 code, such as `USD`.
    public var currency: String

    /// Makes an amount.
    public init(milliunits: Int64, currency: String) {
        self.milliunits = milliunits
        self.currency = currency
    }
}
