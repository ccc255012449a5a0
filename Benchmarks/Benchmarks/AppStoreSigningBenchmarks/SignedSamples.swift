import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

/// A signed transaction and a signed notification with the fields and sizes of the App Store's.
struct SignedSamples {
    let root: TrustedRoot
    let app = AppIdentity(bundleId: "com.example.perennial", appAppleId: 1_234_567_890, environment: .production)
    let transaction: [UInt8]
    let notification: [UInt8]

    init() throws {
        let authority = try TestAuthority()
        let signer = authority.signer
        root = authority.trustedRoot
        let signedTransaction = try signer.sign(payload: Self.transaction(app).jsonBytes)
        let signedRenewalInfo = try signer.sign(payload: Self.renewalInfo(app).jsonBytes)
        let envelope = ResponseBodyV2DecodedPayload(
            notificationType: .didRenew,
            notificationUUID: "c2f1f1de-3c0a-4b5e-9d61-5f0a6a9b7b11",
            version: "2.0",
            signedDate: Self.signedDate,
            data: NotificationData(
                bundleId: app.bundleId,
                environment: app.environment,
                appAppleId: app.appAppleId,
                bundleVersion: "1",
                status: .active,
                signedTransactionInfo: signedTransaction,
                signedRenewalInfo: signedRenewalInfo
            )
        )
        transaction = Array(signedTransaction.utf8)
        notification = Array(try signer.sign(payload: envelope.jsonBytes).utf8)
    }

    private static let signedDate: Int64 = 1_790_000_000_000
    private static let month: Int64 = 2_592_000_000
    private static let accountToken = "7e3fb204-2a0b-4dd5-9f1e-3f6b0f0f6a11"

    private static func transaction(_ app: AppIdentity) -> JWSTransactionDecodedPayload {
        JWSTransactionDecodedPayload(
            transactionId: "2000000000000101",
            originalTransactionId: "2000000000000001",
            bundleId: app.bundleId,
            productId: "pro.monthly",
            purchaseDate: signedDate,
            originalPurchaseDate: signedDate - 3 * month,
            quantity: 1,
            type: .autoRenewableSubscription,
            inAppOwnershipType: .purchased,
            signedDate: signedDate,
            environment: app.environment,
            webOrderLineItemId: "2000000000000201",
            subscriptionGroupIdentifier: "21000001",
            expiresDate: signedDate + month,
            appAccountToken: accountToken,
            storefront: "USA",
            storefrontId: "143441",
            transactionReason: .renewal,
            price: 9990,
            currency: "USD",
            appTransactionId: "704289572311513293"
        )
    }

    private static func renewalInfo(_ app: AppIdentity) -> JWSRenewalInfoDecodedPayload {
        JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: signedDate,
            environment: app.environment,
            recentSubscriptionStartDate: signedDate - 3 * month,
            renewalDate: signedDate + month,
            renewalPrice: 9990,
            currency: "USD",
            appTransactionId: "704289572311513293",
            appAccountToken: accountToken
        )
    }
}
