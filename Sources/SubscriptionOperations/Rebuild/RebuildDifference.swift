public import SubscriptionCore

/// A difference between what is stored and what follows from the stored evidence.
public struct RebuildDifference: Hashable, Sendable {
    /// The kind of a difference; the raw value is stable.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A signed input cannot be read. Only a backup restores it; what it may contain counts as stored.
        case evidenceUnreadable = "evidence_unreadable"
        /// The facts or the state of a purchase cannot be read.
        case purchaseUnreadable = "purchase_unreadable"
        /// A fact of a signed input, or a newer one about the same thing, is not stored.
        case factMissing = "fact_missing"
        /// A stored fact has other values than the signed input that it names. An earlier version may have stored it
        /// without a field that this version reads.
        case factDiffers = "fact_differs"
        /// The signed input that a stored fact names does not exist, or contains no such fact.
        case factWithoutEvidence = "fact_without_evidence"
        /// The stored state does not follow from the stored facts at the time of its derivation.
        case stateDiffers = "state_differs"
        /// The index of due purchases has another time than the state.
        case dueTimeDiffers = "due_time_differs"
        /// The owner or the sharers do not follow from the stored claims and the signed account token.
        case ownerDiffers = "owner_differs"
        /// The index that finds a purchase by its transactions lacks a stored transaction, or has another.
        case transactionIndexDiffers = "transaction_index_differs"
        /// A product of a stored transaction is not recorded as sold, or no input describes a product as recorded.
        case soldProductDiffers = "sold_product_differs"
        /// The refunds of a purchase, or the requests for them, do not follow from the signed inputs.
        case refundsDiffer = "refunds_differ"
        /// The count of notifications of an unknown type is not the number of stored ones.
        case unknownNotificationsDiffer = "unknown_notifications_differ"

        /// What to do; nil if `perennial rebuild --apply` repairs differences of this kind.
        public var remedy: String? {
            switch self {
            case .evidenceUnreadable:
                """
                copy the row of this input from a backup (operation.md, "Inputs that cannot be read"); until then, the \
                facts that it may contain stay stored
                """
            default: nil
            }
        }

        /// What to do about a difference of a purchase that a repair held back.
        public static let remedyOfHeld = """
            copy the rows of the inputs that cannot be read (evidence_unreadable) from a backup (operation.md, "Inputs \
            that cannot be read"), and run rebuild --apply again
            """

        /// Whether only a table beside the purchases differs.
        var isBesidePurchases: Bool {
            switch self {
            case .transactionIndexDiffers, .soldProductDiffers, .refundsDiffer, .unknownNotificationsDiffer: true
            default: false
            }
        }
    }

    /// The kind.
    public let code: Code
    /// The purchase; nil if the difference is about none. Then it is not repaired.
    public let purchaseID: OriginalTransactionID?
    /// The signed input; nil if the difference is not about one.
    public let evidenceID: EvidenceID?
    /// The sequence number of the input; nil if the difference is not about one.
    public let sequence: Int64?
    /// The transaction in the index; nil if the difference is not about the index.
    public internal(set) var transactionID: TransactionID?
    /// The sold product; nil if the difference is not about one.
    public internal(set) var productID: ProductID?
    /// The fact, for people: its kind, transaction or status, and date; nil if the difference is not about one.
    public internal(set) var fact: String?
    /// What is stored, for people; nil for nothing.
    public let stored: String?
    /// What follows from the evidence, for people; nil for nothing.
    public let derived: String?

    init(
        _ code: Code,
        _ purchaseID: OriginalTransactionID? = nil,
        evidence: EvidenceID? = nil,
        sequence: Int64? = nil,
        stored: String? = nil,
        derived: String? = nil
    ) {
        self.code = code
        self.purchaseID = purchaseID
        evidenceID = evidence
        self.sequence = sequence
        self.stored = stored
        self.derived = derived
    }
}
