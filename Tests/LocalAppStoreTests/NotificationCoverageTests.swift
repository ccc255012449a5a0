import AppStoreModel
import AppStoreSigning
import LocalAppStore
import LocalAppStoreTesting
import Testing

/// Every notification of Apple's model: caused in a test, or listed as unsupported in
/// `Documentation/reference/fidelity.md`.
@Suite struct `Coverage of notifications` {
    /// The events of a store with the account `a`, and a notification that they must cause.
    struct Scene: CustomTestStringConvertible, Sendable {
        let name: String
        var gracePeriod = StoreSettings.GracePeriod.none
        let play: @Sendable (inout StoreTranscript) throws -> Void

        var testDescription: String { name }
    }

    static let scenes: [Scene] =
        purchases + billing + decisions + prices + extensions + family + tokens + advancedCommerce
        + seats + others

    private static let purchases = [
        Scene(name: "SUBSCRIBED/INITIAL_BUY") { try $0.buy("bronze") },
        Scene(name: "SUBSCRIBED/RESUBSCRIBE") {
            try $0.buy("bronze")
            try $0.leave(by: "2026-03-01")
            try $0.buy("bronze")
        },
        Scene(name: "ONE_TIME_CHARGE") { try $0.buy("coins") },
        Scene(name: "OFFER_REDEEMED") {
            try $0.buy("bronze")
            try $0.redeem("offer_code", "bronze.code", for: "bronze")
        },
        Scene(name: "OFFER_REDEEMED/UPGRADE") {
            try $0.buy("bronze")
            try $0.redeem("offer_code", "gold.code", for: "gold")
        },
        Scene(name: "OFFER_REDEEMED/DOWNGRADE") {
            try $0.buy("gold")
            try `Events of sales reports`.promote("bronze.free", for: "bronze", in: &$0)
        },
        Scene(name: "DID_CHANGE_RENEWAL_PREF/UPGRADE") {
            try $0.buy("bronze")
            try $0.change(to: "gold")
        },
        Scene(name: "DID_CHANGE_RENEWAL_PREF/DOWNGRADE") {
            try $0.buy("gold")
            try $0.change(to: "bronze")
        },
        Scene(name: "DID_CHANGE_RENEWAL_PREF") {
            try $0.buy("gold")
            try $0.change(to: "bronze")
            try $0.change(to: "gold")
        },
        Scene(name: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED") {
            try $0.buy("bronze")
            try $0.turnOff()
        },
        Scene(name: "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED") {
            let original = try $0.buy("bronze").originalTransactionId
            try $0.turnOff()
            try $0.store.setAutoRenew(originalTransactionId: original, enabled: true)
        },
    ]

    private static let billing = [
        Scene(name: "DID_RENEW") {
            try $0.buy("bronze")
            try $0.advance(to: try at("2026-03-01"))
        },
        Scene(name: "DID_RENEW/BILLING_RECOVERY") {
            try $0.buy("bronze")
            try $0.failUntil("2026-03-01")
            try $0.store.setPayment(accountId: "a", state: .ok)
        },
        Scene(name: "DID_FAIL_TO_RENEW") {
            try $0.buy("bronze")
            try $0.failUntil("2026-03-01")
        },
        Scene(name: "DID_FAIL_TO_RENEW/GRACE_PERIOD", gracePeriod: .threeDays) {
            try $0.buy("bronze")
            try $0.failUntil("2026-02-16")
        },
        Scene(name: "GRACE_PERIOD_EXPIRED", gracePeriod: .threeDays) {
            try $0.buy("bronze")
            try $0.failUntil("2026-03-01")
        },
        Scene(name: "EXPIRED/BILLING_RETRY") {
            try $0.buy("bronze")
            try $0.failUntil("2026-06-01")
        },
        Scene(name: "EXPIRED/VOLUNTARY") {
            try $0.buy("bronze")
            try $0.turnOff()
            try $0.advance(to: try at("2026-03-01"))
        },
        Scene(name: "EXPIRED/PRODUCT_NOT_FOR_SALE") {
            try $0.buy("bronze")
            $0.store.replaceCatalog(try plainCatalog())
            try $0.advance(to: try at("2026-03-01"))
        },
    ]

