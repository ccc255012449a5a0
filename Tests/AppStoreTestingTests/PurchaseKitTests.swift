import AppStoreModel
import AppStoreSigning
import AppStoreTesting
import Testing

/// Examples of a user's unit tests of purchases.
@Suite struct `Purchases of the test kit` {
    private let kit: AppStoreTestKit

    init() throws {
        kit = try AppStoreTestKit()
    }

    @Test func `a transaction takes one line, and the kit's verifier accepts it`() throws {
        let purchase = try kit.transaction(productId: "pro.yearly")
        let payload = try kit.verifier.verifyTransaction(purchase.jws).get()

        #expect(payload == purchase.payload)
        #expect(payload.productId == "pro.yearly")
        #expect(payload.bundleId == "com.example.app")
        #expect(payload.environment == .sandbox)
        #expect(payload.transactionId == payload.originalTransactionId)
        #expect(payload.purchaseDate == AppStoreTestKit.defaultTime)
        #expect(payload.expiresDate == AppStoreTestKit.defaultTime + 30 * 86_400_000)
        #expect(payload.transactionReason == .purchase)
    }

    @Test func `any field can be changed before signing`() throws {
        let purchase = try kit.transaction {
            $0.appAccountToken = "7a3e1f20-5b6c-4d8e-9f01-23456789abcd"
            $0.offerType = .introductory
            $0.offerDiscountType = .freeTrial
            $0.price = 0
        }
        let payload = try kit.verifier.verifyTransaction(purchase.jws).get()

        #expect(payload.appAccountToken == "7a3e1f20-5b6c-4d8e-9f01-23456789abcd")
        #expect(payload.offerDiscountType == .freeTrial)
        #expect(payload.price == 0)
    }

    @Test(arguments: [ProductType.nonConsumable, .consumable, .nonRenewingSubscription])
    func `only subscriptions have a group and an end`(type: ProductType) throws {
        let payload = try kit.transaction(productId: "lifetime", type: type).payload

        #expect(payload.type == type)
        #expect(payload.expiresDate == nil)
        #expect(payload.subscriptionGroupIdentifier == nil)
        #expect(payload.webOrderLineItemId == nil)
        #expect(try kit.transaction().payload.subscriptionGroupIdentifier != nil)
    }

    @Test func `a renewal begins where the last period ended`() throws {
        let first = try kit.transaction {
            $0.expiresDate = $0.purchaseDate + 7 * 86_400_000
            $0.offerType = .introductory
        }
        let second = try kit.renewal(of: first)
        let third = try kit.renewal(of: second)

        #expect(second.payload.purchaseDate == first.payload.expiresDate)
        #expect(third.payload.purchaseDate == second.payload.expiresDate)
        #expect(third.payload.expiresDate == AppStoreTestKit.defaultTime + 21 * 86_400_000)
        #expect(second.payload.transactionReason == .renewal)
        #expect(second.payload.offerType == nil)
        #expect(Set([first, second, third].map(\.payload.transactionId)).count == 3)
        #expect(Set([first, second, third].map(\.payload.originalTransactionId)).count == 1)
        #expect(third.payload.signedDate >= third.payload.purchaseDate)
        #expect(kit.verifier.verifyTransaction(third.jws).payload == third.payload)
    }

    @Test func `a refund is the same transaction, revoked`() throws {
        let purchase = try kit.transaction(productId: "lifetime", type: .nonConsumable)
        kit.advance(by: .seconds(3600))
        let refunded = try kit.refund(of: purchase)

        #expect(refunded.payload.transactionId == purchase.payload.transactionId)
        #expect(refunded.payload.revocationDate == AppStoreTestKit.defaultTime + 3_600_000)
        #expect(refunded.payload.revocationType == .fullRefund)
        #expect(refunded.payload.signedDate > purchase.payload.signedDate)
        #expect(kit.verifier.verifyTransaction(refunded.jws).payload == refunded.payload)
    }

    @Test func `renewal information belongs to its purchase`() throws {
        let purchase = try kit.transaction()
        let renewalInfo = try kit.renewalInfo(for: purchase) { $0.autoRenewStatus = .off }
        let payload = try kit.verifier.verifyRenewalInfo(renewalInfo.jws).get()

        #expect(payload.originalTransactionId == purchase.payload.originalTransactionId)
        #expect(payload.renewalDate == purchase.payload.expiresDate)
        #expect(payload.autoRenewProductId == purchase.payload.productId)
        #expect(payload.autoRenewStatus == .off)
        #expect(kit.verifier.verifyRenewalInfo(try kit.renewalInfo().jws).payload?.autoRenewStatus == .on)
    }

    @Test func `an app transaction and a realtime request are accepted too`() throws {
        let download = try kit.appTransaction { $0.originalApplicationVersion = "42" }
        #expect(kit.verifier.verifyAppTransaction(download.jws).payload == download.payload)
        #expect(download.payload.originalApplicationVersion == "42")

        let purchase = try kit.transaction()
        let request = try kit.realtimeRequest(about: purchase) { $0.userLocale = "de-DE" }
        #expect(kit.verifier.verifyRealtimeRequest(request.jws).payload == request.payload)
        #expect(request.payload.originalTransactionId == purchase.payload.originalTransactionId)
        #expect(try RealtimeRequestBody(jsonBytes: request.body).signedPayload == request.jws)
    }

    @Test func `the app and its environment are configurable`() throws {
        let app = AppIdentity(bundleId: "org.sample.notes", appAppleId: 42, environment: .production)
        let kit = try AppStoreTestKit(app: app, now: 1_800_000_000_000)
        let purchase = try kit.transaction()
        let expectingIt = SignedDataVerifier(roots: [kit.trustedRoot], expecting: app)

        #expect(expectingIt.verifyTransaction(purchase.jws).payload?.bundleId == "org.sample.notes")
        #expect(purchase.payload.purchaseDate == 1_800_000_000_000)
        let elsewhere = try kit.transaction { $0.environment = .sandbox }
        #expect(expectingIt.verifyTransaction(elsewhere.jws).failure?.code == .environmentMismatch)
        let other = try kit.transaction { $0.bundleId = "com.example.other" }
        #expect(expectingIt.verifyTransaction(other.jws).failure?.code == .bundleIdMismatch)
    }
}
