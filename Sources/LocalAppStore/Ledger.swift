/// Every account, subscription and transaction of the store, and how to find them.
///
/// Records are never removed; an index stays valid for the life of the ledger.
struct Ledger: Sendable, Codable {
    /// What an upgrade did to the transaction that it took the place of.
    struct Upgrade: Hashable, Sendable, Codable {
        let date: Int64
        /// What the customer got back for the time not used, thousandths of the currency unit.
        let refund: Int64
    }

    private var accountTable = AccountTable()
    private(set) var subscriptions = RecordList<Subscription>()
    private(set) var transactions = RecordList<Transaction>()
    /// The transactions that an upgrade cut short.
    private(set) var upgrades: [LedgerIndex<Transaction>: Upgrade] = [:]
    /// The offers that begin at a renewal to come.
    private var pendingOffers: [LedgerIndex<Subscription>: PendingOffer] = [:]
    /// The one-time UUIDs of the signatures that were redeemed.
    private(set) var usedNonces: Set<String> = []
    private var modifications = 0
    /// Renewals since the purchase, in the shortened sandbox only.
    var sandboxRenewals: [Int: Int] = [:]
    /// Prices that are not those of the catalogue.
    var prices = PriceBook()
    /// Who shares purchases with whom.
    var family = FamilySharing()
    /// The storefronts of accounts that moved, oldest first.
    private(set) var formerStorefronts: [LedgerIndex<Account>: [FormerStorefront]] = [:]
    /// How purchases come about, for accounts where they wait.
    var purchaseBehaviours: [LedgerIndex<Account>: PurchaseBehaviour] = [:]
    /// Purchases that wait or waited, oldest first.
    var pendingPurchases: [PendingPurchase] = []
    /// The years that subscribers pay month by month; the newest of each subscription.
    var commitments: [LedgerIndex<Subscription>: Commitment] = [:]
    /// The transactions that are a month of a commitment, with the commitment as it stood then.
    var committedMonths: [LedgerIndex<Transaction>: Commitment] = [:]
    /// What customers asked to be refunded; the last request of each transaction.
    var refundRequests: [LedgerIndex<Transaction>: RefundRequest] = [:]
    /// When a subscription's renewal date was extended, oldest first; of those that ever were.
    var extensionDates: [LedgerIndex<Subscription>: [Int64]] = [:]
    /// The transactions that the app or the developer's server finished.
    var finished: Set<LedgerIndex<Transaction>> = []
    /// The newest consumption information of the transactions that have any.
    var consumption: [LedgerIndex<Transaction>: ConsumptionInformation] = [:]
    var receipts = ReceiptLedger()
    /// The codes of offers, and who redeemed which.
    var offerCodes = OfferCodeLedger()
    /// Seats that were sold together.
    var seats = SeatLedger()
    /// Whose parents withdrew the consent to the use of the app.
    var rescindedConsents: Set<LedgerIndex<Account>> = []
    /// What was bought with Advanced Commerce.
    var advancedCommerce = AdvancedCommerceLedger()
    /// The e-mails of customers who got any, oldest first.
    var mail: [LedgerIndex<Account>: [CustomerMail]] = [:]
    /// What happened to subscriptions beside the sale of periods.
    var journal = SubscriptionJournal()

    subscript(index: LedgerIndex<Account>) -> Account {
        get { accountTable.records[index.offset] }
        _modify { yield &accountTable.records[index.offset] }
    }

    subscript(index: LedgerIndex<Subscription>) -> Subscription {
        get { subscriptions[index.offset] }
        _modify { yield &subscriptions[index.offset] }
    }

    subscript(index: LedgerIndex<Transaction>) -> Transaction {
        get { transactions[index.offset] }
        _modify { yield &transactions[index.offset] }
    }

    /// Every account, in the order of their making.
    var accounts: RecordList<Account> { accountTable.records }

    func account(id: String) -> LedgerIndex<Account>? { accountTable.positions[id] }

    func account(appTransactionId: String) -> LedgerIndex<Account>? {
        StoreIdentifier.position(ofAppTransaction: appTransactionId, among: accounts.count).map(
            LedgerIndex.init(offset:)
        )
    }

    func transaction(id: String) -> LedgerIndex<Transaction>? {
        StoreIdentifier.position(ofTransaction: id, among: transactions.count).map(LedgerIndex.init(offset:))
    }

