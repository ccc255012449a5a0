/// The customer for whom a purchase is submitted, and the trust in the submission.
public struct Claimant: Hashable, Sendable {
    /// The customer, by the identifier that the app used.
    public var customer: CustomerID
    /// Whether one of the developer's servers submits the purchase: then the claim outranks the purchase's account
    /// token.
    public var isSubmittedByServer: Bool
    /// Whether the app says that the identifier belongs to a customer without an account.
    public var isAnonymous: Bool
    /// Whether a purchase that is new to the server causes no events: for subscribers from before the server, whom the
    /// readers of events already know.
    public var omitsEventsOfNewPurchases: Bool

    /// Names a customer.
    public init(
        _ customer: CustomerID,
        isSubmittedByServer: Bool = false,
        isAnonymous: Bool = false,
        omitsEventsOfNewPurchases: Bool = false
    ) {
        self.customer = customer
        self.isSubmittedByServer = isSubmittedByServer
        self.isAnonymous = isAnonymous
        self.omitsEventsOfNewPurchases = omitsEventsOfNewPurchases
    }
}
