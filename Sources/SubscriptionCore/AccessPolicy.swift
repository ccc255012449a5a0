/// The developer's settings for what signed facts do not decide: access, ownership of purchases, and proceeds.
public struct AccessPolicy: Hashable, Sendable {
    /// How long a subscription that should renew keeps access after its end until its renewal is reported.
    ///
    /// A late report does not mean that the subscription ended. The leeway is never longer than the period itself.
    /// Otherwise it would span many short periods of a test environment.
    ///
    /// - Units: milliseconds.
    public var renewalLeewayMilliseconds: Int64
    /// What the developer keeps of a price.
    public var developerShare: DeveloperShare
    /// How an account token decides the owner of a purchase.
    public var accountToken: AccountTokenRule
    /// The prefix of the identifiers of customers without an account; nil if there is none.
    public var anonymousPrefix: String?

    /// Makes a policy. The default leeway of two hours is longer than the time to the first retry of a notification.
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
