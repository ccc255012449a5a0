import AppStoreModel
import SubscriptionCore
import Testing

/// A notification, what came before it, and the events that it must bring about, no others.
struct NotificationCase: Sendable, CustomTestStringConvertible {
    let told: Told
    let before: [Told]
    let events: [SubscriptionEvent.Kind]

    init(_ told: Told, after before: [Told] = [], brings events: [SubscriptionEvent.Kind]) {
        self.told = told
        self.before = before
        self.events = events
    }

    var testDescription: String {
        [told.type.rawValue, told.subtype?.rawValue].compactMap(\.self).joined(separator: "/")
    }
}

extension NotificationCase {
    static let all = lifecycle + plans + billing + money + beside

    private static let autoRenewOff = Told(
        .didChangeRenewalStatus,
        .autoRenewDisabled,
        day: 5,
        status: .active,
        transaction: Told.period(0, signed: 5),
        renewal: Told.renewal(signed: 5) { $0.autoRenewStatus = .off }
    )

    private static let lifecycle = [
        NotificationCase(
            Told(
                .subscribed,
                .initialBuy,
                day: 1,
                status: .active,
                transaction: Told.purchase(.autoRenewableSubscription, signed: 1)
            ),
            brings: [.started]
        ),
        NotificationCase(
            Told(
                .subscribed,
                .resubscribe,
                day: 60,
                status: .active,
                transaction: Told.period(2, signed: 60) { $0.transactionReason = .purchase },
                renewal: Told.renewal(signed: 60, end: 90)
            ),
            brings: [.resubscribed, .entitlementExtended]
        ),
        NotificationCase(
            Told(
                .didRenew,
                day: 30,
                status: .active,
                transaction: Told.period(1, signed: 30),
                renewal: Told.renewal(signed: 30, end: 60)
            ),
            brings: [.renewed, .entitlementExtended]
        ),
        NotificationCase(autoRenewOff, brings: [.autoRenewOff]),
        NotificationCase(
            Told(.didChangeRenewalStatus, .autoRenewEnabled, day: 6, renewal: Told.renewal(signed: 6)),
            after: [autoRenewOff],
            brings: [.autoRenewOn]
        ),
        NotificationCase(
            Told(
                .didChangeRenewalStatus,
                day: 6,
                renewal: Told.renewal(signed: 6) { $0.autoRenewStatus = .off }
            ),
            brings: [.autoRenewOff]
        ),
        NotificationCase(
            Told(
                .renewalExtended,
                day: 6,
                status: .active,
                transaction: Told.period(0, signed: 6) { $0.expiresDate = Told.instant(40) },
                renewal: Told.renewal(signed: 6, end: 40)
            ),
            brings: [.extended, .entitlementExtended]
        ),
    ]

    private static func upgrade(_ type: NotificationType) -> Told {
        let yearly = Told.period(1, signed: 10) { transaction in
            transaction.productId = "pro.yearly"
            transaction.purchaseDate = Told.instant(10)
            transaction.expiresDate = Told.instant(375)
            transaction.transactionReason = .purchase
        }
        let renewal = Told.renewal(signed: 10, end: 375) { renewal in
            renewal.productId = "pro.yearly"
            renewal.autoRenewProductId = "pro.yearly"
        }
        return Told(type, .upgrade, day: 10, status: .active, transaction: yearly, renewal: renewal)
    }

    private static func downgrade(_ type: NotificationType) -> Told {
        let renewal = Told.renewal(signed: 7) { $0.autoRenewProductId = "plus.monthly" }
        return Told(
            type,
            .downgrade,
            day: 7,
            status: .active,
            transaction: Told.period(0, signed: 7),
            renewal: renewal
        )
    }

    private static let plans = [
        NotificationCase(
            upgrade(.didChangeRenewalPref),
            brings: [.prorated, .upgraded, .planChanged, .entitlementExtended]
        ),
        NotificationCase(
            upgrade(.offerRedeemed),
            brings: [.prorated, .upgraded, .planChanged, .offerRedeemed, .entitlementExtended]
        ),
        NotificationCase(downgrade(.didChangeRenewalPref), brings: [.planChangeScheduled]),
        NotificationCase(downgrade(.offerRedeemed), brings: [.planChangeScheduled, .offerRedeemed]),
        NotificationCase(
            Told(.didChangeRenewalPref, day: 8, status: .active, renewal: Told.renewal(signed: 8)),
            after: [downgrade(.didChangeRenewalPref)],
            brings: [.planChangeCancelled]
        ),
        NotificationCase(
            Told(.offerRedeemed, day: 5, status: .active, transaction: Told.period(0, signed: 5)),
            brings: [.offerRedeemed]
        ),
        NotificationCase(
            Told(
                .didChangeRenewalPref,
                .increaseQuantity,
                day: 5,
                status: .active,
                transaction: Told.period(1, signed: 5) { transaction in
                    transaction.purchaseDate = Told.instant(5)
                    transaction.expiresDate = Told.instant(30)
                    transaction.transactionReason = .purchase
                }
            ),
            brings: [.seatsAdded, .seatsChanged]
        ),
        NotificationCase(
            Told(
                .didChangeRenewalPref,
                .decreaseQuantity,
                day: 5,
                status: .active,
                transaction: Told.period(0, signed: 5),
                renewal: Told.renewal(signed: 5)
            ),
            brings: [.seatsChanged]
        ),
        NotificationCase(commitment(.autoRenewDisabled, .off), brings: [.commitmentRenewalOff]),
        NotificationCase(
            commitment(.autoRenewEnabled, .on),
            after: [commitment(.autoRenewDisabled, .off)],
            brings: [.commitmentRenewalOn]
        ),
    ]

