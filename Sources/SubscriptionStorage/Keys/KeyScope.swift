/// What a secret key or an operator may do. Each scope includes the ones before it.
public enum KeyScope: String, Hashable, Sendable, CaseIterable {
    /// To read everything except keys.
    case read
    /// To change one customer: transactions, attributes, aliases, grants, transfers.
    case write
    /// To run campaigns, extend renewal dates, erase a customer, compare Apple's history, and send webhooks again.
    case operate
    /// To change the configuration, the webhook endpoints and the keys.
    case admin
}

extension KeyScope: Comparable {
    /// Whether a scope permits less than another.
    public static func < (first: KeyScope, second: KeyScope) -> Bool { first.level < second.level }

    private var level: Int {
        switch self {
        case .read: 0
        case .write: 1
        case .operate: 2
        case .admin: 3
        }
    }
}
