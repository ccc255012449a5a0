/// What happens when a customer submits a purchase that another customer owns.
public enum TransferPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The first customer keeps it; the second is refused.
    case keep
    /// It moves to the customer who submitted it last.
    case transfer
    /// It moves if it gave no access at the time of the submission.
    case transferIfInactive = "transfer_if_inactive"
    /// The first customer keeps it, and the others get access too.
    case share
}
