import AppStoreModel

extension LocalAppStore {
    /// The longest account identifier, in bytes.
    private static let accountIdBytesMax = 128

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - storefront: Its country, ISO 3166-1 alpha-3; the default is that of the settings.
    ///   - accountId: Its identifier; the default is the next number.
    /// - Throws: `storefront_unknown`, `account_id_invalid`, `account_exists`.
    public mutating func createAccount(
        storefront: String? = nil,
        accountId: String? = nil
    ) throws(StoreError) -> AccountReport {
        let storefront = try Self.storefront(named: storefront ?? settings.defaultStorefront, path: "storefront")
        if let accountId { try checkAccountId(accountId) }
        return report(ledger[openAccount(in: storefront, accountId: accountId)])
    }

    /// Creates an account; the default identifier is the next number.
    mutating func openAccount(in storefront: Storefront, accountId: String? = nil) -> LedgerIndex<Account> {
        var id = accountId ?? identifiers.nextAccountId()
        while ledger.account(id: id) != nil { id = identifiers.nextAccountId() }
        let index = ledger.nextAccount
        ledger.append(Account(index: index, accountId: id, createdAt: now, storefront: storefront))
        return index
    }

    /// An account with all of its purchases.
    ///
    /// - Throws: `account_not_found`.
    public func account(_ accountId: String) throws(StoreError) -> AccountReport {
        report(ledger[try accountIndex(accountId)])
    }

    /// One page of the accounts, in the order of creation.
    ///
    /// - Parameters:
    ///   - cursor: The `nextCursor` of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of accounts, 1 to 1,000.
    /// - Throws: `cursor_invalid`, `limit_invalid`.
    public func accounts(after cursor: String? = nil, limit: Int = 100) throws(StoreError) -> AccountPage {
        let page = try ListPage(of: ledger.accounts.count, after: cursor, limit: limit)
        return AccountPage(accounts: ledger.accounts[page.range].map(report), nextCursor: page.nextCursor)
    }

    /// Sets whether the account's card can be charged. A card that works again pays pending retries at once.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - state: Whether charges succeed.
    ///   - recoversAfter: The attempt that charges each failed renewal although the card stays declined, from 1. If it
    ///     has passed, the next attempt charges the renewal. The default is that no attempt succeeds.
    /// - Throws: `account_not_found`, `recovers_after_invalid`, `signing_failed`.
    public mutating func setPayment(
        accountId: String,
        state: PaymentState,
        recoversAfter: Int? = nil
    ) throws(StoreError) {
        let index = try accountIndex(accountId)
        if let recoversAfter, state == .ok || !PaymentAttempts.numbers.contains(recoversAfter) {
            let numbers = PaymentAttempts.numbers
            let message =
                "recoversAfter is for a declined card, and is from \(numbers.lowerBound) to \(numbers.upperBound)."
            throw StoreError(.recoversAfterInvalid, message, path: "recoversAfter")
        }
        switch state {
        case .ok: fixPayment(of: index)
        case .declined: declinePayment(of: index, recoversAfter: recoversAfter)
        }
        try settle()
    }

    /// Makes the account's card chargeable.
    mutating func fixPayment(of account: LedgerIndex<Account>) {
        ledger[account].payment = .ok
        ledger[account].recoversAfter = nil
        chargeWhatIsRetried(of: account)
    }

    /// Makes charges of the account's card fail, except the given attempt after a failed renewal.
    mutating func declinePayment(of account: LedgerIndex<Account>, recoversAfter: Int? = nil) {
        let isUnchanged = ledger[account].recoversAfter == recoversAfter
        ledger[account].payment = .declined
        ledger[account].recoversAfter = recoversAfter
        guard !isUnchanged else { return }
        for subscription in retriedSubscriptions(of: account) {
            let actions = machine(of: subscription).attemptsChanged()
            apply(actions, to: subscription)
        }
    }

    /// Charges every renewal of the account in billing retry, because its card works now.
    mutating func chargeWhatIsRetried(of account: LedgerIndex<Account>) {
        for subscription in retriedSubscriptions(of: account) {
            let actions = machine(of: subscription).paymentFixed()
            apply(actions, to: subscription)
        }
    }

