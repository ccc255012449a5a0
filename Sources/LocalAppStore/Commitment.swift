import AppStoreModel

/// A year that a subscriber pays month by month.
struct Commitment: Hashable, Sendable, Codable {
    /// How many months it has.
    ///
    /// - Source: App Store Server API, `totalBillingPeriods`.
    static let months = 12

    /// The storefronts where nobody can commit to a year of months.
    static let excludedStorefronts: Set<String> = ["USA", "SGP"]

    /// The number of the newest month, from 1 on.
    let month: Int
    /// When the last month ends if every one is paid in time, milliseconds since 1970.
    let end: Int64
    /// What a month costs, thousandths of the currency unit.
    let monthlyPrice: Int64
    /// Whether another year follows.
    var isRenewalOn = true

    /// What all months cost together, thousandths of the currency unit.
    var price: Int64 { monthlyPrice * Int64(Self.months) }

    var isInLastMonth: Bool { month >= Self.months }

    /// The first month of a year that begins at an instant, for the price of a year.
    init(start: Int64, yearlyPrice: Int64, monthLength: CalendarPeriod) {
        month = 1
        end = monthLength.added(to: start, times: Self.months)
        monthlyPrice = Self.monthlyPrice(ofYear: yearlyPrice)
    }

    /// The month after another one; the rest of the year counts from an anchor.
    init(after last: Commitment, end: Int64) {
        month = last.month + 1
        self.end = end
        monthlyPrice = last.monthlyPrice
        isRenewalOn = last.isRenewalOn
    }

    /// A twelfth of the price of a year; where that is no whole thousandth, it is rounded up.
    static func monthlyPrice(ofYear price: Int64) -> Int64 { (price + Int64(months) - 1) / Int64(months) }

    /// When the first month would have begun if every one had been paid in time, milliseconds since 1970.
    func start(monthLength: CalendarPeriod) -> Int64 { monthLength.added(to: end, times: -Self.months) }
}

extension Ledger {
    /// Notes which month of which commitment a transaction is; `nil` for one that belongs to none.
    mutating func note(
        _ commitment: Commitment?,
        of subscription: LedgerIndex<Subscription>,
        transaction: LedgerIndex<Transaction>
    ) {
        guard commitment != nil || commitments[subscription] != nil else { return }
        commitments[subscription] = commitment
        committedMonths[transaction] = commitment
    }
}
