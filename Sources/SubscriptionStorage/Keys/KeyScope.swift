/// What a secret key or an operator may do. Each scope includes the ones before it.
public enum KeyScope: String, Hashable, Sendable, CaseIterable {
    /// To read customers, purchases, events and everything else that is no secret.
    case read
    /// To change one customer: transactions, attributes, aliases, grants, transfers.
    case write
    /// To change many customers, to extend renewal dates, to erase a customer, and to send webhooks again.
    case operate
    /// To change the configuration, the webhook endpoints, the keys and the operators.
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
