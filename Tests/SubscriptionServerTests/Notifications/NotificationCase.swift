import AppStoreModel
import SubscriptionCore
import Testing

/// A notification, the notifications before it, and exactly the events that it must produce.
struct NotificationCase: Sendable, CustomTestStringConvertible {
    let notification: SentNotification
    let before: [SentNotification]
    let events: [SubscriptionEvent.Kind]

    init(
        _ notification: SentNotification,
        after before: [SentNotification] = [],
        produces events: [SubscriptionEvent.Kind]
    ) {
        self.notification = notification
        self.before = before
        self.events = events
    }

    var testDescription: String {
        [notification.type.rawValue, notification.subtype?.rawValue].compactMap(\.self).joined(separator: "/")
    }
}

extension NotificationCase {
    static let all = lifecycle + plans + billing + money + others

    private static let autoRenewOff = SentNotification(
        .didChangeRenewalStatus,
        .autoRenewDisabled,
        day: 5,
        status: .active,
        transaction: Sample.period(0, signed: 5),
        renewal: Sample.renewal(signed: 5) { $0.autoRenewStatus = .off }
    )

    private static let lifecycle = [
        NotificationCase(
            SentNotification(
                .subscribed,
                .initialBuy,
                day: 1,
                status: .active,
                transaction: Sample.purchase(.autoRenewableSubscription, signed: 1)
            ),
            produces: [.started]
        ),
        NotificationCase(
            SentNotification(
                .subscribed,
                .resubscribe,
                day: 60,
                status: .active,
                transaction: Sample.period(2, signed: 60) { $0.transactionReason = .purchase },
                renewal: Sample.renewal(signed: 60, end: 90)
            ),
            produces: [.resubscribed, .entitlementExtended]
        ),
        NotificationCase(
            SentNotification(
                .didRenew,
                day: 30,
                status: .active,
                transaction: Sample.period(1, signed: 30),
                renewal: Sample.renewal(signed: 30, end: 60)
            ),
            produces: [.renewed, .entitlementExtended]
        ),
        NotificationCase(autoRenewOff, produces: [.autoRenewOff]),
        NotificationCase(
            SentNotification(.didChangeRenewalStatus, .autoRenewEnabled, day: 6, renewal: Sample.renewal(signed: 6)),
            after: [autoRenewOff],
            produces: [.autoRenewOn]
        ),
        NotificationCase(
            SentNotification(
                .didChangeRenewalStatus,
                day: 6,
                renewal: Sample.renewal(signed: 6) { $0.autoRenewStatus = .off }
            ),
            produces: [.autoRenewOff]
        ),
        NotificationCase(
            SentNotification(
                .renewalExtended,
                day: 6,
                status: .active,
                transaction: Sample.period(0, signed: 6) { $0.expiresDate = Sample.time(40) },
                renewal: Sample.renewal(signed: 6, end: 40)
            ),
            produces: [.extended, .entitlementExtended]
        ),
    ]

    private static func upgrade(_ type: NotificationType) -> SentNotification {
        let yearly = Sample.period(1, signed: 10) { transaction in
            transaction.productId = "pro.yearly"
            transaction.purchaseDate = Sample.time(10)
            transaction.expiresDate = Sample.time(375)
            transaction.transactionReason = .purchase
        }
        let renewal = Sample.renewal(signed: 10, end: 375) { renewal in
            renewal.productId = "pro.yearly"
            renewal.autoRenewProductId = "pro.yearly"
        }
        return SentNotification(type, .upgrade, day: 10, status: .active, transaction: yearly, renewal: renewal)
    }

    private static func downgrade(_ type: NotificationType) -> SentNotification {
        let renewal = Sample.renewal(signed: 7) { $0.autoRenewProductId = "plus.monthly" }
        return SentNotification(
            type,
            .downgrade,
            day: 7,
            status: .active,
            transaction: Sample.period(0, signed: 7),
            renewal: renewal
        )
    }

    private static let plans = [
        NotificationCase(
            upgrade(.didChangeRenewalPref),
            produces: [.prorated, .upgraded, .planChanged, .entitlementExtended]
        ),
        NotificationCase(
            upgrade(.offerRedeemed),
            produces: [.prorated, .upgraded, .planChanged, .offerRedeemed, .entitlementExtended]
        ),
        NotificationCase(downgrade(.didChangeRenewalPref), produces: [.planChangeScheduled]),
        NotificationCase(downgrade(.offerRedeemed), produces: [.planChangeScheduled, .offerRedeemed]),
        NotificationCase(
            SentNotification(.didChangeRenewalPref, day: 8, status: .active, renewal: Sample.renewal(signed: 8)),
            after: [downgrade(.didChangeRenewalPref)],
            produces: [.planChangeCancelled]
        ),
        NotificationCase(
            SentNotification(.offerRedeemed, day: 5, status: .active, transaction: Sample.period(0, signed: 5)),
            produces: [.offerRedeemed]
        ),
        NotificationCase(
            SentNotification(
                .didChangeRenewalPref,
                .increaseQuantity,
                day: 5,
                status: .active,
                transaction: Sample.period(1, signed: 5) { transaction in
                    transaction.purchaseDate = Sample.time(5)
                    transaction.expiresDate = Sample.time(30)
                    transaction.transactionReason = .purchase
                }
            ),
            produces: [.seatsAdded, .seatsChanged]
        ),
        NotificationCase(
            SentNotification(
                .didChangeRenewalPref,
                .decreaseQuantity,
                day: 5,
                status: .active,
                transaction: Sample.period(0, signed: 5),
                renewal: Sample.renewal(signed: 5)
            ),
            produces: [.seatsChanged]
        ),
        NotificationCase(commitment(.autoRenewDisabled, .off), produces: [.commitmentRenewalOff]),
        NotificationCase(
            commitment(.autoRenewEnabled, .on),
            after: [commitment(.autoRenewDisabled, .off)],
            produces: [.commitmentRenewalOn]
        ),
    ]

