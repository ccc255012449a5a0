/// An Apple Account from the viewpoint of one app.
struct Account: Hashable, Sendable, Codable {
    /// Its index in the ledger.
    let index: LedgerIndex<Account>
    let accountId: String
    /// When it got the app, milliseconds since 1970.
    let createdAt: Int64
    var storefront: Storefront
    var payment = PaymentState.ok
    /// The attempt that charges a failed renewal although the card is declined, from 1.
    var recoversAfter: Int?
    /// Oldest first; at most one in a group.
    var subscriptions: [LedgerIndex<Subscription>] = []
    /// Oldest first.
    var transactions: [LedgerIndex<Transaction>] = []
    /// The groups whose introductory offer the account has used, regardless of what followed.
    var groupsIntroduced: Set<String> = []

    var appTransactionId: String { StoreIdentifier.of(index) }
}
