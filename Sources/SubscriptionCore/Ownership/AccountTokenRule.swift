/// How the account token of a signed transaction (`appAccountToken`) decides the owner of a purchase.
public enum AccountTokenRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// It identifies the owner; a submission with a publishable key does not outrank it.
    case owner
    /// It identifies the owner only until a customer submits the purchase.
    case hint
}
