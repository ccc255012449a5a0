/// How a purchase came to its customer; a stronger claim replaces a weaker one.
public enum OwnershipClaim: String, Hashable, Sendable, Comparable {
    /// The account token given at purchase names the customer.
    case accountToken = "account_token"
    /// The app submitted the purchase for the customer.
    case submitted

    /// Weaker before stronger.
    public static func < (left: OwnershipClaim, right: OwnershipClaim) -> Bool {
        left == .accountToken && right == .submitted
    }
}