    /// The subscription that began with a transaction.
    func subscription(originalTransactionId: String) -> LedgerIndex<Subscription>? {
        guard let first = transaction(id: originalTransactionId), self[first].original == first else { return nil }
        return self[first].subscription
    }

    /// The subscription that the account itself bought in a group, in whatever state.
    func subscription(of account: LedgerIndex<Account>, inGroup groupId: String) -> LedgerIndex<Subscription>? {
        self[account].subscriptions.first {
            self[$0].groupId == groupId && family.source(of: $0) == nil && !advancedCommerce.hasMoved($0)
        }
    }

    /// Makes room for the names of so many more accounts.
    mutating func reserve(accounts count: Int) {
        accountTable.reserve(count)
    }

    /// The index that the next account gets.
    var nextAccount: LedgerIndex<Account> { LedgerIndex(offset: accounts.count) }

    mutating func append(_ account: Account) { accountTable.append(account) }

    /// The index that the next subscription gets, so that its first transaction can name it.
    var nextSubscription: LedgerIndex<Subscription> { LedgerIndex(offset: subscriptions.count) }

    mutating func append(_ subscription: Subscription) {
        self[subscription.account].subscriptions.append(nextSubscription)
        subscriptions.append(subscription)
    }

    /// The index that the next transaction gets.
    var nextTransaction: LedgerIndex<Transaction> { LedgerIndex(offset: transactions.count) }

    mutating func append(_ transaction: Transaction) {
        self[transaction.account].transactions.append(transaction.index)
        transactions.append(transaction)
        noteModification(of: transaction.index)
    }

    /// Refunds a transaction.
    mutating func revoke(_ index: LedgerIndex<Transaction>, _ revocation: Transaction.Revocation) {
        self[index].revocation = revocation
        noteModification(of: index)
    }

    /// Gives an account another storefront for what comes next.
    mutating func move(_ account: LedgerIndex<Account>, to storefront: Storefront) {
        let former = FormerStorefront(storefront: self[account].storefront, end: nextTransaction)
        formerStorefronts[account, default: []].append(former)
        self[account].storefront = storefront
    }

    /// Takes back the refund of a transaction.
    mutating func reinstate(_ index: LedgerIndex<Transaction>) {
        self[index].revocation = nil
        noteModification(of: index)
    }

    /// The request for a refund of a transaction that nobody has decided yet.
    func openRefundRequest(of index: LedgerIndex<Transaction>) -> RefundRequest? {
        guard let request = refundRequests[index], request.outcome == .open else { return nil }
        return request
    }

    /// Cuts a transaction short in favour of a higher plan.
    mutating func upgrade(_ index: LedgerIndex<Transaction>, _ upgrade: Upgrade) {
        self[index].isUpgraded = true
        upgrades[index] = upgrade
        noteModification(of: index)
    }

    /// The offer that begins at a renewal to come; at most one.
    func pendingOffer(of index: LedgerIndex<Subscription>) -> PendingOffer? {
        pendingOffers.isEmpty ? nil : pendingOffers[index]
    }

    /// Sets the offer that begins at a renewal to come, in place of the one before, or takes it away.
    mutating func setPendingOffer(_ offer: PendingOffer?, of index: LedgerIndex<Subscription>) {
        if offer != nil || !pendingOffers.isEmpty { pendingOffers[index] = offer }
    }

    /// Remembers that a signature was redeemed.
    mutating func use(nonce: String) { usedNonces.insert(nonce) }

    /// Makes every subscription's next signature newer than those before.
    mutating func noteRenewalTermsChanged() {
        for offset in subscriptions.indices { subscriptions[offset].signatures.contentChanged() }
    }

    /// Takes it that everything was signed at an instant, since what was signed then is not known.
    mutating func assumeEverythingSigned(at now: Int64) {
        for offset in subscriptions.indices { subscriptions[offset].signatures.assumeUsed(at: now) }
        for offset in transactions.indices where transactions[offset].subscription == nil {
            transactions[offset].signatures.assumeUsed(at: now)
        }
    }

    /// Moves a transaction to the end of the history's order, since it has changed.
    mutating func noteModification(of index: LedgerIndex<Transaction>) {
        modifications += 1
        self[index].modification = modifications
    }
}
