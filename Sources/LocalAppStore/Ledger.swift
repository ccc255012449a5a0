/// All accounts, subscriptions and transactions of the store, with their indexes.
///
/// Records are never removed; an index stays valid for the lifetime of the ledger. A write to a transaction, a
/// subscription or another table that payloads read makes the next signature newer, so that two payloads with the same
/// date never differ.
struct Ledger: Sendable, Codable {
    /// The effect of an upgrade on the transaction that it replaced.
    struct Upgrade: Hashable, Sendable, Codable {
        let date: Int64
        /// The refund for the unused time, thousandths of the currency unit.
        let refund: Int64
    }

    private var accountTable = AccountTable()
    private(set) var subscriptions = RecordList<Subscription>()
    private(set) var transactions = RecordList<Transaction>()
    /// The transactions that an upgrade ended early.
    private(set) var upgrades: [LedgerIndex<Transaction>: Upgrade] = [:]
    /// The offers that start at a later renewal.
    private var pendingOffers: [LedgerIndex<Subscription>: PendingOffer] = [:]
    /// The nonces of redeemed signatures.
    private(set) var usedNonces: Set<String> = []
    private var modifications = 0
    /// Renewals since the purchase, in the accelerated sandbox only.
    var sandboxRenewals: [Int: Int] = [:]
    /// Prices that differ from the catalogue.
    var prices = PriceBook()
    /// The Family Sharing groups.
    var family = FamilySharing()
    /// The previous storefronts of accounts that moved, oldest first.
    private(set) var formerStorefronts: [LedgerIndex<Account>: [FormerStorefront]] = [:]
    /// How purchases are approved, for accounts that need approval.
    var purchaseBehaviours: [LedgerIndex<Account>: PurchaseBehaviour] = [:]
    /// Purchases that wait or waited for approval, oldest first.
    var pendingPurchases: [PendingPurchase] = []
    /// The monthly commitments; the newest of each subscription.
    private(set) var commitments: [LedgerIndex<Subscription>: Commitment] = [:]
    /// The transactions that cover a month of a commitment, with its state at that time.
    private(set) var committedMonths: [LedgerIndex<Transaction>: Commitment] = [:]
    /// The plans of refunded periods, except standard ones; `nil` before the first, as in files of earlier versions.
    private(set) var refundedPlans: [LedgerIndex<Transaction>: RefundedPlan]?
    /// The refund requests of customers; the last one of each transaction.
    var refundRequests: [LedgerIndex<Transaction>: RefundRequest] = [:]
    /// The dates of renewal extensions by subscription, oldest first.
    var extensionDates: [LedgerIndex<Subscription>: [Int64]] = [:]
    /// The transactions that the app or the developer's server has finished.
    var finished: Set<LedgerIndex<Transaction>> = []
    /// The newest consumption information of each transaction.
    var consumption: [LedgerIndex<Transaction>: ConsumptionInformation] = [:]
    var receipts = ReceiptLedger()
    /// The offer codes and their redemptions.
    var offerCodes = OfferCodeLedger()
    /// Seats that were sold together.
    var seats = SeatLedger()
    /// The accounts whose parents withdrew consent.
    var rescindedConsents: Set<LedgerIndex<Account>> = []
    /// The Advanced Commerce purchases.
    var advancedCommerce = AdvancedCommerceLedger()
    /// The e-mails of customers, oldest first.
    var mail: [LedgerIndex<Account>: [CustomerMail]] = [:]
    /// The subscription events other than the sale of periods.
    var journal = SubscriptionJournal()

    subscript(index: LedgerIndex<Account>) -> Account {
        get { accountTable.records[index.offset] }
        _modify { yield &accountTable.records[index.offset] }
    }

    subscript(index: LedgerIndex<Subscription>) -> Subscription {
        get { subscriptions[index.offset] }
        _modify {
            yield &subscriptions[index.offset]
            subscriptions[index.offset].signatures.contentChanged()
        }
    }

