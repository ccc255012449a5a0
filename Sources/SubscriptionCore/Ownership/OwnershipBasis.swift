/// Why a customer owns a purchase; a stronger basis replaces a weaker one.
public enum OwnershipBasis: String, Hashable, Sendable, Comparable, Codable, CaseIterable {
    /// The account token of the purchase contains the customer.
    case accountToken = "account_token"
    /// Its customer was erased: it has no owner until a customer submits it, regardless of its account token.
    case erased
    /// The app submitted the purchase for the customer.
    case submitted
    /// Several customers submitted it, and signed facts decide the owner: the rule `transfer_if_inactive`.
    case contested
    /// The app submitted it, and others share it: the rule `share`.
    case shared
    /// An operator gave it to the customer.
    case transferred

    /// Weaker before stronger.
    public static func < (left: OwnershipBasis, right: OwnershipBasis) -> Bool { left.strength < right.strength }

    private var strength: Int {
        switch self {
        case .accountToken: 0
        case .erased: 1
        case .submitted, .contested, .shared: 2
        case .transferred: 3
        }
    }
}
