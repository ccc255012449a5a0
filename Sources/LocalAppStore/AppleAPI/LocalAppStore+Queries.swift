public import AppStoreModel

extension LocalAppStore {
    /// One transaction of any product, freshly signed.
    ///
    /// - Source: App Store Server API, Get Transaction Info.
    /// - Throws: One of `AppStoreServerCall.getTransactionInfo.errors`.
    public mutating func transactionInfo(
        transactionId: String
    ) throws(AppStoreServerAPIError) -> TransactionInfoResponse {
        let index = try namedTransaction(transactionId)
        return TransactionInfoResponse(signedTransactionInfo: try signedTransaction(index))
    }

    /// All subscriptions of a customer: status, newest transaction and renewal information.
    ///
    /// - Parameters:
    ///   - anyTransactionId: Any transaction of the customer, or the customer's app transaction.
    ///   - query: The filter.
    /// - Source: App Store Server API, Get All Subscription Statuses.
    /// - Throws: One of `AppStoreServerCall.getAllSubscriptionStatuses.errors`.
    public mutating func subscriptionStatuses(
        anyTransactionId: String,
        query: StatusQuery = StatusQuery()
    ) throws(AppStoreServerAPIError) -> StatusResponse {
        let account = try customer(of: anyTransactionId)
        var groups: [SubscriptionGroupIdentifierItem] = []
        for index in ledger[account].subscriptions {
            let subscription = ledger[index]
            guard query.statuses.isEmpty || query.statuses.contains(subscription.status) else { continue }
            let renewalInfo = renewalPayload(of: index, signedDate: signingDate(of: index))
            let item = LastTransactionsItem(
                originalTransactionId: subscription.originalTransactionId,
                status: subscription.status,
                signedTransactionInfo: try signedTransaction(subscription.latest),
                signedRenewalInfo: try signedForAnswer(renewalInfo.jsonBytes)
            )
            // A second subscription in a group comes from Family Sharing.
            let position = groups.firstIndex { $0.subscriptionGroupIdentifier == subscription.groupId }
            if let position {
                groups[position].lastTransactions.append(item)
            } else {
                groups.append(
                    SubscriptionGroupIdentifierItem(
                        subscriptionGroupIdentifier: subscription.groupId,
                        lastTransactions: [item]
                    )
                )
            }
        }
        return StatusResponse(
            environment: configuration.environment,
            bundleId: configuration.bundleId,
            data: groups,
            appAppleId: publishedAppAppleId
        )
    }

    /// The customer of an identifier.
    ///
    /// - Throws: 4000006, 4040010.
    func customer(of anyTransactionId: String) throws(AppStoreServerAPIError) -> LedgerIndex<Account> {
        try IdentifierForm.check(anyTransactionId, orThrow: .invalidTransactionId)
        if let transaction = ledger.transaction(id: anyTransactionId) { return ledger[transaction].account }
        guard let account = ledger.account(appTransactionId: anyTransactionId) else { throw .transactionIdNotFound }
        return account
    }

    /// The transaction with an identifier.
    ///
    /// - Throws: 4000006, 4000048; `unknown` if it does not exist.
    func namedTransaction(
        _ transactionId: String,
        unknown: AppStoreServerAPIError = .transactionIdNotFound
    ) throws(AppStoreServerAPIError) -> LedgerIndex<Transaction> {
        try IdentifierForm.check(transactionId, orThrow: .invalidTransactionId)
        guard let index = ledger.transaction(id: transactionId) else {
            throw ledger.account(appTransactionId: transactionId) != nil ? .appTransactionIdNotSupported : unknown
        }
        return index
    }

    /// A transaction in its current state, freshly signed.
    mutating func signedTransaction(
        _ index: LedgerIndex<Transaction>
    ) throws(AppStoreServerAPIError) -> String {
        let date = signingDate(of: index)
        return try signedForAnswer(transactionPayload(of: index, signedDate: date).jsonBytes)
    }

    /// Signs a payload for an answer.
    func signedForAnswer(_ payload: [UInt8]) throws(AppStoreServerAPIError) -> String {
        do { return try sign(payload) } catch { throw .generalInternal }
    }
}
