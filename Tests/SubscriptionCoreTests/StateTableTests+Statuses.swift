import SubscriptionCore

/// Statuses, and renewal records of other periods.
extension `The state of a subscription` {
    static let statuses = statusesAtEnd + statusesOfFailedCharges + reasons

    private static let first = Fact.transaction(Example.period(0))
    private static let second = Fact.transaction(Example.period(1))
    private static let renewing = Fact.renewal(Example.renewal(inPeriod: 0))
    private static let olderRefunded = Fact.transaction(
        Example.period(0) { fact in
            fact.revocation = Revocation(at: Example.day(33), kind: .refund)
            fact.signedAt = Example.day(33)
        }
    )

    private static func status(_ status: SubscriptionStatus, on day: Int) -> Fact {
        .status(Example.status(status, signedAt: Example.day(day)))
    }

    private static func record(
        _ period: Int = 0,
        on day: Int,
        _ change: (inout RenewalFact) -> Void
    ) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    private static let statusesAtEnd: [StateCase] = [
        StateCase(
            "status 5 with the refund of an older period ends the running one",
            [olderRefunded, second, status(.revoked, on: 33)],
            at: Example.day(34),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "status 1 with the same refund keeps the running period",
            [olderRefunded, second, status(.active, on: 33)],
            at: Example.day(34),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "a transaction that is signed after status 5 overrides it",
            [
                olderRefunded, .transaction(Example.period(1) { $0.signedAt = Example.day(34) }),
                status(.revoked, on: 33),
            ],
            at: Example.day(35),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "a record that is signed after status 5 overrides it",
            [olderRefunded, second, status(.revoked, on: 33), record(1, on: 34) { _ in }],
            at: Example.day(35),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "status 5 ends a purchase that is shared with a family member",
            [.transaction(Example.period(0) { $0.ownership = .familyShared }), status(.revoked, on: 3)],
            at: Example.day(4),
            .revoked,
            because: .sharingEnded
        ),
        StateCase(
            "status 5 ends a purchase that is no longer shared",
            [
                .transaction(
                    Example.period(0) { $0.revocation = Revocation(at: Example.day(3), kind: .sharingEnded) }
                ),
                status(.revoked, on: 3),
            ],
            at: Example.day(4),
            .revoked,
            because: .sharingEnded
        ),
        StateCase(
            "status 2 ends a period before its end date",
            [first, second, renewing, status(.expired, on: 40)],
            at: Example.day(41),
            .expired,
            because: .unknown
        ),
        StateCase(
            "status 2 ends the leeway",
            [first, renewing, status(.expired, on: 30)],
            at: Example.day(30, hours: 1),
            .expired,
            because: .unknown
        ),
        StateCase(
            "status 2 with a refund means that the period ended before the refund",
            [olderRefunded, status(.expired, on: 33)],
            at: Example.day(34),
            .expired,
            because: .unknown
        ),
        StateCase(
            "a refund after the end in the record leaves the status expired",
            [olderRefunded, record(on: 30) { $0.expirationReason = .cancelled }],
            at: Example.day(34),
            .expired,
            because: .cancelled
        ),
        StateCase(
            "a refund before the end revokes, regardless of the record",
            [
                .transaction(Example.period(0) { $0.revocation = Revocation(at: Example.day(29), kind: .refund) }),
                record(on: 30) { $0.expirationReason = .cancelled },
            ],
            at: Example.day(34),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "an upgraded period counts until the other transaction arrives",
            [.transaction(Example.period(0) { $0.isUpgraded = true }), renewing],
            at: Example.day(11),
            .active,
            until: Example.day(30)
        ),
    ]

    private static let failed = record(on: 30) { fact in
        fact.isInBillingRetry = true
        fact.expirationReason = .billingError
    }

