/// The developer's choices where signed facts leave room: what decides access, whose a purchase is, what a sale brings.
public struct AccessPolicy: Hashable, Sendable {
    /// How long a subscription that should renew keeps access after its end while no word of the renewal has arrived.
    ///
    /// A late renewal is no evidence of an end. Bounded by the length of the period itself, so that a shortened clock
    /// does not turn it into many free periods.
    ///
    /// - Units: milliseconds.
    public var renewalLeewayMilliseconds: Int64
    /// What the developer keeps of a price.
    public var developerShare: DeveloperShare
    /// What an account token says about whose a purchase is.
    public var accountToken: AccountTokenRule
    /// What the identifiers of customers without an account begin with; nil where no prefix says so.
    public var anonymousPrefix: String?

    /// Makes a policy; the default leeway is two hours, beyond the first retry of a notification.
    public init(
        renewalLeewayMilliseconds: Int64 = 2 * 60 * 60 * 1000,
        developerShare: DeveloperShare = DeveloperShare(),
        accountToken: AccountTokenRule = .owner,
        anonymousPrefix: String? = nil
    ) {
        self.renewalLeewayMilliseconds = renewalLeewayMilliseconds
        self.developerShare = developerShare
        self.accountToken = accountToken
        self.anonymousPrefix = anonymousPrefix
    }
}
