import AppStoreModel
import AppStoreSigning
import AppStoreTesting
import Testing

/// Examples of a user's unit tests of notifications.
@Suite struct `Notifications of the test kit` {
    private let kit: AppStoreTestKit

    init() throws {
        kit = try AppStoreTestKit()
    }

    @Test func `a notification takes one line, in the form of the App Store's POST`() throws {
        let posted = try kit.notification(.didRenew).body
        let signedPayload = try ResponseBodyV2(jsonBytes: posted).signedPayload
        let verified = try kit.verifier.verifyNotification(signedPayload).get()

        #expect(verified.payload.notificationType == .didRenew)
        #expect(verified.payload.data?.status == .active)
        #expect(verified.transaction?.transactionReason == .renewal)
        #expect(verified.renewalInfo?.autoRenewStatus == .on)
        #expect(verified.transaction?.originalTransactionId == verified.renewalInfo?.originalTransactionId)
    }

    @Test func `a sequence of events uses one customer's purchase`() throws {
        let bought = try kit.transaction(productId: "pro.yearly")
        let start = try kit.notification(.subscribed, .initialBuy, about: bought)
        kit.advance(by: .seconds(86_400))
        let cancelled = try kit.notification(.didChangeRenewalStatus, .autoRenewDisabled, about: bought)
        let end = try kit.notification(.expired, .voluntary, about: bought)

        for notification in [start, cancelled, end] {
            let verified = try kit.verifier.verifyNotification(notification.jws).get()
            #expect(verified.transaction?.transactionId == bought.payload.transactionId)
            #expect(verified.transaction == notification.transaction?.payload)
            #expect(verified.renewalInfo == notification.renewalInfo?.payload)
        }
        #expect(start.payload.data?.status == .active)
        #expect(cancelled.renewalInfo?.payload.autoRenewStatus == .off)
        #expect(cancelled.payload.data?.status == .active)
        #expect(end.payload.data?.status == .expired)
        #expect(end.renewalInfo?.payload.expirationIntent == .customerCancelled)
        #expect(end.payload.signedDate >= bought.payload.expiresDate ?? .max)
        #expect(start.payload.signedDate < cancelled.payload.signedDate)
        #expect(Set([start, cancelled, end].map(\.payload.notificationUUID)).count == 3)
    }

    @Test(arguments: [
        (
            NotificationType.didFailToRenew, NotificationSubtype?.none, SubscriptionStatus.billingRetry,
            ExpirationIntent.billingError
        ),
        (.didFailToRenew, .gracePeriod, .billingGracePeriod, .billingError),
        (.gracePeriodExpired, nil, .billingRetry, .billingError),
        (.expired, .voluntary, .expired, .customerCancelled),
        (.expired, .billingRetry, .expired, .billingError),
        (.expired, .priceIncrease, .expired, .priceIncreaseNotConsented),
        (.expired, .productNotForSale, .expired, .productUnavailable),
        (.expired, nil, .expired, .other),
    ])
    func `events that end a period have a status and a reason`(
        type: NotificationType,
        subtype: NotificationSubtype?,
        status: SubscriptionStatus,
        reason: ExpirationIntent
    ) throws {
        let notification = try kit.notification(type, subtype)
        let verified = try kit.verifier.verifyNotification(notification.jws).get()

        #expect(verified.payload.data?.status == status)
        #expect(verified.renewalInfo?.expirationIntent == reason)
        #expect(verified.renewalInfo?.isInBillingRetryPeriod == (type != .expired))
        #expect((verified.renewalInfo?.gracePeriodExpiresDate != nil) == (subtype == .gracePeriod))
        let expiresDate = try #require(verified.transaction?.expiresDate)
        #expect(expiresDate <= verified.payload.signedDate)
        #expect(verified.payload.signedDate >= kit.now)
    }

    @Test func `refunds revoke the transaction, and reversals restore it`() throws {
        let bought = try kit.transaction()
        let refund = try kit.notification(.refund, about: bought)
        #expect(refund.transaction?.payload.revocationDate == kit.now)
        #expect(refund.payload.data?.status == .revoked)
        let refunded = try #require(refund.transaction)
        let reversed = try kit.notification(.refundReversed, about: refunded)
        #expect(reversed.transaction?.payload.revocationDate == nil)
        #expect(reversed.payload.data?.status == .active)
        let revoke = try kit.notification(.revoke)
        #expect(revoke.transaction?.payload.inAppOwnershipType == .familyShared)
        #expect(revoke.transaction?.payload.revocationType == .familyRevoke)
    }

    @Test func `a purchase other than a subscription has neither status nor renewal information`() throws {
        let lifetime = try kit.notification(.oneTimeCharge)
        #expect(lifetime.transaction?.payload.type == .nonConsumable)
        #expect(lifetime.payload.data?.status == nil)
        #expect(lifetime.renewalInfo == nil)
        #expect(kit.verifier.verifyNotification(lifetime.jws).failure == nil)

        let request = try kit.notification(.consumptionRequest)
        #expect(request.transaction?.payload.type == .consumable)
        #expect(request.payload.data?.consumptionRequestReason == .unintendedPurchase)
    }