    private static let statusesOfFailedCharges: [StateCase] = [
        StateCase(
            "status 3 without a record is billing retry",
            [first, status(.inBillingRetry, on: 30)],
            at: Example.day(31),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "status 3 with an older record is billing retry",
            [first, renewing, status(.inBillingRetry, on: 30)],
            at: Example.day(30, hours: 1),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "status 4 without a record keeps access for the longest grace period",
            [first, status(.inGracePeriod, on: 30)],
            at: Example.day(31),
            .inGracePeriod,
            until: Example.day(58)
        ),
        StateCase(
            "status 4 without a record is billing retry after that grace period",
            [first, renewing, status(.inGracePeriod, on: 30)],
            at: Example.day(58),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "status 4 without a record keeps access at most for the length of the period",
            [.transaction(Example.period(0) { $0.purchasedAt = Example.day(23) }), status(.inGracePeriod, on: 30)],
            at: Example.day(36),
            .inGracePeriod,
            until: Example.day(37)
        ),
        StateCase(
            "status 4 from up to a day before the end counts from the end",
            [first, status(.inGracePeriod, on: 29)],
            at: Example.day(30),
            .inGracePeriod,
            until: Example.day(58)
        ),
        StateCase(
            "status 4 from more than a day before the end has no effect",
            [first, .status(Example.status(.inGracePeriod, signedAt: Example.day(29, milliseconds: -1)))],
            at: Example.day(30),
            .expired,
            because: .unknown
        ),
        StateCase(
            "status 4 from before a later period was signed has no effect",
            [first, second, status(.inGracePeriod, on: 29)],
            at: Example.day(60),
            .expired,
            because: .unknown
        ),
        StateCase(
            "the record of status 4 contains the end of its grace period",
            [
                first,
                record(on: 30) { fact in
                    fact.isInBillingRetry = true
                    fact.graceExpiresAt = Example.day(46)
                },
                status(.inGracePeriod, on: 31),
            ],
            at: Example.day(32),
            .inGracePeriod,
            until: Example.day(46)
        ),
        StateCase(
            "status 3 ends the grace period of a record",
            [
                first,
                record(on: 30) { fact in
                    fact.isInBillingRetry = true
                    fact.graceExpiresAt = Example.day(46)
                },
                status(.inBillingRetry, on: 40),
            ],
            at: Example.day(41),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "a record that is signed after status 3 overrides it",
            [
                first, status(.inBillingRetry, on: 30),
                record(on: 33) { fact in
                    fact.autoRenew = false
                    fact.expirationReason = .cancelled
                },
            ],
            at: Example.day(34),
            .expired,
            because: .cancelled
        ),
        StateCase(
            "billing retry lasts for 60 days and the leeway",
            [first, failed],
            at: Example.day(90, hours: 2, milliseconds: -1),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "c3 billing retry ends after 60 days and the leeway",
            [first, failed],
            at: Example.day(90, hours: 2),
            .expired,
            because: .billingRetry
        ),
        StateCase(
            "c3 billing retry that only a status reported ends as well",
            [first, status(.inBillingRetry, on: 30)],
            at: Example.day(91),
            .expired,
            because: .billingRetry
        ),
        StateCase(
            "c3 billing retry of a plan with a commitment lasts for 90 days",
            [
                first,
                record(on: 30) { fact in
                    fact.isInBillingRetry = true
                    fact.isCommitted = true
                },
            ],
            at: Example.day(91),
            .inBillingRetry,
            until: Example.day(120, hours: 2)
        ),
        StateCase(
            "billing retry after a refund ends as well",
            [
                .transaction(
                    Example.period(0) { fact in
                        fact.revocation = Revocation(at: Example.day(31), kind: .refund)
                        fact.signedAt = Example.day(31)
                    }
                ),
                status(.expired, on: 31), record(on: 32) { $0.isInBillingRetry = true },
            ],
            at: Example.day(91),
            .expired,
            because: .billingRetry
        ),
    ]

    private static let reasons: [StateCase] = [
        StateCase(
            "a1 a subscription is active until the last millisecond",
            [first, renewing],
            at: Example.day(30, milliseconds: -1),
            .active,
            until: Example.day(30)
        ),
        StateCase(
            "a record that is signed after the end applies to it, regardless of its renewal date",
            [
                .transaction(Example.period(0) { $0.expiresAt = Example.day(45) }),
                record(on: 45) { $0.expirationReason = .productUnavailable },
            ],
            at: Example.day(46),
            .expired,
            because: .productUnavailable
        ),
        StateCase(
            "renewal turned off during the last period is a cancellation, regardless of the record's renewal date",
            [first, second, record(on: 40) { $0.autoRenew = false }],
            at: Example.day(61),
            .expired,
            because: .cancelled
        ),
        StateCase(
            "renewal turned off before the last purchase is not a cancellation",
            [first, .transaction(Example.period(1) { $0.isRenewal = false }), record(on: 20) { $0.autoRenew = false }],
            at: Example.day(61),
            .expired,
            because: .unknown
        ),
    ]
}