    subscript(index: LedgerIndex<Transaction>) -> Transaction {
        get { transactions[index.offset] }
        _modify {
            yield &transactions[index.offset]
            contentChanged(of: index)
        }
    }

    /// All accounts, in the order of creation.
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

    /// The subscription that started with a transaction.
    func subscription(originalTransactionId: String) -> LedgerIndex<Subscription>? {
        guard let first = transaction(id: originalTransactionId), self[first].original == first else { return nil }
        return self[first].subscription
    }

    /// The subscription that the account itself bought in a group, in any state.
    func subscription(of account: LedgerIndex<Account>, inGroup groupId: String) -> LedgerIndex<Subscription>? {
        self[account].subscriptions.first {
            self[$0].groupId == groupId && family.source(of: $0) == nil && !advancedCommerce.hasMoved($0)
        }
    }

    /// Reserves space for the identifiers of more accounts.
    mutating func reserve(accounts count: Int) {
        accountTable.reserve(count)
    }

    /// The index of the next account.
    var nextAccount: LedgerIndex<Account> { LedgerIndex(offset: accounts.count) }

    mutating func append(_ account: Account) { accountTable.append(account) }

    /// The index of the next subscription, so that its first transaction can refer to it.
    var nextSubscription: LedgerIndex<Subscription> { LedgerIndex(offset: subscriptions.count) }

    mutating func append(_ subscription: Subscription) {
        self[subscription.account].subscriptions.append(nextSubscription)
        subscriptions.append(subscription)
    }

    /// The index of the next transaction.
    var nextTransaction: LedgerIndex<Transaction> { LedgerIndex(offset: transactions.count) }

    mutating func append(_ transaction: Transaction) {
        self[transaction.account].transactions.append(transaction.index)
        transactions.append(transaction)
        noteModification(of: transaction.index)
    }

    /// Revokes a transaction: a refund, or the end of Family Sharing or of a seat.
    mutating func revoke(_ index: LedgerIndex<Transaction>, _ revocation: Transaction.Revocation) {
        if self[index].expiresDate ?? .min > revocation.date { keepPlan(of: index) }
        self[index].revocation = revocation
        noteModification(of: index)
    }

    /// Changes the storefront of an account for future purchases.
    mutating func move(_ account: LedgerIndex<Account>, to storefront: Storefront) {
        let former = FormerStorefront(storefront: self[account].storefront, end: nextTransaction)
        formerStorefronts[account, default: []].append(former)
        self[account].storefront = storefront
        for subscription in self[account].subscriptions { contentChanged(of: subscription) }
    }

    /// Reverses the refund of a transaction.
    mutating func reinstate(_ index: LedgerIndex<Transaction>) {
        self[index].revocation = nil
        noteModification(of: index)
    }

    /// Keeps the plan of a period that is refunded, for a reversal after another purchase.
    private mutating func keepPlan(of period: LedgerIndex<Transaction>) {
        let kind = planKind(of: period)
        guard kind != .standard, let index = self[period].subscription, kind == planKind(of: self[index].latest) else {
            return
        }
        let plan = refundedPlan(of: index)
        if refundedPlans == nil { refundedPlans = [:] }
        refundedPlans?[period] = plan
    }

    /// The pending refund request of a transaction.
    func openRefundRequest(of index: LedgerIndex<Transaction>) -> RefundRequest? {
        guard let request = refundRequests[index], request.outcome == .open else { return nil }
        return request
    }

    /// Ends a transaction early because of an upgrade.
    mutating func upgrade(_ index: LedgerIndex<Transaction>, _ upgrade: Upgrade) {
        self[index].isUpgraded = true
        upgrades[index] = upgrade
        noteModification(of: index)
    }

    /// What a refund at a time can pay back: the price without what an upgrade has paid back; thousandths of the
    /// currency unit.
    func refundableAmount(of index: LedgerIndex<Transaction>, at time: Int64) -> Int64 {
        guard let upgrade = upgrades[index], upgrade.date <= time else { return self[index].price }
        return max(0, self[index].price - upgrade.refund)
    }

