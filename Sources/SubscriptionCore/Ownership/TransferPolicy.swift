/// What happens when a customer submits a purchase that another one has.
public enum TransferPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// It stays with the first; the second is refused.
    case keep
    /// It moves to the last who submitted it.
    case transfer
    /// It moves where it gave no access when it was submitted, and stays where it did.
    case transferIfInactive = "transfer_if_inactive"
    /// It stays with the first, and gives access to the others too.
    case share
}
