import AppStoreModel

extension LocalAppStore {
    /// Carries out the steps of a subscription's lifecycle in their order.
    mutating func apply(_ actions: [LifecycleAction], to index: LedgerIndex<Subscription>) {
        for action in actions { apply(action, to: index) }
    }

    private mutating func apply(_ action: LifecycleAction, to index: LedgerIndex<Subscription>) {
        switch action {
        case .sell(let sale): sell(sale, to: index)
        case .replace(let old, let refund): ledger.upgrade(old, Ledger.Upgrade(date: now, refund: refund))
        case .retry(let state, let end):
            ledger[index].state = state
            setTimer(of: index, to: end)
        case .returnTo(let period): takeAsNewest(period, of: index)
        case .restore(let state):
            ledger[index].state = state
            if state == .active { setRenewalTimer(of: index) }
        case .setLatest(let transaction): ledger[index].latest = transaction
        case .moveEnd(let end): moveEnd(of: index, to: end)
        case .end(let state):
            ledger[index].state = state
            ledger[index].isAutoRenewOn = false
            ledger[index].runningOffer = nil
            ledger.setPendingOffer(nil, of: index)
            ledger.cancelTimer(of: index)
        case .wait(let time): setTimer(of: index, to: time)
        case .setRenewal(let isOn): ledger[index].isAutoRenewOn = isOn
        case .choose(let productId): ledger[index].renewalProductId = productId
        case .setOffer(let offer): ledger.setPendingOffer(offer, of: index)
        case .setToken(let token): ledger[index].appAccountToken = token
        case .setCommitmentRenewal(let isOn): ledger[commitmentOf: index]?.isRenewalOn = isOn
        case .leaveCommitment: ledger[commitmentOf: index] = nil
        case .restorePlan(let period): restorePlan(of: period, for: index)
        case .setItems(var terms):
            terms.consistencyToken = identifiers.nextUUID()
            ledger[termsOf: index] = terms
        case .forgetIncrease: ledger[priceOf: index] = nil
        case .postponeIncrease: scheduleAdvancedCommerceIncrease(of: index, isNew: false)
        case .releaseSeats(let count, let withMembers): releaseSeats(of: index, beyond: count, withMembers: withMembers)
        case .countSandboxRenewals(let count): ledger.sandboxRenewals[index.offset] = count
        case .record(let event): note(event, of: index)
        case .hidePendingRenewal: ledger.receipts.withdrawnRenewals[index] = ledger[index].latest
        case .announce(let type, let subtype): announce(type, subtype, transaction: ledger[index].latest)
        case .send(let kind): send(kind, about: index)
        }
    }

    /// Adds a period to a subscription, and makes it active until the end of the period.
    private mutating func sell(_ sale: PeriodSale, to index: LedgerIndex<Subscription>) {
        if sale.isChoice {
            ledger[index].isAutoRenewOn = true
            ledger[index].renewalProductId = sale.productId
        }
        let subscription = ledger[index]
        let transaction = ledger.nextTransaction
        let continuesService = continuesService(of: subscription, sale)
        let isFirst = subscription.original == transaction
        let hasSeats = ledger.seats.plans[index] != nil
        let keptPrice = isFirst ? nil : preservedPrice(of: index, for: sale.productId)
        ledger.append(
            Transaction(
                index: transaction,
                original: subscription.original,
                account: subscription.account,
                subscription: index,
                productId: sale.productId,
                groupId: subscription.groupId,
                type: .autoRenewableSubscription,
                purchaseDate: sale.start,
                originalPurchaseDate: subscription.originalPurchaseDate,
                expiresDate: sale.end,
                quantity: sale.quantity,
                appAccountToken: subscription.appAccountToken,
                offer: sale.offer,
                price: sale.price,
                reason: sale.reason,
                beginsPeriod: (hasSeats || sale.items != nil) && !sale.isAddition ? true : nil
            )
        )
        ledger.journal.noteCharge(of: transaction, startingAt: sale.start, at: saleDate)
        if let items = sale.items { ledger.noteSale(of: items, as: transaction, to: index) }
        if hasSeats { ledger[revokedSeatsOf: transaction] = 0 }
        ledger[index].state = .active
        ledger[index].productId = sale.productId
        ledger[index].latest = transaction
        ledger[index].cycle = sale.cycle
        ledger[index].runningOffer = sale.runningOffer
        if !continuesService { ledger[index].recentStart = sale.start }
        setRenewalTimer(of: index)
        ledger.note(sale.commitment, of: index, transaction: transaction)
        if !sale.isAddition { determinePrice(of: index, after: sale, keptPrice: keptPrice) }
    }

    /// Continues with another period than the newest sold one, in the same billing cycle.
    private mutating func takeAsNewest(_ period: LedgerIndex<Transaction>, of index: LedgerIndex<Subscription>) {
        let end = ledger[period].expiresDate ?? now
        ledger[index].latest = period
        ledger[index].productId = ledger[period].productId
        ledger[index].cycle = ledger[index].cycle.returning(toPeriodUntil: end)
    }

    /// Whether a period follows the earlier ones without a gap that counts.
    private func continuesService(of subscription: Subscription, _ sale: PeriodSale) -> Bool {
        guard !sale.isAddition, subscription.original != ledger.nextTransaction else { return true }
        let latest = ledger[subscription.latest]
        // Of a period with seats, some may be refunded while the others continue.
        let end = subscription.isLive ? latest.expiresDate ?? latest.purchaseDate : latest.coverageEnd
        return sale.start - end <= runGapMax
    }

    /// Moves the end of the current period and of every payment for it; renewals follow the new date.
    private mutating func moveEnd(of index: LedgerIndex<Subscription>, to end: Int64) {
        let latest = ledger[index].latest
        let length = end - (ledger[latest].expiresDate ?? end)
        for transaction in payments(forPeriodOf: index) {
            ledger[transaction].expiresDate = end
            ledger.noteModification(of: transaction)
        }
        if let commitment = ledger.commitments[index] {
            ledger.note(commitment.extended(by: length), of: index, transaction: latest)
        }
        ledger.extensionDates[index, default: []].append(now)
        ledger[index].cycle = Subscription.BillingCycle(anchor: end, period: ledger[index].cycle.period)
        setRenewalTimer(of: index)
        reviewPrice(of: index)
    }

    /// Schedules the renewal of the subscription's newest period.
    private mutating func setRenewalTimer(of index: LedgerIndex<Subscription>) {
        let latest = ledger[ledger[index].latest]
        // If an argument calls a function of the store, Swift copies the whole store.
        let end = latest.expiresDate ?? now
        let time = renewalTime(ofPeriodFrom: latest.purchaseDate, to: end)
        setTimer(of: index, to: time)
    }

    /// Schedules the next event of the subscription, and cancels the previous one.
    private mutating func setTimer(of index: LedgerIndex<Subscription>, to time: Int64) {
        let timer = ledger.nextTimer(of: index)
        schedule.push(.lifecycle(index, timer: timer), dueAt: time)
    }

    /// When a period is renewed: at its end, or earlier by the setting, or later by the profile.
    func renewalTime(ofPeriodFrom start: Int64, to end: Int64) -> Int64 {
        if configuration.profile == .late66Minutes { return end + 66 * Milliseconds.minute }
        return end - min(renewalLeadMilliseconds, max(0, end - start) / 4)
    }
}