    private static func commitment(_ subtype: NotificationSubtype, _ status: AutoRenewStatus) -> SentNotification {
        let day: Int64 = status == .off ? 5 : 6
        let renewal = Sample.renewal(signed: day) { renewal in
            renewal.commitmentInfo = RenewalCommitmentInfo(commitmentAutoRenewStatus: status)
        }
        return SentNotification(
            .didChangeRenewalStatus,
            subtype,
            day: day,
            status: .active,
            transaction: Sample.period(0, signed: day),
            renewal: renewal
        )
    }

    private static func failed(grace: Int64?) -> SentNotification {
        let renewal = Sample.renewal(signed: 30) { renewal in
            renewal.isInBillingRetryPeriod = true
            renewal.expirationIntent = .billingError
            renewal.gracePeriodExpiresDate = grace.map(Sample.time)
        }
        return SentNotification(
            .didFailToRenew,
            grace == nil ? nil : .gracePeriod,
            day: 30,
            status: grace == nil ? .billingRetry : .billingGracePeriod,
            transaction: Sample.period(0, signed: 30),
            renewal: renewal
        )
    }

    private static func ended(
        _ subtype: NotificationSubtype?,
        _ intent: ExpirationIntent,
        day: Int64 = 30,
        _ change: (inout JWSRenewalInfoDecodedPayload) -> Void = { _ in }
    ) -> SentNotification {
        let renewal = Sample.renewal(signed: day) { renewal in
            renewal.expirationIntent = intent
            renewal.isInBillingRetryPeriod = false
            change(&renewal)
        }
        return SentNotification(
            .expired,
            subtype,
            day: day,
            status: .expired,
            transaction: Sample.period(0, signed: day),
            renewal: renewal
        )
    }

    private static func priceIncrease(_ subtype: NotificationSubtype) -> SentNotification {
        let renewal = Sample.renewal(signed: 20) { $0.priceIncreaseStatus = subtype == .pending ? .pending : .accepted }
        return SentNotification(.priceIncrease, subtype, day: 20, status: .active, renewal: renewal)
    }

    private static let billing = [
        NotificationCase(failed(grace: nil), produces: [.enteredBillingRetry, .entitlementWithdrawn]),
        NotificationCase(failed(grace: 46), produces: [.enteredGracePeriod, .entitlementExtended]),
        NotificationCase(
            SentNotification(
                .gracePeriodExpired,
                day: 46,
                status: .billingRetry,
                renewal: Sample.renewal(signed: 46) { renewal in
                    renewal.isInBillingRetryPeriod = true
                    renewal.gracePeriodExpiresDate = Sample.time(46)
                }
            ),
            after: [failed(grace: 46)],
            produces: [.enteredBillingRetry, .entitlementWithdrawn]
        ),
        NotificationCase(
            SentNotification(
                .didRenew,
                .billingRecovery,
                day: 33,
                status: .active,
                transaction: Sample.period(1, signed: 33),
                renewal: Sample.renewal(signed: 33, end: 60)
            ),
            after: [failed(grace: 46)],
            produces: [.recovered, .entitlementExtended]
        ),
        NotificationCase(
            ended(.voluntary, .customerCancelled) { $0.autoRenewStatus = .off },
            after: [autoRenewOff],
            produces: [.expired, .entitlementWithdrawn]
        ),
        NotificationCase(
            ended(.billingRetry, .billingError, day: 90),
            after: [failed(grace: nil)],
            produces: [.expired]
        ),
        NotificationCase(priceIncrease(.pending), produces: [.priceIncreasePending]),
        NotificationCase(priceIncrease(.accepted), produces: [.priceIncreaseAccepted]),
        NotificationCase(
            ended(.priceIncrease, .priceIncreaseNotConsented) { $0.priceIncreaseStatus = .pending },
            after: [priceIncrease(.pending)],
            produces: [.expired, .entitlementWithdrawn]
        ),
        NotificationCase(ended(.productNotForSale, .productUnavailable), produces: [.expired, .entitlementWithdrawn]),
        NotificationCase(ended(nil, .other), produces: [.expired, .entitlementWithdrawn]),
    ]
}
