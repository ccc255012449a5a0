import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

/// Signed transactions and notifications with the fields and sizes of the App Store's.
struct SignedSamples {
    /// The signing authority.
    let root: TrustedRoot
    /// The app of the samples.
    let app = AppIdentity(bundleId: "com.example.perennial", appAppleId: 1_234_567_890, environment: .production)
    /// Compact JWS of transactions.
    let transactions: [[UInt8]]
    /// Compact JWS of notifications, each with a signed transaction and signed renewal information.
    let notifications: [[UInt8]]

    /// Signs samples of each kind.
    ///
    /// - Throws: `SigningError` if the test authority cannot sign.
    init(count: Int) throws {
        let authority = try TestAuthority()
        let signer = authority.signer
        root = authority.trustedRoot
        let app = app
        var transactions: [[UInt8]] = []
        var notifications: [[UInt8]] = []
        for number in 0..<Int64(count) {
            let transaction = try signer.sign(payload: Self.transaction(number, app).jsonBytes)
            let renewal = try signer.sign(payload: Self.renewalInfo(number, app).jsonBytes)
            let notification = Self.notification(number, app, transaction: transaction, renewal: renewal)
            transactions.append(Array(transaction.utf8))
            notifications.append(Array(try signer.sign(payload: notification.jsonBytes).utf8))
        }
        self.transactions = transactions
        self.notifications = notifications
    }

    /// The number of bytes that the signature check of a notification must hash if its header is known: those of the
    /// payload.
    var hashedNotificationBytes: Int {
        notifications[0].split(separator: UInt8(ascii: "."))[1].count
    }

    static let signedDate: Int64 = 1_790_000_000_000
    static let month: Int64 = 2_592_000_000
    private static let accountToken = "7e3fb204-2a0b-4dd5-9f1e-3f6b0f0f6a11"

    static func transaction(_ number: Int64, _ app: AppIdentity) -> JWSTransactionDecodedPayload {
        JWSTransactionDecodedPayload(
            transactionId: "\(2_000_000_000_000_101 + number)",
            originalTransactionId: "2000000000000001",
            bundleId: app.bundleId,
            productId: "pro.monthly",
            purchaseDate: signedDate - number,
            originalPurchaseDate: signedDate - 3 * month,
            quantity: 1,
            type: .autoRenewableSubscription,
            inAppOwnershipType: .purchased,
            signedDate: signedDate + number,
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

    static func renewalInfo(_ number: Int64, _ app: AppIdentity) -> JWSRenewalInfoDecodedPayload {
        JWSRenewalInfoDecodedPayload(
            originalTransactionId: "2000000000000001",
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: signedDate + number,
            environment: app.environment,
            recentSubscriptionStartDate: signedDate - 3 * month,
            renewalDate: signedDate + month,
            renewalPrice: 9990,
            currency: "USD",
            appTransactionId: "704289572311513293",
            appAccountToken: accountToken
        )
    }

    static func notification(
        _ number: Int64,
        _ app: AppIdentity,
        transaction: String,
        renewal: String
    ) -> ResponseBodyV2DecodedPayload {
        ResponseBodyV2DecodedPayload(
            notificationType: .didRenew,
            notificationUUID: "00000000-0000-4000-8000-\(100_000_000_000 + number)",
            version: "2.0",
            signedDate: signedDate + number,
            data: NotificationData(
                bundleId: app.bundleId,
                environment: app.environment,
                appAppleId: app.appAppleId,
                bundleVersion: "1",
                status: .active,
                signedTransactionInfo: transaction,
                signedRenewalInfo: renewal
            )
        )
    }
}
