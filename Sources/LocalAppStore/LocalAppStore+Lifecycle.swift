import AppStoreModel

extension LocalAppStore {
    /// How long before the end of a period it is renewed, milliseconds.
    ///
    /// Apple renews within the last 24 hours and publishes no exact time. Here a renewal takes place at the end itself,
    /// so that periods, events and clock steps coincide. The value is negative for profiles with late renewals.
    var renewalLead: Int64 { configuration.profile == .late66Minutes ? -66 * Milliseconds.minute : 0 }

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
        switch ledger[index].state {
        case .active: endPeriod(of: index)
        case .gracePeriod(let ends): endGracePeriod(of: index, at: ends)
        case .billingRetry: expire(index, intent: .billingError, subtype: .billingRetry)
        case .expired, .revoked: break
        }
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
