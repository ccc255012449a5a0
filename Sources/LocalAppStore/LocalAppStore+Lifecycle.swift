import AppStoreModel

extension LocalAppStore {
    /// How long before a period's end it is renewed, milliseconds.
    ///
    /// Apple tries within the last 24 hours and publishes no exact lead; here a renewal comes at the end itself, so
    /// that periods, events and clock steps coincide. Negative where a profile has renewals come late.
    var renewalLead: Int64 { configuration.profile == .late66Minutes ? -66 * Instant.minute : 0 }

    /// How long a failed renewal is tried again, milliseconds from the end of the period.
    var billingRetryLength: Int64 { pace?.billingRetry ?? 60 * Instant.day }

    /// Wakes the subscription at an instant, and no longer at the one set before.
    mutating func setTimer(of index: LedgerIndex<Subscription>, to time: Int64) {
        ledger[index].timer += 1
        schedule.push(.lifecycle(index, timer: ledger[index].timer), dueAt: time)
    }

    mutating func cancelTimer(of index: LedgerIndex<Subscription>) { ledger[index].timer += 1 }

    /// Lets happen what is due now in the life of a subscription.
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
    /// Nothing happens where it is so already. Turned off while a renewal is being retried, the subscription ends at
    /// once.
    ///
    /// - Throws: `subscription_not_found`, `family_shared`, `subscription_not_active`, `signing_failed`.
    public mutating func setAutoRenew(originalTransactionId: String, enabled: Bool) throws(StoreError) {
        setAutoRenew(of: try liveSubscription(originalTransactionId), enabled: enabled)
        try settle()
    }

    /// A subscription that goes on by itself, for a call of its owner.
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

    /// Turns automatic renewal of a subscription that is live on or off.
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

    /// The subscription that began with a transaction.
    ///
    /// - Throws: `subscription_not_found`.
    func subscriptionIndex(_ originalTransactionId: String) throws(StoreError) -> LedgerIndex<Subscription> {
        guard let index = ledger.subscription(originalTransactionId: originalTransactionId) else {
            let message = "There is no subscription \"\(originalTransactionId)\"; give its originalTransactionId."
            throw StoreError(.subscriptionNotFound, kind: .notFound, message: message)
        }
        return index
    }

    /// Ends a subscription and tells so.
    mutating func expire(
        _ index: LedgerIndex<Subscription>,
        intent: ExpirationIntent,
        subtype: NotificationSubtype
    ) {
        end(index, as: .expired(intent))
        announce(.expired, subtype, transaction: ledger[index].latest)
    }

    /// Brings a subscription into a state from which only a purchase leads back.
    mutating func end(_ index: LedgerIndex<Subscription>, as state: Subscription.State) {
        note(.ended(state.finalIntent), of: index)
        ledger[index].state = state
        ledger[index].isAutoRenewOn = false
        ledger[index].runningOffer = nil
        ledger.setPendingOffer(nil, of: index)
        cancelTimer(of: index)
        // The members of an ended subscription see it end with it; of a refunded one they lose their seats.
        releaseSeats(of: index, beyond: 0, withMembers: state == .revoked)
    }
}
