import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// Events in the shape of RevenueCat's webhooks.
@Suite struct `A RevenueCat message` {
    private typealias Sample = RevenueCatSamples

    /// An event with facts, and the type and reason of its message; nil for no message.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let event: SubscriptionEvent
        let facts: RevenueCatFacts
        let summary: String?

        var testDescription: String { name }

        init(_ name: String, _ event: SubscriptionEvent, _ facts: RevenueCatFacts, _ summary: String?) {
            self.name = name
            self.event = event
            self.facts = facts
            self.summary = summary
        }
    }

    // MARK: Kinds

    @Test(arguments: SubscriptionEvent.Kind.allCases)
    func `can exist for the kinds of events that RevenueCat knows, and for no others`(
        kind: SubscriptionEvent.Kind
    ) {
        #expect(RevenueCatMessage.mayExist(for: kind) == Self.isKnown(kind))
        guard !Self.isKnown(kind) else { return }
        let facts = Sample.facts([Sample.period()])
        #expect(Sample.message(Sample.record(Sample.event(kind, "1000")), facts) == nil)
    }

    /// Without a default, so that a new kind is decided here too.
    private static func isKnown(_ kind: SubscriptionEvent.Kind) -> Bool {
        switch kind {
        case .started, .resubscribed, .upgraded, .renewed, .recovered, .refunded, .refundReversed, .revoked, .extended,
            .enteredGracePeriod, .enteredBillingRetry, .expired, .autoRenewOff, .autoRenewOn, .planChanged,
            .planChangeScheduled, .planChangeCancelled, .purchaseMade, .purchaseRefunded, .purchaseRefundReversed,
            .entitlementGranted, .entitlementExtended, .entitlementWithdrawn:
            true
        case .prorated, .priceStated, .purchasePriceStated, .priceIncreasePending, .priceIncreaseAccepted,
            .priceChanged, .refundRequested, .refundDeclined, .purchaseRefundRequested, .purchaseRefundDeclined,
            .offerRedeemed, .extensionFailed, .extensionsFinished, .metadataChanged, .migrated, .commitmentRenewalOff,
            .commitmentRenewalOn, .seatsAdded, .seatsChanged, .seatsRefunded, .seatsReleased, .externalTokenCreated,
            .externalTokenReminder, .externalTokenUnreported, .consentWithdrawn, .aliased, .clockDisputed, .clockAgreed,
            .recoveryFinished, .recoveryGapFound, .recoveryFailed, .notificationsQuiet, .notificationsResumed,
            .campaignStarted, .campaignProgressed, .campaignFinished, .refundRequestAnswered, .refundRequestUnanswered,
            .webhookEndpointDisabled:
            false
        }
    }

    // MARK: Types and reasons

    @Test(arguments: charges + settings + ends + entitlements)
    func `has the type and the reason that RevenueCat gives`(example: Case) {
        let message = Sample.message(Sample.record(example.event), example.facts)
        #expect(Sample.summary(message) == example.summary)
    }

    static let charges: [Case] = {
        let renewed = Sample.facts([Sample.period(), Sample.period("1001", day: 30)])
        let lapsed = Sample.facts([Sample.period(), Sample.period("1001", day: 90) { $0.isRenewal = false }])
        let refunded = Sample.facts([Sample.period(), Sample.period("1001", day: 30, revoked(day: 31))])
        let lifetime = Sample.facts([Sample.lifetime()])
        return [
            Case("the first period", Sample.event(.started, "1000"), renewed, "INITIAL_PURCHASE"),
            Case("a renewal", Sample.event(.renewed, "1001", day: 30), renewed, "RENEWAL"),
            Case("a recovery", Sample.event(.recovered, "1001", day: 30), renewed, "RENEWAL"),
            Case("a purchase after a lapse", Sample.event(.resubscribed, "1001", day: 90), lapsed, "RENEWAL"),
            Case("an upgrade", Sample.event(.upgraded, "1001", day: 10), upgraded, "RENEWAL"),
            Case("a longer period", Sample.event(.extended, "1000", day: 3), renewed, "SUBSCRIPTION_EXTENDED"),
            Case(
                "a refund of the latest period",
                Sample.event(.refunded, "1001", day: 31),
                refunded,
                "CANCELLATION CUSTOMER_SUPPORT"
            ),
            Case("a refund of an earlier period", Sample.event(.refunded, "1000", day: 31), refunded, nil),
            Case(
                "a refund before the next period",
                Sample.event(.refunded, "1000", day: 29),
                refunded,
                "CANCELLATION CUSTOMER_SUPPORT"
            ),
            Case("a refund taken back", Sample.event(.refundReversed, "1001", day: 40), renewed, "REFUND_REVERSED"),
            Case("a one-time purchase", Sample.event(.purchaseMade, "1000"), lifetime, "NON_RENEWING_PURCHASE"),
            Case(
                "a refund of a one-time purchase",
                Sample.event(.purchaseRefunded, "1000", day: 2),
                lifetime,
                "CANCELLATION CUSTOMER_SUPPORT"
            ),
        ]
    }()

    static let settings: [Case] = {
        let first = Sample.facts([Sample.period()])
        let lapsed = Sample.facts([Sample.period(), Sample.period("1001", day: 90) { $0.isRenewal = false }])
        let changed = Sample.facts([Sample.period(), Sample.period("1001", day: 30) { $0.productID = Sample.yearly }])
        let other = Sample.yearly
        return [
            Case("renewal off", Sample.event(.autoRenewOff, day: 5), first, "CANCELLATION UNSUBSCRIBE"),
            off("price_increase_not_accepted", "CANCELLATION PRICE_INCREASE"),
            off("product_unavailable", "CANCELLATION DEVELOPER_INITIATED"),
            off("other", "CANCELLATION UNKNOWN"),
            off("billing_error", nil),
            off("refunded", nil),
            Case("renewal on", Sample.event(.autoRenewOn, day: 6), first, "UNCANCELLATION"),
            Case("renewal on after the end", Sample.event(.autoRenewOn, day: 40), first, nil),
            Case("renewal on by a purchase", Sample.event(.autoRenewOn, day: 90), lapsed, nil),
            Case("renewal on after that purchase", Sample.event(.autoRenewOn, day: 95), lapsed, "UNCANCELLATION"),
            Case(
                "another next product",
                Sample.event(.planChangeScheduled, day: 5, product: other),
                first,
                "PRODUCT_CHANGE"
            ),
            Case("the same next product", Sample.event(.planChangeCancelled, day: 6), first, "PRODUCT_CHANGE"),
            Case(
                "another product at once",
                Sample.event(.planChanged, day: 10, product: other),
                upgraded,
                "PRODUCT_CHANGE"
            ),
            Case("another product at a renewal", Sample.event(.planChanged, day: 30, product: other), changed, nil),
        ]
    }()

    static let ends: [Case] = {
        let period = Sample.period()
        let failed = Sample.renewal {
            $0.isInBillingRetry = true
            $0.expirationReason = .billingError
        }
        let own = [EntitlementDefinition(id: Sample.pro, productIDs: [Sample.monthly], billingRetryGraceDays: 5)]
        let charge = Sample.record(Sample.event(.started, "1000", day: 30), sequence: 6)
        let shared = Sample.period {
            $0.ownership = .familyShared
            $0.revocation = Revocation(at: Sample.day(10), kind: .sharingEnded)
        }
        return [
            Case("grace", Sample.event(.enteredGracePeriod, day: 30), Sample.facts([period]), "BILLING_ISSUE"),
            Case(
                "billing retry",
                Sample.event(.enteredBillingRetry, day: 30),
                Sample.facts([period]),
                "EXPIRATION BILLING_ERROR"
            ),
            Case(
                "billing retry in an own grace period",
                Sample.event(.enteredBillingRetry, day: 30),
                Sample.facts([period], definitions: own),
                "BILLING_ISSUE"
            ),
            Case(
                "billing retry after an own grace period",
                Sample.event(.enteredBillingRetry, day: 40),
                Sample.facts([period], definitions: own),
                "EXPIRATION BILLING_ERROR"
            ),
            Case(
                "the end of billing retry",
                Sample.event(.expired, day: 90),
                Sample.facts([period], renewal: failed),
                nil
            ),
            Case(
                "the end of a period that was reported with it",
                Sample.event(.expired, day: 30),
                Sample.facts([period], renewal: failed, companions: [charge]),
                "EXPIRATION BILLING_ERROR"
            ),
            Case(
                "the end after renewal was turned off",
                Sample.event(.expired, day: 30),
                Sample.facts([period], renewal: Sample.renewal { $0.autoRenew = false }),
                "EXPIRATION UNSUBSCRIBE"
            ),
            Case(
                "the end without consent to a price",
                Sample.event(.expired, day: 30),
                Sample.facts([period], renewal: Sample.renewal { $0.expirationReason = .priceIncreaseNotAccepted }),
                "EXPIRATION PRICE_INCREASE"
            ),
            Case("an unexplained end", Sample.event(.expired, day: 30), Sample.facts([period]), "EXPIRATION UNKNOWN"),
            Case(
                "the end after a refund",
                Sample.event(.expired, day: 30),
                Sample.facts([Sample.period("1000", revoked(day: 10))]),
                nil
            ),
            Case(
                "the end of sharing",
                Sample.event(.revoked, "1000", day: 10),
                Sample.facts([shared]),
                "EXPIRATION UNKNOWN"
            ),
            Case(
                "a refund by status",
                Sample.event(.revoked, day: 10),
                Sample.facts([period]),
                "CANCELLATION CUSTOMER_SUPPORT"
            ),
        ]
    }()

    static let entitlements: [Case] = {
        let facts = Sample.facts([Sample.period()])
        let retry = Sample.facts(
            [Sample.period()],
            companions: [Sample.record(Sample.event(.enteredBillingRetry, day: 10), sequence: 6)]
        )
        return [
            Case("access by a purchase", given(Sample.active()), facts, nil),
            Case("access by a grant", given(Sample.active(from: .grant)), facts, "NON_RENEWING_PURCHASE"),
            Case("the end of a grant", taken(.grantEnded, from: .grant), facts, "EXPIRATION DEVELOPER_INITIATED"),
            Case("access ended by a refund", taken(.refunded), facts, "EXPIRATION CUSTOMER_SUPPORT"),
            Case("access ended by a refund of a one-time purchase", taken(.refunded, from: .purchase), facts, nil),
            Case("the end of an own grace period", taken(.billingRetry), facts, "EXPIRATION BILLING_ERROR"),
            Case("access ended by billing retry", taken(.billingRetry), retry, nil),
            Case("access ended with the purchase", taken(.revoked), facts, "EXPIRATION UNKNOWN"),
            Case("access ended by another product", taken(.planChanged), facts, nil),
            Case("access ended by a definition", taken(.definitionChanged), facts, nil),
        ]
    }()

    private static let upgraded = Sample.facts([
        Sample.period(),
        Sample.period("1001", day: 10) {
            $0.isRenewal = false
            $0.productID = Sample.yearly
        },
    ])

    private static func off(_ cause: String, _ summary: String?) -> Case {
        let event = Sample.event(.autoRenewOff, day: 5, details: ["ended_because": cause])
        return Case("renewal off because of \(cause)", event, Sample.facts([Sample.period()]), summary)
    }

    private static func revoked(day: Int) -> (inout TransactionFact) -> Void {
        { $0.revocation = Revocation(at: Sample.day(day), kind: .refund) }
    }

    private static func given(_ entitlement: Entitlement) -> SubscriptionEvent {
        Sample.event(.entitlementGranted, entitlement: entitlement)
    }

    private static func taken(
        _ reason: Entitlement.InactiveReason,
        from source: Entitlement.Source = .subscription
    ) -> SubscriptionEvent {
        Sample.event(.entitlementWithdrawn, day: 10, entitlement: Sample.ended(reason, from: source))
    }

    @Test func `does not exist without a customer`() {
        let facts = Sample.facts([Sample.period()])
        #expect(Sample.message(Sample.record(Sample.event(.started, "1000"), of: nil), facts) == nil)
    }
}
