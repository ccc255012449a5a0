import AppStoreModel

extension LocalAppStore {
    /// Gives a member access to a purchaser's active, shareable subscription.
    mutating func share(_ subscription: LedgerIndex<Subscription>, with member: LedgerIndex<Account>) {
        guard ledger.family.source(of: subscription) == nil, givesAccess(subscription), isFamilyShareable(subscription)
        else { return }
        giveCopy(of: subscription, to: member)
    }

    /// Creates a member's subscription that follows the purchaser's, and returns the transaction of its running period.
    @discardableResult
    mutating func giveCopy(
        of subscription: LedgerIndex<Subscription>,
        to member: LedgerIndex<Account>
    ) -> LedgerIndex<Transaction> {
        guard let copy = ledger.family.copy(of: subscription, for: member) else {
            let transaction = beginCopy(of: subscription, for: member)
            announce(.subscribed, .initialBuy, transaction: transaction)
            giveNextPeriod(of: subscription, to: member)
            return transaction
        }
        if ledger[copy].isLive {
            repeatInFamily(.subscribed, .resubscribe, of: subscription, in: copy)
            return ledger[copy].latest
        }
        let gap = now - ledger[ledger[copy].latest].coverageEnd
        note(.shared, of: copy)
        let period = runningBeforeNext(of: subscription) ?? ledger[subscription].latest
        let transaction = addPeriod(period, of: subscription, to: copy, reason: .purchase)
        if gap > runGapMax { ledger[copy].recentStart = ledger[transaction].purchaseDate }
        follow(subscription, in: copy)
        announce(.subscribed, .resubscribe, transaction: transaction)
        giveNextPeriod(of: subscription, to: member)
        return transaction
    }

    /// Gives a new member the next period too, if it was charged before its start.
    private mutating func giveNextPeriod(of subscription: LedgerIndex<Subscription>, to member: LedgerIndex<Account>) {
        guard let copy = ledger.family.copy(of: subscription, for: member),
            ledger.family.source(of: copy)?.period != ledger[subscription].latest
        else { return }
        repeatInFamily(.didRenew, nil, of: subscription, in: copy)
    }

    /// Removes a purchaser's subscription from a member.
    mutating func revoke(_ copy: LedgerIndex<Subscription>, reason: RevocationReason) {
        guard ledger[copy].isLive else { return }
        let periods = currentPeriods(of: copy)
        for period in periods { ledger.revoke(period, withdrawal(of: period, reason)) }
        apply(SubscriptionMachine.end(as: .revoked), to: copy)
        for period in periods { announce(.revoke, transaction: period) }
    }

    /// Whether a member has a next period that the purchaser does not have any more.
    func hasLostNextPeriod(_ copy: LedgerIndex<Subscription>, of subscription: LedgerIndex<Subscription>) -> Bool {
        let (own, source) = (ledger[ledger[copy].latest], ledger[ledger[subscription].latest])
        return ledger[copy].isLive && own.purchaseDate > max(now, source.purchaseDate)
    }

    /// Whether the purchaser has a next period again that a member does not have.
    func lacksNextPeriod(_ copy: LedgerIndex<Subscription>, of subscription: LedgerIndex<Subscription>) -> Bool {
        let (own, source) = (ledger[ledger[copy].latest], ledger[ledger[subscription].latest])
        return ledger[copy].isLive && source.purchaseDate > max(now, own.purchaseDate)
    }

    /// Removes the next period from a member, who keeps the running one.
    mutating func revokeNextPeriod(
        of subscription: LedgerIndex<Subscription>,
        in copy: LedgerIndex<Subscription>,
        reason: RevocationReason
    ) {
        guard let running = runningBeforeNext(of: copy) else { return revoke(copy, reason: reason) }
        let next = ledger[copy].latest
        ledger.revoke(next, withdrawal(of: next, reason))
        ledger[copy].latest = running
        let period = ledger[subscription].latest
        ledger.family.note(copy, of: subscription, period: period, for: ledger[copy].account)
        follow(subscription, in: copy)
        announce(.revoke, transaction: next)
    }

