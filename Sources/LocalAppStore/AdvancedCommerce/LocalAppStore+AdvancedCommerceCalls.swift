public import AppStoreModel

extension LocalAppStore {
    /// Turns off the renewal of a subscription; access continues until its period ends.
    ///
    /// - Source: Advanced Commerce API, Cancel a Subscription.
    /// - Throws: One of `AppStoreServerCall.cancelSubscription.errors`.
    public mutating func cancelAdvancedCommerceSubscription(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionCancelResponse {
        let request = try AdvancedCommerceSubscriptionCancelRequest(body, about: transactionId)
        let caller = AdvancedCommerceCaller(request)
        let index = try advancedCommerceSubscription(of: transactionId, for: caller)
        guard ledger[index].isLive else { throw .inactiveACASub }
        noteAdvancedCommerceChange(of: index, by: caller)
        setAutoRenew(of: index, enabled: false)
        let (transaction, renewal) = try signedAnswer(about: ledger[index].latest)
        return .init(signedTransactionInfo: transaction, signedRenewalInfo: renewal)
    }

    /// Changes the names and tax codes of a subscription and its items, not their prices.
    ///
    /// - Source: Advanced Commerce API, Change Subscription Metadata.
    /// - Throws: One of `AppStoreServerCall.changeSubscriptionMetadata.errors`.
    public mutating func changeAdvancedCommerceMetadata(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionChangeMetadataResponse {
        let change = try AdvancedCommerceSubscriptionChangeMetadataRequest(body, about: transactionId)
        let caller = AdvancedCommerceCaller(change)
        let index = try advancedCommerceSubscription(of: transactionId, for: caller)
        guard ledger[index].isLive, var terms = ledger.advancedCommerce.subscriptions[index] else {
            throw .inactiveACASub
        }
        try change.apply(to: &terms)
        let latest = ledger[index].latest
        ledger[termsOf: index] = terms
        if var info = ledger.advancedCommerce.purchases[latest], change.applyAtOnce(to: &info) {
            ledger[itemsOf: latest] = info
            ledger.noteModification(of: latest)
        }
        noteAdvancedCommerceChange(of: index, by: caller)
        announce(.metadataUpdate, transaction: latest)
        let (transaction, renewal) = try signedAnswer(about: latest)
        return .init(signedTransactionInfo: transaction, signedRenewalInfo: renewal)
    }

    /// The Advanced Commerce subscription of a request.
    func advancedCommerceSubscription(
        of transactionId: String,
        for caller: AdvancedCommerceCaller
    ) throws(AppStoreServerAPIError) -> LedgerIndex<Subscription> {
        let named = try namedTransaction(transactionId)
        try check(caller, for: ledger[named].account)
        guard let index = ledger[named].subscription else { throw .subscriptionDoesNotExist }
        guard let terms = ledger.advancedCommerce.subscriptions[index] else { throw .subscriptionNotEligible }
        if let token = caller.consistencyToken, token != terms.consistencyToken {
            throw .invalidConsistencyToken
        }
        return index
    }

    /// Announces the effects of a request, and signs a transaction and its subscription in their new state.
    mutating func signedAnswer(
        about index: LedgerIndex<Transaction>
    ) throws(AppStoreServerAPIError) -> (transaction: String, renewal: String?) {
        do { try settle() } catch { throw .generalInternal }
        let date = signingDate(of: index)
        let transaction = try signedForAnswer(transactionPayload(of: index, signedDate: date).jsonBytes)
        guard let subscription = ledger[index].subscription else { return (transaction, nil) }
        let renewal = try signedForAnswer(renewalPayload(of: subscription, signedDate: date).jsonBytes)
        return (transaction, renewal)
    }
}
