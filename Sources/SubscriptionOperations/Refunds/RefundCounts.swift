import SubscriptionCore

/// Counts of refunds and what they returned.
public struct RefundCounts: Hashable, Sendable {
    /// The number of refunds that stand.
    public private(set) var granted = 0
    /// The number of refunds that stand, of charges with a price above zero.
    private var paid = 0
    /// The number of refunds that the store reversed.
    public private(set) var reversed = 0
    /// What the refunds that stand returned, by currency.
    ///
    /// - Units: thousandths of the currency unit.
    public private(set) var amounts: [String: Int64] = [:]

    /// Counts of nothing.
    public init() {}

    /// Counts a refund.
    mutating func add(_ refund: Refund) {
        guard refund.reversedAt == nil else { return reversed += 1 }
        granted += 1
        guard let amount = refund.amount else { return }
        if (refund.price?.milliunits ?? 0) > 0 { paid += 1 }
        let (sum, isTooMuch) = amounts[amount.currency, default: 0].addingReportingOverflow(amount.milliunits)
        amounts[amount.currency] = isTooMuch ? .max : sum
    }

    /// The part of paid charges that is refunded; nil without charges. Refunds without a known price are left out.
    ///
    /// - Units: thousandths of a percent, as the store states percentages.
    public func share(of charges: Int) -> Int? {
        charges > 0 ? paid * 100_000 / charges : nil
    }
}
