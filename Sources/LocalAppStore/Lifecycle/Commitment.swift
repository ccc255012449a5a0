import AppStoreModel

/// A yearly commitment that a subscriber pays monthly.
struct Commitment: Hashable, Sendable, Codable {
    /// The number of months.
    ///
    /// - Source: App Store Server API, `totalBillingPeriods`.
    static let months = 12

    /// The storefronts without monthly commitments.
    static let excludedStorefronts: Set<String> = ["USA", "SGP"]

    /// The number of the newest month, starting at 1.
    let month: Int
    /// When the last month ends if every payment is on time, milliseconds since 1970.
    private(set) var end: Int64
    /// The price of a month, thousandths of the currency unit.
    let monthlyPrice: Int64
    /// Whether another year follows.
    var isRenewalOn = true

    /// The total price of all months, thousandths of the currency unit.
    var price: Int64 { monthlyPrice * Int64(Self.months) }

    var isInLastMonth: Bool { month >= Self.months }

    /// The first month of a year that starts at a time, for the price of a year.
    init(start: Int64, yearlyPrice: Int64, monthLength: CalendarPeriod) {
        month = 1
        end = monthLength.added(to: start, times: Self.months)
        monthlyPrice = Self.monthlyPrice(ofYear: yearlyPrice)
    }

    /// The month after another one; the rest of the year counts from an anchor date.
    init(after last: Commitment, end: Int64) {
        month = last.month + 1
        self.end = end
        monthlyPrice = last.monthlyPrice
        isRenewalOn = last.isRenewalOn
    }

    /// The same month of a year that ends later by some milliseconds.
    func extended(by length: Int64) -> Commitment {
        var commitment = self
        commitment.end += length
        return commitment
    }

    /// A twelfth of the yearly price, rounded up to a whole thousandth.
    static func monthlyPrice(ofYear price: Int64) -> Int64 { (price + Int64(months) - 1) / Int64(months) }

    /// The start of the first month if every payment had been on time, milliseconds since 1970.
    func start(monthLength: CalendarPeriod) -> Int64 { monthLength.added(to: end, times: -Self.months) }
}
