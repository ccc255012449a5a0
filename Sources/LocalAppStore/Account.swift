/// An Apple Account as far as one app knows it.
struct Account: Hashable, Sendable, Codable {
    /// Its own place in the ledger.
    let index: LedgerIndex<Account>
    let accountId: String
    /// When it got the app, milliseconds since 1970.
    let createdAt: Int64
    var storefront: Storefront
    var payment = PaymentState.ok
    /// Oldest first; at most one in a group.
    var subscriptions: [LedgerIndex<Subscription>] = []
    /// Oldest first.
    var transactions: [LedgerIndex<Transaction>] = []
    /// The groups whose introductory offer is used up, whatever became of it.
    var groupsIntroduced: Set<String> = []

    var appTransactionId: String { StoreIdentifier.of(index) }
}
