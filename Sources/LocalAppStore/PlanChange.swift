/// What became of a change of plan.
public struct PlanChange: Hashable, Sendable {
    /// Which change it is, by the levels and periods of the two products.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// To a higher level: at once.
        case upgrade
        /// To the same level and period: at once.
        case crossgrade
        /// To the same level and another period: at the next renewal.
        case crossgradeAtRenewal = "crossgrade_at_renewal"
        /// To a lower level: at the next renewal.
        case downgrade
        /// Back to the running product: a change that was pending is gone.
        case undo
        /// A purchase by hand while a renewal was being retried: a new period begins at once.
        case recovery

        /// Whether it happens now, with a charge, rather than at the next renewal.
        public var isImmediate: Bool {
            switch self {
            case .upgrade, .crossgrade, .recovery: true
            case .crossgradeAtRenewal, .downgrade, .undo: false
            }
        }
    }

    /// Which change it is.
    public let kind: Kind

    /// When the new plan begins, milliseconds since 1970: now, at the next renewal, or at the end of a commitment.
    public let effectiveDate: Int64

    /// What the customer gets back for the unused part of the old period, thousandths of the currency unit; absent
    /// where no period was cut short.
    public let proratedRefund: Int64?

    /// The subscription's newest transaction and renewal information as they are after the change.
    public let purchase: PurchaseOutcome
}
