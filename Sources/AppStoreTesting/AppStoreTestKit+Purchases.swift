public import AppStoreModel
public import AppStoreSigning

extension AppStoreTestKit {
    /// A signed transaction of a purchase.
    ///
    /// The default is a subscription of 30 days for 9.99 US dollars, bought now. The closure can change all other
    /// fields before signing.
    ///
    /// - Parameters:
    ///   - productId: The product.
    ///   - type: Its type; only subscriptions have a group, a period and an end.
    ///   - purchaseDate: When it is bought, in milliseconds since 1970; the default is now.
    ///   - adjust: Changes any field.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func transaction(
        productId: String = "pro.monthly",
        type: ProductType = .autoRenewableSubscription,
        at purchaseDate: Int64? = nil,
        adjust: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) throws(SigningError) -> Minted<JWSTransactionDecodedPayload> {
        var payload = purchase(of: productId, type: type, at: purchaseDate ?? now)
        payload.signedDate = nextSignedDate(notBefore: payload.purchaseDate)
        adjust(&payload)
        return try sign(payload)
    }

    /// The signed transaction of the next period, with the same length.
    ///
    /// It starts at the end of the given one, and is signed then if that is later than now. An offer does not continue.
    ///
    /// - Parameters:
    ///   - previous: The transaction of a subscription.
    ///   - adjust: Changes any field.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func renewal(
        of previous: Minted<JWSTransactionDecodedPayload>,
        adjust: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) throws(SigningError) -> Minted<JWSTransactionDecodedPayload> {
        var payload = nextPeriod(after: previous.payload)
        payload.signedDate = nextSignedDate(notBefore: payload.purchaseDate)
        adjust(&payload)
        return try sign(payload)
    }

    /// The same transaction after a full refund, now.
    ///
    /// - Parameters:
    ///   - purchase: The transaction of any product.
    ///   - adjust: Changes any field.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func refund(
        of purchase: Minted<JWSTransactionDecodedPayload>,
        adjust: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) throws(SigningError) -> Minted<JWSTransactionDecodedPayload> {
        var payload = purchase.payload
        payload.revoke(.fullRefund, at: max(now, payload.purchaseDate))
        payload.signedDate = nextSignedDate(notBefore: payload.purchaseDate)
        adjust(&payload)
        return try sign(payload)
    }

    /// Signed renewal information of a subscription.
    ///
    /// By default it renews at the end of the period, with the same product and price.
    ///
    /// - Parameters:
    ///   - purchase: The latest transaction of the subscription; the default is a new purchase.
    ///   - adjust: Changes any field.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func renewalInfo(
        for purchase: Minted<JWSTransactionDecodedPayload>? = nil,
        adjust: (inout JWSRenewalInfoDecodedPayload) -> Void = { _ in }
    ) throws(SigningError) -> Minted<JWSRenewalInfoDecodedPayload> {
        let transaction =
            purchase?.payload ?? self.purchase(of: "pro.monthly", type: .autoRenewableSubscription, at: now)
        var payload = prospect(of: transaction)
        payload.signedDate = nextSignedDate(notBefore: transaction.purchaseDate)
        adjust(&payload)
        return try sign(payload)
    }

    /// A signed app transaction in the server's form: the app was downloaded half a year ago.
    ///
    /// - Parameter adjust: Changes any field.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func appTransaction(
        adjust: (inout JWSAppTransactionDecodedPayload) -> Void = { _ in }
    ) throws(SigningError) -> Minted<JWSAppTransactionDecodedPayload> {
        var payload = download()
        payload.receiptCreationDate = nextSignedDate()
        adjust(&payload)
        return try sign(payload)
    }

    /// A signed realtime request: a customer is about to cancel a subscription.
    ///
    /// - Parameters:
    ///   - purchase: A transaction of the subscription; the default is a new purchase.
    ///   - adjust: Changes any field.
    /// - Throws: `signing_failed` if the cryptographic library fails.
    public func realtimeRequest(
        about purchase: Minted<JWSTransactionDecodedPayload>? = nil,
        adjust: (inout DecodedRealtimeRequestBody) -> Void = { _ in }
    ) throws(SigningError) -> Minted<DecodedRealtimeRequestBody> {
        var payload = DecodedRealtimeRequestBody(
            originalTransactionId: purchase?.payload.originalTransactionId ?? nextTransactionId(),
            appAppleId: app.appAppleId ?? 0,
            productId: purchase?.payload.productId ?? "pro.monthly",
            userLocale: "en-US",
            requestIdentifier: nextUUID(),
            environment: app.environment,
            signedDate: nextSignedDate()
        )
        adjust(&payload)
        return try sign(payload)
    }
}

