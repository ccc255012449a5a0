/// How a purchase came to its customer; a stronger claim replaces a weaker one.
public enum OwnershipClaim: String, Hashable, Sendable, Comparable, Codable, CaseIterable {
    /// The account token given at purchase names the customer.
    case accountToken = "account_token"
    /// The app submitted the purchase for the customer.
    case submitted
    /// An operator gave it to the customer.
    case transferred

    /// Weaker before stronger.
    public static func < (left: OwnershipClaim, right: OwnershipClaim) -> Bool { left.strength < right.strength }

    private var strength: Int {
        switch self {
        case .accountToken: 0
        case .submitted: 1
        case .transferred: 2
        }
    }
}
