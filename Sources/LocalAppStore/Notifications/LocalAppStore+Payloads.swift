import AppStoreModel
import AppStoreSigning

extension LocalAppStore {
    /// Apple's identifier of the app in payloads: in production only.
    var publishedAppAppleId: Int64? {
        configuration.environment == .production ? configuration.appAppleId : nil
    }

    /// The payload of a transaction in its current state.
    func transactionPayload(
        of index: LedgerIndex<Transaction>,
        signedDate: Int64
    ) -> JWSTransactionDecodedPayload {
        let transaction = ledger[index]
        let account = ledger[transaction.account]
        let storefront = self.storefront(of: index)
        var payload = JWSTransactionDecodedPayload(
            transactionId: transaction.transactionId,
            originalTransactionId: transaction.originalTransactionId,
            bundleId: configuration.bundleId,
            productId: transaction.productId,
            purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: transaction.originalPurchaseDate,
            quantity: Int32(transaction.quantity),
            type: transaction.type,
            inAppOwnershipType: transaction.ownership,
            signedDate: signedDate,
            environment: configuration.environment
        )
        payload.webOrderLineItemId = transaction.webOrderLineItemId
        payload.subscriptionGroupIdentifier = transaction.groupId
        payload.expiresDate = transaction.expiresDate
        payload.appAccountToken = transaction.appAccountToken
        payload.storefront = storefront.country
        payload.storefrontId = storefront.id
        payload.transactionReason = transaction.reason
        payload.price = transaction.price
        payload.currency = storefront.currency
        payload.appTransactionId = account.appTransactionId
        payload.isUpgraded = transaction.isUpgraded ? true : nil
        payload.offerType = transaction.offer?.type
        payload.offerIdentifier = transaction.offer?.identifier
        payload.offerDiscountType = transaction.offer?.discountType
        payload.offerPeriod = transaction.offer?.period?.iso8601
        payload.revocationDate = transaction.revocation?.date
        payload.revocationReason = transaction.revocation?.reason
        payload.revocationType = transaction.revocation?.type
        payload.revocationPercentage = transaction.revocation?.percentage
        describeCommitment(of: index, in: &payload)
        describeAdvancedCommerce(of: index, in: &payload)
        describeSeats(of: index, in: &payload)
        return payload
    }

    /// The renewal information of a subscription in its current state.
    func renewalPayload(
        of index: LedgerIndex<Subscription>,
        signedDate: Int64
    ) -> JWSRenewalInfoDecodedPayload {
        let subscription = ledger[index]
        let account = ledger[subscription.account]
        var payload = JWSRenewalInfoDecodedPayload(
            originalTransactionId: subscription.originalTransactionId,
            productId: subscription.productId,
            autoRenewProductId: nextProductId(of: subscription),
            autoRenewStatus: subscription.isAutoRenewOn ? .on : .off,
            signedDate: signedDate,
            environment: configuration.environment
        )
        payload.expirationIntent = subscription.expirationIntent
        payload.isInBillingRetryPeriod = billingRetryFlag(of: subscription)
        payload.gracePeriodExpiresDate = subscription.gracePeriodEnd
        payload.priceIncreaseStatus = priceIncreaseStatus(of: subscription)
        payload.recentSubscriptionStartDate = subscription.recentStart
        payload.renewalDate = ledger[subscription.latest].expiresDate
        payload.appTransactionId = account.appTransactionId
        payload.appAccountToken = subscription.appAccountToken
        let winBackOffers = eligibleWinBackOffers(of: index, at: signedDate)
        payload.eligibleWinBackOfferIds = winBackOffers.isEmpty ? nil : winBackOffers.map(\.offerId)
        if subscription.isAutoRenewOn, ledger[subscription.latest].ownership == .purchased,
            let product = catalog.products[subscription.renewalProductId]
        {
            let offer = upcomingOffer(of: index)?.offer
            let applied = offer.map(Transaction.AppliedOffer.init)
            payload.renewalPrice = offer?.terms.price ?? renewalPrice(of: product, for: subscription)
            payload.currency = account.storefront.currency
            payload.offerType = applied?.type
            payload.offerIdentifier = applied?.identifier
            payload.offerDiscountType = applied?.discountType
            payload.offerPeriod = applied?.period?.iso8601
        }
        describeCommitment(of: subscription, in: &payload)
        describeAdvancedCommerce(of: index, in: &payload)
        describeSeats(of: index, in: &payload)
        return payload
    }

    /// `true` during billing retry, `false` after an end, otherwise absent.
    private func billingRetryFlag(of subscription: Subscription) -> Bool? {
        switch subscription.state {
        case .gracePeriod, .billingRetry: true
        case .expired: false
        case .active, .revoked: nil
        }
    }

    /// The signing date for a transaction and its subscription's renewal information in their current state.
    mutating func signingDate(of index: LedgerIndex<Transaction>) -> Int64 {
        ledger.signatureDate(of: index, isNew: false, now: now)
    }

    /// The signing date for a subscription's newest transaction and renewal information in their current state.
    mutating func signingDate(of index: LedgerIndex<Subscription>) -> Int64 {
        let latest = ledger[index].latest
        return ledger.signatureDate(of: latest, isNew: false, now: now)
    }

    /// Signs a payload.
    ///
    /// - Throws: `signing_failed`.
    func sign(_ payload: [UInt8]) throws(StoreError) -> String { try signer.signed(payload) }
}
