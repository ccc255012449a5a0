import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

/// Signs payloads of Apple with a test root.
struct SignedApple: Sendable {
    let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    /// A subscription period. The defaults are an active purchase.
    static func period(
        id: String = "2000000000000001",
        original: String = "2000000000000001",
        bundle: String = ServerFixture.bundle,
        environment: AppStoreEnvironment = .production,
        token: String? = nil,
        signedAt: Int64 = ServerFixture.now
    ) -> JWSTransactionDecodedPayload {
        var payload = JWSTransactionDecodedPayload(
            transactionId: id,
            originalTransactionId: original,
            bundleId: bundle,
            productId: "pro.monthly",
            purchaseDate: ServerFixture.now - 1000,
            originalPurchaseDate: ServerFixture.now - 1000,
            quantity: 1,
            type: .autoRenewableSubscription,
            inAppOwnershipType: .purchased,
            signedDate: signedAt,
            environment: environment
        )
        payload.subscriptionGroupIdentifier = "21000001"
        payload.expiresDate = ServerFixture.now + 30 * 86_400_000
        payload.transactionReason = .purchase
        payload.price = 9990
        payload.currency = "USD"
        payload.storefront = "USA"
        payload.appAccountToken = token
        return payload
    }

    func sign(_ payload: some JSONRepresentable) throws -> String {
        try authority.signer.sign(payload: payload.jsonBytes)
    }

    /// A notification about a transaction.
    func notification(
        _ uuid: String = "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d2a10",
        type: NotificationType = .subscribed,
        transaction: JWSTransactionDecodedPayload = period(),
        appleID: Int64? = ServerFixture.appleID,
        signedAt: Int64 = ServerFixture.now
    ) throws -> String {
        var data = NotificationData(bundleId: transaction.bundleId, environment: transaction.environment)
        data.appAppleId = transaction.environment == .production ? appleID : nil
        data.status = .active
        data.signedTransactionInfo = try sign(transaction)
        let payload = ResponseBodyV2DecodedPayload(
            notificationType: type,
            notificationUUID: uuid,
            version: "2.0",
            signedDate: signedAt,
            data: data
        )
        return try sign(payload)
    }
}
