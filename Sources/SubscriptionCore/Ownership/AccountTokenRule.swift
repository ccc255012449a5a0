/// What the account token of a signed transaction (`appAccountToken`) says about whose a purchase is.
public enum AccountTokenRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// It names the owner: an app's word with a publishable key does not outrank it.
    case owner
    /// It names the owner only until somebody submits the purchase.
    case hint
}
