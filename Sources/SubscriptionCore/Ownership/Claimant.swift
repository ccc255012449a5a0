/// The customer for whom a purchase is submitted, and what the submission counts for.
public struct Claimant: Hashable, Sendable {
    /// The customer, by the identifier that the app used.
    public var customer: CustomerID
    /// Whether one of the developer's servers submits: its word outranks the purchase's account token.
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
