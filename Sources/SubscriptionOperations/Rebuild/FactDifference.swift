public import SubscriptionCore

/// A difference between stored state and stored evidence.
public struct FactDifference: Hashable, Sendable {
    /// The kind of a difference.
    public enum Kind: String, Hashable, Sendable {
        /// This version cannot read a signed input.
        case evidenceUnreadable = "evidence_unreadable"
        /// A fact of a signed input, or its whole purchase, is not stored.
        case factMissing = "fact_missing"
        /// A stored fact is not a fact of the signed input that it names.
        case factWithoutEvidence = "fact_without_evidence"
        /// The stored state does not follow from the stored facts at the time of its derivation.
        case stateDiffers = "state_differs"
    }

    /// The kind.
    public let kind: Kind
    /// The purchase; nil if the input names none.
    public let purchaseID: OriginalTransactionID?
    /// The signed input; nil for a difference of the state.
    public let evidenceID: EvidenceID?
}
