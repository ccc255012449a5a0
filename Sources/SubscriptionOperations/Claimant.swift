public import SubscriptionCore

/// Whom a purchase is submitted for, and what that word counts for.
public struct Claimant: Hashable, Sendable {
    /// The customer.
    public var customer: CustomerID
    /// Whether one of the developer's servers says so: its word outranks the purchase's account token.
    public var isVouchedFor: Bool
    /// Whether the app says that the identifier stands for nobody with an account.
    public var isAnonymous: Bool

    /// Names a customer.
    public init(_ customer: CustomerID, isVouchedFor: Bool = false, isAnonymous: Bool = false) {
        self.customer = customer
        self.isVouchedFor = isVouchedFor
        self.isAnonymous = isAnonymous
    }
}