    @Test func `changes of plan and price show in the renewal information`() throws {
        let downgrade = try kit.notification(.didChangeRenewalPref, .downgrade)
        #expect(downgrade.renewalInfo?.payload.autoRenewProductId == "basic.monthly")
        #expect(downgrade.transaction?.payload.productId == "pro.monthly")
        let pending = try kit.notification(.priceIncrease, .pending)
        #expect(pending.renewalInfo?.payload.priceIncreaseStatus == .pending)
        let accepted = try kit.notification(.priceIncrease, .accepted)
        #expect(accepted.renewalInfo?.payload.priceIncreaseStatus == .accepted)
        let recovered = try kit.notification(.didRenew, .billingRecovery)
        #expect(recovered.renewalInfo?.payload.isInBillingRetryPeriod == false)
    }

    @Test func `each of the five objects is present for its types`() throws {
        #expect(try kit.notification(.test).payload.data?.signedTransactionInfo == nil)
        #expect(try kit.notification(.renewalExtension, .summary).payload.summary?.succeededCount == 1)
        #expect(try kit.notification(.renewalExtension, .failure).transaction != nil)
        let token = try kit.notification(.externalPurchaseToken, .unreported)
        #expect(token.payload.externalPurchaseToken?.externalPurchaseId.hasPrefix("SANDBOX") == true)
        let consent = try kit.notification(.rescindConsent)
        #expect(consent.payload.appData?.signedAppTransactionInfo == consent.appTransaction?.jws)
        #expect(consent.appTransaction != nil)
        #expect(try kit.notification(.unclaimSeats).payload.unclaimInfo?.unclaimSeatIds?.count == 1)
    }

    /// Every type alone, and every documented pair.
    private static let events: [(NotificationType, NotificationSubtype?)] =
        NotificationType.documented.map { ($0, nil) } + [
            (.subscribed, .initialBuy), (.subscribed, .resubscribe), (.didRenew, .billingRecovery),
            (.offerRedeemed, .upgrade), (.offerRedeemed, .downgrade), (.didChangeRenewalPref, .upgrade),
            (.didChangeRenewalPref, .downgrade), (.didChangeRenewalPref, .increaseQuantity),
            (.didChangeRenewalPref, .decreaseQuantity), (.didChangeRenewalStatus, .autoRenewDisabled),
            (.didChangeRenewalStatus, .autoRenewEnabled), (.didFailToRenew, .gracePeriod), (.expired, .voluntary),
            (.expired, .billingRetry), (.expired, .priceIncrease), (.expired, .productNotForSale),
            (.priceIncrease, .pending), (.priceIncrease, .accepted), (.refund, .seats), (.renewalExtension, .failure),
            (.renewalExtension, .summary), (.externalPurchaseToken, .created),
            (.externalPurchaseToken, .activeTokenReminder), (.externalPurchaseToken, .unreported),
        ]

    @Test(arguments: [AppStoreEnvironment.sandbox, .production])
    func `every documented event is accepted, in both environments`(environment: AppStoreEnvironment) throws {
        let app = AppIdentity(bundleId: "org.sample.notes", appAppleId: 42, environment: environment)
        let kit = try AppStoreTestKit(app: app)
        let verifier = kit.verifier
        for (type, subtype) in Self.events {
            let notification = try kit.notification(type, subtype)
            let verification = verifier.verifyNotification(notification.jws)
            #expect(verification.failure == nil, "\(type) \(String(describing: subtype))")
            #expect(verification.payload?.payload.subtype == subtype)
            let payload = notification.payload
            let objects: [Bool] = [
                payload.data != nil, payload.summary != nil, payload.externalPurchaseToken != nil,
                payload.appData != nil, payload.unclaimInfo != nil,
            ]
            #expect(objects.count { $0 } == 1)
        }
    }

    @Test func `every part of a notification can be changed before signing`() throws {
        let notification = try kit.notification(.didRenew) { draft in
            draft.notification.notificationUUID = "11111111-2222-3333-4444-555555555555"
            draft.notification.data?.bundleVersion = "512"
            draft.transaction?.productId = "pro.weekly"
            draft.renewalInfo = nil
        }
        let verified = try kit.verifier.verifyNotification(notification.jws).get()

        #expect(verified.payload.notificationUUID == "11111111-2222-3333-4444-555555555555")
        #expect(verified.payload.data?.bundleVersion == "512")
        #expect(verified.transaction?.productId == "pro.weekly")
        #expect(verified.renewalInfo == nil)
    }

    @Test func `an inner transaction of another app is refused`() throws {
        let notification = try kit.notification(.didRenew) { $0.transaction?.bundleId = "com.example.other" }

        #expect(kit.verifier.verifyNotification(notification.jws).failure?.code == .bundleIdMismatch)
    }

    @Test func `an unknown type is created like any other purchase's`() throws {
        let notification = try kit.notification(NotificationType(rawValue: "TOMORROW"))

        #expect(kit.verifier.verifyNotification(notification.jws).payload?.transaction != nil)
    }
}