    private static func commitment(_ subtype: NotificationSubtype, _ status: AutoRenewStatus) -> Told {
        let day: Int64 = status == .off ? 5 : 6
        let renewal = Told.renewal(signed: day) { renewal in
            renewal.commitmentInfo = RenewalCommitmentInfo(commitmentAutoRenewStatus: status)
        }
        return Told(
            .didChangeRenewalStatus,
            subtype,
            day: day,
            status: .active,
            transaction: Told.period(0, signed: day),
            renewal: renewal
        )
    }

    private static func failed(grace: Int64?) -> Told {
        let renewal = Told.renewal(signed: 30) { renewal in
            renewal.isInBillingRetryPeriod = true
            renewal.expirationIntent = .billingError
            renewal.gracePeriodExpiresDate = grace.map(Told.instant)
        }
        return Told(
            .didFailToRenew,
            grace == nil ? nil : .gracePeriod,
            day: 30,
            status: grace == nil ? .billingRetry : .billingGracePeriod,
            transaction: Told.period(0, signed: 30),
            renewal: renewal
        )
    }

    private static func ended(
        _ subtype: NotificationSubtype?,
        _ intent: ExpirationIntent,
        day: Int64 = 30,
        _ change: (inout JWSRenewalInfoDecodedPayload) -> Void = { _ in }
    ) -> Told {
        let renewal = Told.renewal(signed: day) { renewal in
            renewal.expirationIntent = intent
            renewal.isInBillingRetryPeriod = false
            change(&renewal)
        }
        return Told(
            .expired,
            subtype,
            day: day,
            status: .expired,
            transaction: Told.period(0, signed: day),
            renewal: renewal
        )
    }

    private static func priceIncrease(_ subtype: NotificationSubtype) -> Told {
        let renewal = Told.renewal(signed: 20) { $0.priceIncreaseStatus = subtype == .pending ? .pending : .accepted }
        return Told(.priceIncrease, subtype, day: 20, status: .active, renewal: renewal)
    }

    private static let billing = [
        NotificationCase(failed(grace: nil), brings: [.enteredBillingRetry, .entitlementWithdrawn]),
        NotificationCase(failed(grace: 46), brings: [.enteredGracePeriod, .entitlementExtended]),
        NotificationCase(
            Told(
                .gracePeriodExpired,
                day: 46,
                status: .billingRetry,
                renewal: Told.renewal(signed: 46) { renewal in
                    renewal.isInBillingRetryPeriod = true
                    renewal.gracePeriodExpiresDate = Told.instant(46)
                }
            ),
            after: [failed(grace: 46)],
            brings: [.enteredBillingRetry, .entitlementWithdrawn]
        ),
        NotificationCase(
            Told(
                .didRenew,
                .billingRecovery,
                day: 33,
                status: .active,
                transaction: Told.period(1, signed: 33),
                renewal: Told.renewal(signed: 33, end: 60)
            ),
            after: [failed(grace: 46)],
            brings: [.recovered, .entitlementExtended]
        ),
        NotificationCase(
            ended(.voluntary, .customerCancelled) { $0.autoRenewStatus = .off },
            after: [autoRenewOff],
            brings: [.expired, .entitlementWithdrawn]
        ),
        NotificationCase(ended(.billingRetry, .billingError, day: 90), after: [failed(grace: nil)], brings: [.expired]),
        NotificationCase(priceIncrease(.pending), brings: [.priceIncreasePending]),
        NotificationCase(priceIncrease(.accepted), brings: [.priceIncreaseAccepted]),
        NotificationCase(
            ended(.priceIncrease, .priceIncreaseNotConsented) { $0.priceIncreaseStatus = .pending },
            after: [priceIncrease(.pending)],
            brings: [.expired, .entitlementWithdrawn]
        ),
        NotificationCase(ended(.productNotForSale, .productUnavailable), brings: [.expired, .entitlementWithdrawn]),
        NotificationCase(ended(nil, .other), brings: [.expired, .entitlementWithdrawn]),
    ]
}
