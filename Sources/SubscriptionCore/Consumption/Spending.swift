/// What a customer paid, and what was given back.
public struct Spending: Hashable, Sendable {
    /// The number of charges.
    public var payments = 0
    /// The number of charges that were refunded, wholly or in part.
    public var refunds = 0
    /// The sum of the charges by currency, in milliunits.
    public var paid: [String: Int] = [:]
    /// The sum of the refunds by currency, in milliunits.
    public var refunded: [String: Int] = [:]

    /// Nothing paid.
    public init() {}

    /// Adds the charges of another purchase.
    public static func += (left: inout Spending, right: Spending) {
        left.payments += right.payments
        left.refunds += right.refunds
        left.paid.merge(right.paid) { $0.addingReportingOverflow($1).partialValue }
        left.refunded.merge(right.refunded) { $0.addingReportingOverflow($1).partialValue }
    }
}

extension PurchaseLedger {
    /// What the customer paid before a time. Free periods and what somebody else paid do not count.
    public func spending(before time: Timestamp) -> Spending {
        var spending = Spending()
        for charge in charges where charge.purchasedAt < time {
            guard let paid = charge.paid, paid.milliunits > 0 else { continue }
            spending.payments += 1
            spending.paid[paid.currency, default: 0] += Int(clamping: paid.milliunits)
            guard let revocation = charge.revocation, revocation.at < time, charge.refundedMilliunits > 0 else {
                continue
            }
            spending.refunds += 1
            spending.refunded[paid.currency, default: 0] += Int(clamping: charge.refundedMilliunits)
        }
        return spending
    }
}
