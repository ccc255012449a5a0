/// The result of a plan change.
public struct PlanChange: Hashable, Sendable {
    /// The kind of change, by the levels and periods of the two products.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// To a higher level: immediately.
        case upgrade
        /// To the same level and period: immediately.
        case crossgrade
        /// To the same level and another period: at the next renewal.
        case crossgradeAtRenewal = "crossgrade_at_renewal"
        /// To a lower level: at the next renewal.
        case downgrade
        /// Back to the current product: cancels the pending change.
        case undo
        /// A manual purchase during billing retry: a new period starts immediately.
        case recovery

        /// Whether it takes effect now, with a charge, instead of at the next renewal.
        public var isImmediate: Bool {
            switch self {
            case .upgrade, .crossgrade, .recovery: true
            case .crossgradeAtRenewal, .downgrade, .undo: false
            }
        }
    }

    /// The kind of change.
    public let kind: Kind

    /// When the new plan starts, milliseconds since 1970: now, at the next renewal, or at the end of a commitment.
    public let effectiveDate: Int64

    /// The refund for the unused part of the old period, with the price of a next one charged already, thousandths of
    /// the currency unit; absent if no period was shortened.
    public let proratedRefund: Int64?

    /// The subscription's newest transaction and renewal information after the change.
    public let purchase: PurchaseOutcome
}
