import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities

/// Signed notifications about the renewals of many subscriptions, month by month.
struct RenewalSamples {
    /// The signing authority.
    let authority: TestAuthority
    /// The app of the samples.
    let app = AppIdentity(bundleId: "com.example.perennial", appAppleId: 1_234_567_890, environment: .production)

    init() throws { authority = try TestAuthority() }

    /// The notification about a month of a subscription, with its transaction, renewal record and status.
    func notification(of subscription: Int, month: Int) throws -> [UInt8] {
        let number = Int64(subscription) * 1_000 + Int64(month)
        let start = SignedSamples.signedDate + Int64(month) * SignedSamples.month
        let original = "\(2_000_000_000_000_000 + Int64(subscription) * 1_000)"
        var transaction = SignedSamples.transaction(number, app)
        transaction.transactionId = "\(2_000_000_000_000_000 + number)"
        transaction.originalTransactionId = original
        transaction.purchaseDate = start
        transaction.expiresDate = start + SignedSamples.month
        transaction.signedDate = start
        transaction.appAccountToken = Self.uuid(Int64(subscription))
        var renewal = SignedSamples.renewalInfo(number, app)
        renewal.originalTransactionId = original
        renewal.renewalDate = start + SignedSamples.month
        renewal.signedDate = start
        renewal.appAccountToken = transaction.appAccountToken
        var notification = SignedSamples.notification(
            number,
            app,
            transaction: try authority.signer.sign(payload: transaction.jsonBytes),
            renewal: try authority.signer.sign(payload: renewal.jsonBytes)
        )
        notification.notificationUUID = Self.uuid(number)
        notification.signedDate = start
        return Array(try authority.signer.sign(payload: notification.jsonBytes).utf8)
    }

    private static func uuid(_ number: Int64) -> String {
        let digits = "\(number)"
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }
}