    private static let decisions = [
        Scene(name: "REFUND") { try $0.store.refund(transactionId: try $0.buy("coins").transactionId) },
        Scene(name: "CONSUMPTION_REQUEST") {
            let id = try $0.buy("coins").transactionId
            _ = try $0.store.requestRefund(transactionId: id, reason: .unintendedPurchase)
        },
        Scene(name: "REFUND_DECLINED") {
            let id = try $0.buy("coins").transactionId
            _ = try $0.store.requestRefund(transactionId: id, reason: .unintendedPurchase)
            try $0.store.declineRefund(transactionId: id)
        },
        Scene(name: "REFUND_REVERSED") {
            let id = try $0.buy("coins").transactionId
            try $0.store.refund(transactionId: id)
            try $0.store.reverseRefund(transactionId: id)
        },
    ]

    private static func raise(_ transcript: inout StoreTranscript, needsConsent: Bool) throws {
        try transcript.buy("silver.yearly")
        _ = try transcript.store.changePrice(
            PriceChangeRequest(productId: "silver.yearly", price: 199_990, needsConsent: needsConsent)
        )
    }

    private static let prices = [
        Scene(name: "PRICE_INCREASE/PENDING") {
            try raise(&$0, needsConsent: true)
            try $0.advance(to: try at("2026-12-25"))
        },
        Scene(name: "PRICE_INCREASE/ACCEPTED") {
            try raise(&$0, needsConsent: false)
            try $0.advance(to: try at("2026-12-25"))
        },
        Scene(name: "EXPIRED/PRICE_INCREASE") {
            try raise(&$0, needsConsent: true)
            try $0.advance(to: try at("2027-02-01"))
        },
    ]

    private static let order = MassExtendRenewalDateRequest(
        requestIdentifier: uuid(1),
        extendByDays: 5,
        extendReasonCode: .serviceIssueOrOutage,
        productId: "silver"
    )

    private static let extensions = [
        Scene(name: "RENEWAL_EXTENDED") {
            let original = try $0.buy("bronze").originalTransactionId
            let request = ExtendRenewalDateRequest(
                extendByDays: 5,
                extendReasonCode: .serviceIssueOrOutage,
                requestIdentifier: "1"
            )
            _ = try $0.store.extendRenewalDate(originalTransactionId: original, request: request)
        },
        Scene(name: "RENEWAL_EXTENSION/SUMMARY") {
            _ = try $0.store.extendRenewalDates(request: order)
            try $0.advance(to: try at("2026-01-16"))
        },
        Scene(name: "RENEWAL_EXTENSION/FAILURE") {
            // A subscription with two extensions in a year is attempted, but fails.
            let original = try $0.buy("silver").originalTransactionId
            try $0.advance(to: try at("2026-01-23"))
            for _ in 0..<2 {
                let request = ExtendRenewalDateRequest(
                    extendByDays: 1,
                    extendReasonCode: .other,
                    requestIdentifier: "1"
                )
                _ = try $0.store.extendRenewalDate(originalTransactionId: original, request: request)
            }
            _ = try $0.store.extendRenewalDates(request: order)
            try $0.advance(to: try at("2026-01-24"))
        },
    ]

    private static let family = [
        Scene(name: "REVOKE") {
            $0.store.replaceCatalog(try Catalog.example())
            try $0.buy("pro.yearly")
            _ = try $0.store.createAccount(accountId: "b")
            try $0.store.addFamilyMember(accountId: "a", member: "b")
            try $0.store.removeFamilyMember(accountId: "a", member: "b")
        }
    ]

    private static func leaveForAPurchase(_ transcript: inout StoreTranscript) throws {
        _ = try transcript.store.createExternalPurchaseToken(accountId: "a", type: .services)
        try transcript.advance(to: try at("2026-03-01"))
    }

