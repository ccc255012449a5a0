public import AppStoreModel

extension LocalAppStore {
    /// Turns off the renewal of a subscription; access continues until its period ends.
    ///
    /// - Source: Advanced Commerce API, Cancel a Subscription.
    /// - Throws: 4000006, 4000028, 4000033, 4000048, 4000079 to 4000082, 4000097, 4000133, 4000173, 4030008, 4030010,
    ///   4030015, 4040010.
    public mutating func cancelAdvancedCommerceSubscription(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionCancelResponse {
        let caller = try advancedCommerceCaller(transactionId, AdvancedCommerceReader(body))
        let index = try advancedCommerceSubscription(of: transactionId, for: caller)
        guard ledger[index].isLive else { throw .inactiveACASub }
        noteAdvancedCommerceChange(of: index, by: caller)
        setAutoRenew(of: index, enabled: false)
        let (transaction, renewal) = try settledAnswer(about: ledger[index].latest)
        return AdvancedCommerceSubscriptionCancelResponse(
            signedTransactionInfo: transaction,
            signedRenewalInfo: renewal
        )
    }

    /// Changes the names and tax codes of a subscription and its items, not their prices.
    ///
    /// - Source: Advanced Commerce API, Change Subscription Metadata.
    /// - Throws: As ``cancelAdvancedCommerceSubscription(transactionId:body:)``, and 4000087 to 4000089, 4000102,
    ///   4000111, 4000114, 4000115, 4000118, 4000119, 4000122, 4000127, 4000160, 4000165, 4000169, 4000194, 4000220.
    public mutating func changeAdvancedCommerceMetadata(
        transactionId: String,
        body: JSONObject
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceSubscriptionChangeMetadataResponse {
        let reader = AdvancedCommerceReader(body)
        let caller = try advancedCommerceCaller(transactionId, reader)
        let change = try AdvancedCommerceMetadataChange(reader)
        let index = try advancedCommerceSubscription(of: transactionId, for: caller)
        guard ledger[index].isLive, var terms = ledger.advancedCommerce.subscriptions[index] else {
            throw .inactiveACASub
        }
        try change.apply(to: &terms)
        let latest = ledger[index].latest
        ledger.advancedCommerce.subscriptions[index] = terms
        if var info = ledger.advancedCommerce.purchases[latest], change.applyAtOnce(to: &info) {
            ledger.advancedCommerce.purchases[latest] = info
            ledger.noteModification(of: latest)
        }
        noteAdvancedCommerceChange(of: index, by: caller)
        announce(.metadataUpdate, transaction: latest)
        let (transaction, renewal) = try settledAnswer(about: latest)
        return AdvancedCommerceSubscriptionChangeMetadataResponse(
            signedTransactionInfo: transaction,
            signedRenewalInfo: renewal
        )
    }

    /// The request info, after a check of the identifier in the path.
    func advancedCommerceCaller(
        _ transactionId: String,
        _ request: AdvancedCommerceReader
    ) throws(AppStoreServerAPIError) -> AdvancedCommerceCaller {
        try IdentifierForm.check(transactionId, orThrow: .invalidTransactionId)
        return try AdvancedCommerceCaller(request)
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
            throw .fault(.invalidConsistencyToken)
        }
        return index
    }

    /// Announces the effects of a request, and signs a transaction and its subscription in their new state.
    mutating func settledAnswer(
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
