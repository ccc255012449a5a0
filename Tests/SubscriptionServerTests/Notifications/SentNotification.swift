import AppStoreModel

/// A notification that Apple sends on a day, about a subscription that started on day 0 and renews every 30 days.
struct SentNotification: Sendable {
    var type: NotificationType
    var subtype: NotificationSubtype?
    var day: Int64
    var status: AppStoreModel.SubscriptionStatus?
    var transaction: JWSTransactionDecodedPayload?
    var renewal: JWSRenewalInfoDecodedPayload?
    /// Sets the content instead of `data`.
    var content: (@Sendable (ServerFixture, inout ResponseBodyV2DecodedPayload) throws -> Void)?

    init(
        _ type: NotificationType,
        _ subtype: NotificationSubtype? = nil,
        day: Int64,
        status: AppStoreModel.SubscriptionStatus? = nil,
        transaction: JWSTransactionDecodedPayload? = nil,
        renewal: JWSRenewalInfoDecodedPayload? = nil,
        content: (@Sendable (ServerFixture, inout ResponseBodyV2DecodedPayload) throws -> Void)? = nil
    ) {
        self.type = type
        self.subtype = subtype
        self.day = day
        self.status = status
        self.transaction = transaction
        self.renewal = renewal
        self.content = content
    }

    /// The renewal on day 30 failed, and Apple gives no grace period.
    static let failedRenewal = SentNotification(
        .didFailToRenew,
        day: 30,
        status: .billingRetry,
        transaction: Sample.period(0, signed: 30),
        renewal: Sample.renewal(signed: 30) { renewal in
            renewal.isInBillingRetryPeriod = true
            renewal.expirationIntent = .billingError
        }
    )

    /// The `signedPayload` as Apple posts it.
    func signed(at server: ServerFixture, number: Int) throws -> String {
        var payload = ResponseBodyV2DecodedPayload(
            notificationType: type,
            notificationUUID: "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1d\(1000 + number)",
            version: "2.0",
            signedDate: Sample.time(day),
            subtype: subtype
        )
        if let content {
            try content(server, &payload)
        } else {
            var data = NotificationData(bundleId: ServerFixture.bundle, environment: .production)
            data.appAppleId = ServerFixture.appleID
            data.status = status
            data.signedTransactionInfo = try transaction.map(server.apple.sign)
            data.signedRenewalInfo = try renewal.map(server.apple.sign)
            payload.data = data
        }
        return try server.apple.sign(payload)
    }
}