    private static let tokens = [
        Scene(name: "EXTERNAL_PURCHASE_TOKEN/CREATED", play: leaveForAPurchase),
        Scene(name: "EXTERNAL_PURCHASE_TOKEN/UNREPORTED", play: leaveForAPurchase),
        Scene(name: "EXTERNAL_PURCHASE_TOKEN/ACTIVE_TOKEN_REMINDER", play: leaveForAPurchase),
    ]

    private static let advancedCommerce = [
        Scene(name: "METADATA_UPDATE") {
            var shop = AdvancedCommerceShop($0)
            let id = try shop.buy(shop.subscription(), as: "bronze").transactionId
            _ = try shop.changeMetadata(id, ["taxCode": "C003-00-9"])
            $0 = shop.transcript
        },
        Scene(name: "PRICE_CHANGE") {
            var shop = AdvancedCommerceShop($0)
            let id = try shop.buy(shop.subscription(), as: "bronze").transactionId
            _ = try shop.changePrice(id, ["items": [["SKU": "news", "price": 5_000]]])
            $0 = shop.transcript
        },
        Scene(name: "MIGRATION") {
            var shop = AdvancedCommerceShop($0)
            let id = try shop.transcript.buy("bronze").transactionId
            _ = try shop.migrate(id, ["targetProductId": "gold"])
            $0 = shop.transcript
        },
    ]

    private static func buySeats(_ transcript: inout StoreTranscript) throws -> String {
        let id = try transcript.store.purchaseSeats(accountId: "a", productId: "bronze", seats: 3).transactionId
        _ = try transcript.store.claimSeats(originalTransactionId: id, count: 3)
        return id
    }

    private static let seats = [
        Scene(name: "UNCLAIM_SEATS") { try $0.store.refund(transactionId: try buySeats(&$0)) },
        Scene(name: "REFUND/SEATS") { try $0.store.refundSeats(transactionId: try buySeats(&$0), seats: 1) },
        Scene(name: "DID_CHANGE_RENEWAL_PREF/INCREASE_QUANTITY") {
            _ = try $0.store.changeSeats(originalTransactionId: try buySeats(&$0), seats: 4)
        },
        Scene(name: "DID_CHANGE_RENEWAL_PREF/DECREASE_QUANTITY") {
            _ = try $0.store.changeSeats(originalTransactionId: try buySeats(&$0), seats: 2)
        },
    ]

    private static let others = [
        Scene(name: "TEST") { _ = try $0.store.requestTestNotification() },
        Scene(name: "RESCIND_CONSENT") { try $0.store.rescindConsent(accountId: "a") },
    ]

    @Test(arguments: scenes) func `a notification follows from its cause, signed and with its status`(scene: Scene)
        throws
    {
        #expect(try Self.played(scene).contains(scene.name))
    }

    @Test func `every type and subtype of Apple's is tested, or documented as unsupported`() throws {
        let vocabulary = NotificationType.documented.flatMap { type in
            [type.rawValue] + type.documentedSubtypes.map { "\(type.rawValue)/\($0.rawValue)" }
        }
        var played: Set<String> = []
        for scene in Self.scenes {
            for name in try Self.played(scene) {
                played.insert(name)
                // A type that always has a subtype is tested with each of them.
                if let type = name.split(separator: "/").first { played.insert(String(type)) }
            }
        }
        #expect(try FidelityPage().contradictions(seen: played, of: Set(vocabulary)) == [])
    }

    /// Every notification of a scene, as `TYPE/SUBTYPE`.
    private static func played(_ scene: Scene) throws -> Set<String> {
        var transcript = try StoreTranscript.withAccount(
            at: try at("2026-01-15"),
            settings: StoreSettings(gracePeriod: scene.gracePeriod),
            catalog: try offerCatalog()
        )
        transcript.store.acceptSignatures(by: [`Events of sales reports`.key.publicKey])
        try scene.play(&transcript)
        let records = try transcript.allRecords()
        for record in records {
            let content = try NotificationContent(record)
            #expect(content.payload.notificationType == record.notificationType)
            #expect(content.payload.subtype == record.subtype)
            #expect(content.payload.data?.status == record.status)
        }
        return Set(records.map { $0.notificationType.rawValue + ($0.subtype.map { "/\($0.rawValue)" } ?? "") })
    }
}