    /// Applies an event of the purchaser's subscription to a member's, and announces it.
    mutating func repeatInFamily(
        _ type: NotificationType,
        _ subtype: NotificationSubtype?,
        of subscription: LedgerIndex<Subscription>,
        in copy: LedgerIndex<Subscription>
    ) {
        guard let source = ledger.family.source(of: copy) else { return }
        let latest = ledger[subscription].latest
        if source.period != latest {
            guard ledger.seats.plans[subscription] != nil || isFamilyShareable(subscription) else {
                return revoke(copy, reason: .other)
            }
            if ledger[source.period].isUpgraded {
                for period in currentPeriods(of: copy) {
                    ledger[period].isUpgraded = true
                    ledger.noteModification(of: period)
                }
            }
            addPeriod(latest, of: subscription, to: copy, reason: ledger[latest].reason)
        } else if ledger[ledger[copy].latest].expiresDate != ledger[latest].expiresDate {
            ledger[ledger[copy].latest].expiresDate = ledger[latest].expiresDate
            ledger.noteModification(of: ledger[copy].latest)
        }
        follow(subscription, in: copy)
        // Members redeem no offers, so an offer appears to them as a plan change.
        let isRedemption = type == .offerRedeemed
        guard !isRedemption || subtype != nil else { return }
        announce(isRedemption ? .didChangeRenewalPref : type, subtype, transaction: ledger[copy].latest)
    }

    /// Whether Family Sharing applies to the subscription.
    private func isFamilyShareable(_ subscription: LedgerIndex<Subscription>) -> Bool {
        ledger.planKind(of: ledger[subscription].latest).isSharedInFamilies
            && catalog.products[ledger[subscription].productId]?.isFamilyShareable == true
    }

    func givesAccess(_ subscription: LedgerIndex<Subscription>) -> Bool {
        switch ledger[subscription].state {
        case .active, .gracePeriod: true
        case .billingRetry, .expired, .revoked: false
        }
    }

    /// Copies the state of the purchaser's subscription to a member's, which has no events of its own.
    private mutating func follow(_ subscription: LedgerIndex<Subscription>, in copy: LedgerIndex<Subscription>) {
        let source = ledger[subscription]
        ledger[copy].state = source.state
        ledger[copy].productId = source.productId
        ledger[copy].renewalProductId = nextProductId(of: source)
        ledger[copy].isAutoRenewOn = source.isAutoRenewOn
        ledger[copy].cycle = source.cycle
    }

    private mutating func beginCopy(
        of subscription: LedgerIndex<Subscription>,
        for member: LedgerIndex<Account>
    ) -> LedgerIndex<Transaction> {
        let source = ledger[subscription]
        let period = runningBeforeNext(of: subscription) ?? source.latest
        let bought = ledger[period]
        let transaction = ledger.nextTransaction
        let copy = ledger.nextSubscription
        ledger.append(familyCopy(of: bought, for: member, original: nil, subscription: copy, reason: .purchase))
        ledger.append(
            Subscription(
                original: transaction,
                account: member,
                groupId: source.groupId,
                originalPurchaseDate: ledger[transaction].originalPurchaseDate,
                productId: source.productId,
                renewalProductId: nextProductId(of: source),
                cycle: source.cycle,
                runningOffer: nil,
                latest: transaction,
                recentStart: bought.purchaseDate,
                appAccountToken: nil
            )
        )
        ledger.family.note(copy, of: subscription, period: period, for: member)
        note(.shared, of: copy)
        follow(subscription, in: copy)
        return transaction
    }

    @discardableResult
    private mutating func addPeriod(
        _ period: LedgerIndex<Transaction>,
        of subscription: LedgerIndex<Subscription>,
        to copy: LedgerIndex<Subscription>,
        reason: TransactionReason
    ) -> LedgerIndex<Transaction> {
        let transaction = ledger.nextTransaction
        let member = ledger[copy].account
        ledger.append(
            familyCopy(
                of: ledger[period],
                for: member,
                original: ledger[copy].original,
                subscription: copy,
                reason: reason
            )
        )
        ledger[copy].latest = transaction
        ledger.family.note(copy, of: subscription, period: period, for: member)
        return transaction
    }
}