// MARK: - Payloads

extension AppStoreTestKit {
    /// A purchase that is signed when it is made.
    func purchase(
        of productId: String,
        type: ProductType,
        at purchaseDate: Int64
    ) -> JWSTransactionDecodedPayload {
        let transactionId = nextTransactionId()
        var payload = JWSTransactionDecodedPayload(
            transactionId: transactionId,
            originalTransactionId: transactionId,
            bundleId: app.bundleId,
            productId: productId,
            purchaseDate: purchaseDate,
            originalPurchaseDate: purchaseDate,
            quantity: 1,
            type: type,
            inAppOwnershipType: .purchased,
            signedDate: purchaseDate,
            environment: app.environment,
            storefront: "USA",
            storefrontId: "143441",
            transactionReason: .purchase,
            price: 9990,
            currency: "USD",
            appTransactionId: Self.appTransactionId
        )
        if type == .autoRenewableSubscription {
            payload.webOrderLineItemId = nextWebOrderLineItemId()
            payload.subscriptionGroupIdentifier = "21000001"
            payload.expiresDate = purchaseDate.adding(.defaultPeriod)
        }
        return payload
    }

    /// The period after a transaction's.
    func nextPeriod(after previous: JWSTransactionDecodedPayload) -> JWSTransactionDecodedPayload {
        let start = previous.expiresDate ?? previous.purchaseDate.adding(.defaultPeriod)
        var payload = previous
        payload.transactionId = nextTransactionId()
        payload.webOrderLineItemId = nextWebOrderLineItemId()
        payload.purchaseDate = start
        payload.expiresDate = start.adding(start.subtracting(previous.purchaseDate))
        payload.transactionReason = .renewal
        payload.signedDate = start
        payload.isUpgraded = nil
        payload.offerType = nil
        payload.offerIdentifier = nil
        payload.offerDiscountType = nil
        payload.offerPeriod = nil
        payload.unrevoke()
        return payload
    }

    /// The next period of a subscription after a transaction, without changes.
    func prospect(of transaction: JWSTransactionDecodedPayload) -> JWSRenewalInfoDecodedPayload {
        JWSRenewalInfoDecodedPayload(
            originalTransactionId: transaction.originalTransactionId,
            productId: transaction.productId,
            autoRenewProductId: transaction.productId,
            autoRenewStatus: .on,
            signedDate: transaction.signedDate,
            environment: transaction.environment,
            isInBillingRetryPeriod: false,
            recentSubscriptionStartDate: transaction.originalPurchaseDate,
            renewalDate: transaction.expiresDate,
            renewalPrice: transaction.price,
            currency: transaction.currency,
            appTransactionId: transaction.appTransactionId,
            appAccountToken: transaction.appAccountToken
        )
    }

    /// A download of the app.
    func download() -> JWSAppTransactionDecodedPayload {
        JWSAppTransactionDecodedPayload(
            bundleId: app.bundleId,
            originalApplicationVersion: "1.0",
            originalPurchaseDate: now.subtracting(6 * .defaultPeriod),
            receiptCreationDate: now,
            receiptType: app.environment,
            appAppleId: app.appAppleId,
            appTransactionId: Self.appTransactionId,
            originalPlatform: .iOS,
            storeType: .consumer
        )
    }

    /// The download of the kit's only customer.
    private static let appTransactionId = "704000000000000001"
}

extension JWSTransactionDecodedPayload {
    /// Revokes the purchase, unless it is already revoked.
    mutating func revoke(_ type: RevocationType, at date: Int64) {
        guard revocationDate == nil else { return }
        revocationDate = date
        revocationReason = .other
        revocationType = type
        revocationPercentage = type == .fullRefund ? 100_000 : nil
    }

    /// Reverses a revocation.
    mutating func unrevoke() {
        revocationDate = nil
        revocationReason = nil
        revocationType = nil
        revocationPercentage = nil
    }
}
