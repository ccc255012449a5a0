import AppStoreModel

extension LocalAppStore {
    /// Processes the due event of a subscription.
    mutating func timerElapsed(of index: LedgerIndex<Subscription>) {
        let actions = machine(of: index).timerElapsed()
        apply(actions, to: index)
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
            throw StoreError(.subscriptionNotActive, "The subscription has ended; only a new purchase starts it again.")
        }
        return index
    }

    /// Turns automatic renewal of a running subscription on or off.
    mutating func setAutoRenew(of index: LedgerIndex<Subscription>, enabled: Bool) {
        let actions = machine(of: index).setRenewal(enabled)
        apply(actions, to: index)
    }

    /// The subscription that started with a transaction.
    ///
    /// - Throws: `subscription_not_found`.
    func subscriptionIndex(_ originalTransactionId: String) throws(StoreError) -> LedgerIndex<Subscription> {
        guard let index = ledger.subscription(originalTransactionId: originalTransactionId) else {
            let message = "There is no subscription \"\(originalTransactionId)\"; give its originalTransactionId."
            throw StoreError(.subscriptionNotFound, message)
        }
        return index
    }
}