    /// The offer that starts at a later renewal; at most one.
    func pendingOffer(of index: LedgerIndex<Subscription>) -> PendingOffer? {
        pendingOffers.isEmpty ? nil : pendingOffers[index]
    }

    /// Sets, replaces or removes the offer that starts at a later renewal.
    mutating func setPendingOffer(_ offer: PendingOffer?, of index: LedgerIndex<Subscription>) {
        guard offer != nil || !pendingOffers.isEmpty else { return }
        pendingOffers[index] = offer
        contentChanged(of: index)
    }

    /// The monthly commitment of a subscription.
    subscript(commitmentOf index: LedgerIndex<Subscription>) -> Commitment? {
        get { commitments[index] }
        set {
            commitments[index] = newValue
            contentChanged(of: index)
        }
    }

    /// Sets the month of a commitment that a transaction covers; `nil` for one outside a commitment.
    mutating func note(
        _ commitment: Commitment?,
        of subscription: LedgerIndex<Subscription>,
        transaction: LedgerIndex<Transaction>
    ) {
        guard commitment != nil || commitments[subscription] != nil else { return }
        self[commitmentOf: subscription] = commitment
        committedMonths[transaction] = commitment
        contentChanged(of: transaction)
    }

    /// Records that a signature was redeemed.
    mutating func use(nonce: String) { usedNonces.insert(nonce) }

    /// The date of a signature of a transaction and its subscription.
    ///
    /// - Parameters:
    ///   - index: The transaction.
    ///   - isNew: Whether the content is announced now for the first time.
    ///   - now: Milliseconds since 1970.
    mutating func signatureDate(of index: LedgerIndex<Transaction>, isNew: Bool, now: Int64) -> Int64 {
        if isNew { contentChanged(of: index) }
        guard let subscription = self[index].subscription else {
            return transactions[index.offset].signatures.date(now: now)
        }
        return subscriptions[subscription.offset].signatures.date(now: now)
    }

    /// Makes the next signature of a transaction and its subscription newer than the previous ones.
    ///
    /// Every change of a record does it, and every change of a table beside the records that payloads read. The
    /// transaction may be the next one, which has no signature.
    mutating func contentChanged(of index: LedgerIndex<Transaction>) {
        guard index.offset < transactions.count else { return }
        if let subscription = self[index].subscription {
            subscriptions[subscription.offset].signatures.contentChanged()
        } else {
            transactions[index.offset].signatures.contentChanged()
        }
    }

    /// Makes the next signature of a subscription newer than the previous ones; it may be the next subscription.
    mutating func contentChanged(of index: LedgerIndex<Subscription>) {
        guard index.offset < subscriptions.count else { return }
        subscriptions[index.offset].signatures.contentChanged()
    }

    /// Makes the next signature of every subscription newer than the previous ones.
    mutating func noteRenewalTermsChanged() {
        for offset in subscriptions.indices { subscriptions[offset].signatures.contentChanged() }
    }

    /// The number of the next event of a subscription; events with earlier numbers are ignored.
    mutating func nextTimer(of index: LedgerIndex<Subscription>) -> Int {
        subscriptions[index.offset].timer += 1
        return subscriptions[index.offset].timer
    }

    /// Cancels the next event of a subscription.
    mutating func cancelTimer(of index: LedgerIndex<Subscription>) { subscriptions[index.offset].timer += 1 }

    /// Assumes that everything was signed at a time, because the actual signatures are unknown.
    mutating func assumeEverythingSigned(at now: Int64) {
        for offset in subscriptions.indices { subscriptions[offset].signatures.assumeUsed(at: now) }
        for offset in transactions.indices where transactions[offset].subscription == nil {
            transactions[offset].signatures.assumeUsed(at: now)
        }
    }

    /// Moves a transaction to the end of the history's order, because it has changed.
    mutating func noteModification(of index: LedgerIndex<Transaction>) {
        modifications += 1
        transactions[index.offset].modification = modifications
    }
}
