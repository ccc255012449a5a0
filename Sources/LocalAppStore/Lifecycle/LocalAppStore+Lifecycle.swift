import AppStoreModel

extension LocalAppStore {
    /// When a period is renewed: at its end, or earlier by the setting, or later by the profile.
    func renewalTime(ofPeriodFrom start: Int64, to end: Int64) -> Int64 {
        if configuration.profile == .late66Minutes { return end + 66 * Milliseconds.minute }
        return end - min(renewalLeadMilliseconds, max(0, end - start) / 4)
    }

    /// Schedules the renewal of the subscription's newest period.
    mutating func setRenewalTimer(of index: LedgerIndex<Subscription>) {
        let latest = ledger[ledger[index].latest]
        // If an argument is an expression that reads the store, Swift copies the whole store.
        let end = latest.expiresDate ?? now
        let time = renewalTime(ofPeriodFrom: latest.purchaseDate, to: end)
        setTimer(of: index, to: time)
    }

    /// How long a failed renewal is retried, milliseconds from the end of the period.
    var billingRetryLength: Int64 { pace?.billingRetry ?? 60 * Milliseconds.day }

    /// Schedules the next event of the subscription, and cancels the previous one.
    mutating func setTimer(of index: LedgerIndex<Subscription>, to time: Int64) {
        ledger[index].timer += 1
        schedule.push(.lifecycle(index, timer: ledger[index].timer), dueAt: time)
    }

    mutating func cancelTimer(of index: LedgerIndex<Subscription>) { ledger[index].timer += 1 }

    /// Processes the due event of a subscription.
    mutating func runLifecycleEvent(of index: LedgerIndex<Subscription>) {
        if makePaymentAttempt(of: index) { return }
        switch ledger[index].state {
        case .active:
            let end = ledger[ledger[index].latest].expiresDate ?? now
            if now < end, !canRenewEarly(index) { setTimer(of: index, to: end) } else { endPeriod(of: index) }
        case .gracePeriod(let ends): endGracePeriod(of: index, at: ends)
        case .billingRetry: expire(index, intent: .billingError, subtype: .billingRetry)
        case .expired, .revoked: break
        }
    }

    /// Whether a renewal before the end of the period succeeds. Months of a commitment are charged at their end.
    private func canRenewEarly(_ index: LedgerIndex<Subscription>) -> Bool {
        let subscription = ledger[index]
        return subscription.isAutoRenewOn && ledger[subscription.account].payment == .ok
            && catalog.products[subscription.renewalProductId]?.terms != nil && ledger.commitments[index] == nil
            && ledger.advancedCommerce.subscriptions[index] == nil && !lacksPriceConsent(subscription)
    }

    /// Turns automatic renewal on or off.
    ///
    /// Without a change, nothing happens. Turning it off during billing retry ends the subscription at once.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `subscription_not_active`, `signing_failed`.
    public mutating func setAutoRenew(originalTransactionId: String, enabled: Bool) throws(StoreError) {
        setAutoRenew(of: try liveSubscription(originalTransactionId), enabled: enabled)
        try settle()
    }

    /// A running subscription, for a call of its owner.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `subscription_not_active`.
    func liveSubscription(_ originalTransactionId: String) throws(StoreError) -> LedgerIndex<Subscription> {
        let index = try subscriptionIndex(originalTransactionId)
        guard ledger.family.source(of: index) == nil else {
            throw StoreError.boughtByAnother(ledger[ledger[index].latest].ownership)
        }
        guard ledger[index].isLive else {
            let message = "The subscription has ended; only a new purchase starts it again."
            throw StoreError(.subscriptionNotActive, kind: .conflict, message: message)
        }
        return index
    }

    /// Turns automatic renewal of an active subscription on or off.
    mutating func setAutoRenew(of index: LedgerIndex<Subscription>, enabled: Bool) {
        if let commitment = commitment(of: ledger[index]) {
            return setCommitmentRenewal(of: index, commitment, enabled: enabled)
        }
        guard ledger[index].isAutoRenewOn != enabled else { return }
        ledger[index].isAutoRenewOn = enabled
        note(enabled ? .renewalTurnedOn : .renewalTurnedOff, of: index)
        let wasInRetry = ledger[index].isInBillingRetry
        if case .gracePeriod = ledger[index].state { ledger.receipts.withdrawnRenewals[index] = ledger[index].latest }
        if wasInRetry { end(index, as: .expired(.customerCancelled)) }
        announce(
            .didChangeRenewalStatus,
            enabled ? .autoRenewEnabled : .autoRenewDisabled,
            transaction: ledger[index].latest
        )
        if wasInRetry { announce(.expired, .voluntary, transaction: ledger[index].latest) }
    }

    /// The subscription that started with a transaction.
    ///
    /// - Throws: `subscription_not_found`.
    func subscriptionIndex(_ originalTransactionId: String) throws(StoreError) -> LedgerIndex<Subscription> {
        guard let index = ledger.subscription(originalTransactionId: originalTransactionId) else {
            let message = "There is no subscription \"\(originalTransactionId)\"; give its originalTransactionId."
            throw StoreError(.subscriptionNotFound, kind: .notFound, message: message)
        }
        return index
    }

    /// Ends a subscription and announces it.
    mutating func expire(
        _ index: LedgerIndex<Subscription>,
        intent: ExpirationIntent,
        subtype: NotificationSubtype
    ) {
        end(index, as: .expired(intent))
        announce(.expired, subtype, transaction: ledger[index].latest)
    }

    /// Ends a subscription so that only a purchase can restart it.
    mutating func end(_ index: LedgerIndex<Subscription>, as state: Subscription.State) {
        note(.ended(state.finalIntent), of: index)
        ledger[index].state = state
        ledger[index].isAutoRenewOn = false
        ledger[index].runningOffer = nil
        ledger.setPendingOffer(nil, of: index)
        cancelTimer(of: index)
        // Members lose an ended subscription too; after a refund they lose their seats.
        releaseSeats(of: index, beyond: 0, withMembers: state == .revoked)
    }
}
