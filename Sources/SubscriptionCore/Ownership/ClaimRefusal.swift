/// Why a customer who submitted a purchase did not get it.
public enum ClaimRefusal: String, Hashable, Sendable, CaseIterable {
    /// Another customer submitted it before.
    case submittedBefore = "submitted_before"
    /// Its signed account token names another customer.
    case accountToken = "account_token"
    /// An operator moved it to another customer.
    case transferred
    /// It is already shared with the maximum number of customers.
    case sharedWithTooMany = "shared_with_too_many"
}