    /// The account's own subscriptions in billing retry.
    private func retriedSubscriptions(of account: LedgerIndex<Account>) -> [LedgerIndex<Subscription>] {
        ledger[account].subscriptions.filter {
            ledger[$0].isInBillingRetry && ledger.family.source(of: $0) == nil
        }
    }

    /// Whether a charge would succeed, with the card on file or with the card of the purchase.
    ///
    /// - Throws: `payment_declined`.
    func checkPayment(of account: LedgerIndex<Account>, fixesPayment: Bool) throws(StoreError) {
        guard fixesPayment || ledger[account].payment == .ok else {
            let message =
                """
                The account's card is declined; set its payment to \"ok\", or pay with another one \
                (\"fixesPayment\": true).
                """
            throw StoreError(.paymentDeclined, message)
        }
    }

    func accountIndex(_ accountId: String, path: String? = nil) throws(StoreError) -> LedgerIndex<Account> {
        if let index = ledger.account(id: accountId) { return index }
        let message = "There is no account \"\(accountId)\"; open it with POST /_store/accounts."
        throw StoreError(.accountNotFound, message, path: path)
    }

    private func checkAccountId(_ accountId: String) throws(StoreError) {
        let isPlain = accountId.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "/") }
        guard isPlain, (1...Self.accountIdBytesMax).contains(accountId.utf8.count) else {
            let message =
                "An account identifier is 1 to \(Self.accountIdBytesMax) visible ASCII characters without \"/\"."
            throw StoreError(.accountIdInvalid, message, path: "accountId")
        }
        guard ledger.account(id: accountId) == nil else {
            throw StoreError(.accountExists, "There is an account \"\(accountId)\" already.", path: "accountId")
        }
    }

    private func report(_ account: Account) -> AccountReport {
        AccountReport(
            accountId: account.accountId,
            storefront: account.storefront.country,
            appTransactionId: account.appTransactionId,
            payment: account.payment,
            recoversAfter: account.recoversAfter,
            purchaseBehaviour: ledger.purchaseBehaviours[account.index] ?? .immediate,
            familyMembers: ledger.family.members(of: account.index).map { ledger[$0].accountId },
            subscriptions: account.subscriptions.map { report(ledger[$0]) },
            transactions: account.transactions.map { report(ledger[$0]) }
        )
    }

    private func report(_ subscription: Subscription) -> SubscriptionReport {
        let latest = ledger[subscription.latest]
        return SubscriptionReport(
            originalTransactionId: subscription.originalTransactionId,
            subscriptionGroupIdentifier: subscription.groupId,
            productId: subscription.productId,
            autoRenewProductId: subscription.renewalProductId,
            autoRenewStatus: subscription.isAutoRenewOn ? .on : .off,
            status: subscription.status,
            originalPurchaseDate: subscription.originalPurchaseDate,
            purchaseDate: latest.purchaseDate,
            expiresDate: latest.expiresDate ?? latest.purchaseDate,
            gracePeriodExpiresDate: subscription.gracePeriodEnd,
            isInBillingRetryPeriod: subscription.isInBillingRetry,
            expirationIntent: subscription.expirationIntent,
            revocationDate: latest.revocation?.date,
            offerType: latest.offer?.type,
            offerDiscountType: latest.offer?.discountType,
            price: latest.price,
            currency: storefront(of: subscription.latest).currency,
            renewalPrice: announcedRenewalPrice(of: subscription),
            priceIncreaseStatus: priceIncreaseStatus(of: subscription),
            inAppOwnershipType: latest.ownership,
            appAccountToken: subscription.appAccountToken
        )
    }

    private func report(_ transaction: Transaction) -> TransactionReport {
        TransactionReport(
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            orderId: StoreIdentifier.order(of: transaction.index),
            productId: transaction.productId,
            type: transaction.type,
            purchaseDate: transaction.purchaseDate,
            expiresDate: transaction.expiresDate,
            price: transaction.price,
            currency: storefront(of: transaction.index).currency,
            quantity: transaction.quantity,
            revocationDate: transaction.revocation?.date,
            offerType: transaction.offer?.type,
            offerDiscountType: transaction.offer?.discountType,
            transactionReason: transaction.reason,
            isUpgraded: transaction.isUpgraded,
            proratedRefund: ledger.upgrades[transaction.index]?.refund
        )
    }
}
