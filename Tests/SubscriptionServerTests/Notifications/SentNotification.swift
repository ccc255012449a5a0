import AppStoreModel

/// What Apple tells on a day of a subscription that began on day 0 and renews every 30 days.
struct Told: Sendable {
    static let original = "2000000000000001"
    static let day: Int64 = 86_400_000

    var type: NotificationType
    var subtype: NotificationSubtype?
    var day: Int64
    var status: AppStoreModel.SubscriptionStatus?
    var transaction: JWSTransactionDecodedPayload?
    var renewal: JWSRenewalInfoDecodedPayload?
    /// What stands in place of `data`.
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

    static func instant(_ day: Int64) -> Int64 { ServerFixture.now + day * Self.day }

    /// A period by its number; the first has the subscription's own identifier.
    static func period(
        _ number: Int64,
        signed day: Int64,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(id: "200000000000000\(number + 1)", signedAt: instant(day))
        payload.purchaseDate = instant(30 * number)
        payload.originalPurchaseDate = instant(0)
        payload.expiresDate = instant(30 * number + 30)
        payload.transactionReason = number == 0 ? .purchase : .renewal
        change(&payload)
        return payload
    }

    /// A purchase of its own.
    static func purchase(
        _ type: ProductType,
        signed day: Int64,
        _ change: (inout JWSTransactionDecodedPayload) -> Void = { _ in }
    ) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(
            id: "3000000000000001",
            original: "3000000000000001",
            signedAt: instant(day)
        )
        payload.type = type
        if type != .autoRenewableSubscription {
            payload.productId = "another.product"
            payload.subscriptionGroupIdentifier = nil
            payload.expiresDate = nil
        }
        change(&payload)
        return payload
    }

    static func renewal(
        signed day: Int64,
        end: Int64 = 30,
        _ change: (inout JWSRenewalInfoDecodedPayload) -> Void = { _ in }
    ) -> JWSRenewalInfoDecodedPayload {
        var payload = JWSRenewalInfoDecodedPayload(
            originalTransactionId: original,
            productId: "pro.monthly",
            autoRenewProductId: "pro.monthly",
            autoRenewStatus: .on,
            signedDate: instant(day),
            environment: .production
        )
        payload.renewalDate = instant(end)
        change(&payload)
        return payload
    }

    /// The renewal on day 30 failed, and Apple gives no grace period.
    static let failedRenewal = Told(
        .didFailToRenew,
        day: 30,
        status: .billingRetry,
        transaction: period(0, signed: 30),
        renewal: renewal(signed: 30) { renewal in
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
            signedDate: Self.instant(day),
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
