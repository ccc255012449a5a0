/// Every account, subscription and transaction of the store, and how to find them.
///
/// Records are never removed; an index stays valid for the life of the ledger.
struct Ledger: Sendable {
    private(set) var accounts: [Account] = []
    private(set) var subscriptions: [Subscription] = []
    private(set) var transactions: [Transaction] = []
    private var accountsById: [String: LedgerIndex<Account>] = [:]
    private var accountsByAppTransactionId: [String: LedgerIndex<Account>] = [:]
    private var subscriptionsById: [String: LedgerIndex<Subscription>] = [:]
    private var transactionsById: [String: LedgerIndex<Transaction>] = [:]
    private var modifications = 0

    subscript(index: LedgerIndex<Account>) -> Account {
        get { accounts[index.offset] }
        _modify { yield &accounts[index.offset] }
    }

    subscript(index: LedgerIndex<Subscription>) -> Subscription {
        get { subscriptions[index.offset] }
        _modify { yield &subscriptions[index.offset] }
    }

    subscript(index: LedgerIndex<Transaction>) -> Transaction {
        get { transactions[index.offset] }
        _modify { yield &transactions[index.offset] }
    }

    func account(id: String) -> LedgerIndex<Account>? { accountsById[id] }

    func account(appTransactionId: String) -> LedgerIndex<Account>? { accountsByAppTransactionId[appTransactionId] }

    func subscription(originalTransactionId: String) -> LedgerIndex<Subscription>? {
        subscriptionsById[originalTransactionId]
    }

    func transaction(id: String) -> LedgerIndex<Transaction>? { transactionsById[id] }

    /// The account's subscription in a group, in whatever state.
    func subscription(of account: LedgerIndex<Account>, inGroup groupId: String) -> LedgerIndex<Subscription>? {
        self[account].subscriptions.first { self[$0].groupId == groupId }
    }

    mutating func append(_ account: Account) {
        let index = LedgerIndex<Account>(offset: accounts.count)
        accountsById[account.accountId] = index
        accountsByAppTransactionId[account.appTransactionId] = index
        accounts.append(account)
    }

    /// The index that the next subscription gets, so that its first transaction can name it.
    var nextSubscription: LedgerIndex<Subscription> { LedgerIndex(offset: subscriptions.count) }

    mutating func append(_ subscription: Subscription) {
        let index = nextSubscription
        subscriptionsById[subscription.originalTransactionId] = index
        self[subscription.account].subscriptions.append(index)
        subscriptions.append(subscription)
    }

    mutating func append(_ transaction: Transaction) -> LedgerIndex<Transaction> {
        let index = LedgerIndex<Transaction>(offset: transactions.count)
        transactionsById[transaction.transactionId] = index
        self[transaction.account].transactions.append(index)
        transactions.append(transaction)
        noteModification(of: index)
        return index
    }

    /// Refunds a transaction.
    mutating func revoke(_ index: LedgerIndex<Transaction>, _ revocation: Transaction.Revocation) {
        self[index].revocation = revocation
        noteModification(of: index)
    }

    /// Makes every subscription's next signature newer than those before.
    mutating func noteRenewalTermsChanged() {
        for offset in subscriptions.indices { subscriptions[offset].signatures.contentChanged() }
    }

    private mutating func noteModification(of index: LedgerIndex<Transaction>) {
        modifications += 1
        self[index].modification = modifications
    }
}
