import SubscriptionCore
import Testing

/// Each status and each transition of `Documentation/reference/state-diagram.md`.
@Suite struct `The state of a subscription` {
    @Test(arguments: all)
    func `matches the diagram for every status and transition`(row: StateCase) throws {
        let state = try #require(Example.state(row.facts, at: row.now))
        #expect(state.status == row.status)
        #expect(state.givesAccess == row.givesAccess)
        #expect(state.endReason == row.endReason)
        #expect(state.nextChangeAt == row.nextChangeAt)
        let ended = row.status == .expired || row.status == .revoked
        #expect(ended == (state.endReason != nil), "an ended subscription has a reason")
        if ended { #expect(!state.autoRenew && state.nextProductID == nil) }
        let hasFailedCharge = row.status == .inGracePeriod || row.status == .inBillingRetry
        #expect(hasFailedCharge == (state.billingIssue == .paymentFailed))
        #expect((state.graceExpiresAt != nil) == (row.status == .inGracePeriod))
    }

    static let all = running + ending + retrying + revoking + waiting + statuses + edgeCases

    private static let first = Fact.transaction(Example.period(0))
    private static let second = Fact.transaction(Example.period(1))
    private static let renewing = Fact.renewal(Example.renewal(inPeriod: 0))

    private static func record(
        _ period: Int = 0,
        signedOn day: Int,
        _ change: (inout RenewalFact) -> Void
    ) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    private static let running = [
        StateCase("a1 a first purchase is active", [first], at: Example.day(1), .active, until: Example.day(30)),
        StateCase(
            "a2 a renewal continues access",
            [first, second, renewing],
            at: Example.day(31),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "a3 auto-renew off keeps access to the end",
            [first, record(signedOn: 5) { $0.autoRenew = false }],
            at: Example.day(29),
            .active,
            until: Example.day(30)
        ),
        StateCase(
            "a4 an upgrade replaces the period",
            [
                .transaction(
                    Example.period(0) {
                        $0.isUpgraded = true; $0.signedAt = Example.day(10)
                    }
                ),
                .transaction(
                    Example.period(1) { fact in
                        fact.productID = Example.yearly
                        fact.purchasedAt = Example.day(10)
                        fact.expiresAt = Example.day(375)
                    }
                ),
            ],
            at: Example.day(11),
            .active,
            until: Example.day(375)
        ),
        StateCase(
            "a4 an upgrade to a shorter period replaces the period, even without the upgraded transaction",
            [
                .transaction(
                    Example.period(0) {
                        $0.productID = Example.yearly
                        $0.expiresAt = Example.day(365)
                    }
                ),
                .transaction(
                    Example.period(1) {
                        $0.isRenewal = false
                        $0.purchasedAt = Example.day(10)
                        $0.expiresAt = Example.day(40)
                    }
                ),
            ],
            at: Example.day(11),
            .active,
            until: Example.day(40)
        ),
        StateCase(
            "a5 a refund of an older period ends nothing",
            [
                .transaction(Example.period(0) { $0.revocation = Revocation(at: Example.day(33), kind: .refund) }),
                second,
            ],
            at: Example.day(34),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "a6 an extension moves the end",
            [
                .transaction(
                    Example.period(0) {
                        $0.expiresAt = Example.day(45); $0.signedAt = Example.day(20)
                    }
                ), first,
            ],
            at: Example.day(40),
            .active,
            until: Example.day(45)
        ),
        StateCase(
            "e1, e2 a recovery ends billing retry, even with an older record of a failed charge",
            [
                first,
                record(signedOn: 30) {
                    $0.isInBillingRetry = true; $0.expirationReason = .billingError
                },
                .transaction(
                    Example.period(1) {
                        $0.purchasedAt = Example.day(35); $0.expiresAt = Example.day(65)
                    }
                ),
            ],
            at: Example.day(36),
            .active,
            until: Example.day(65)
        ),
        StateCase(
            "e4 a new purchase after the end is active",
            [
                first,
                record(signedOn: 30) {
                    $0.autoRenew = false; $0.expirationReason = .cancelled
                },
                .transaction(Example.period(3) { $0.isRenewal = false }),
            ],
            at: Example.day(91),
            .active,
            until: Example.day(120)
        ),
    ]

    private static let ending: [StateCase] =
        [
            StateCase(
                "c1 the subscription expires at the end if auto-renew is off",
                [first, record(signedOn: 5) { $0.autoRenew = false }],
                at: Example.day(30),
                .expired,
                because: .cancelled
            ),
            StateCase(
                "c1 the reason of the end is unknown without more facts",
                [first],
                at: Example.day(30),
                .expired,
                because: .unknown
            ),
            StateCase(
                "c2 a cancellation during billing retry ends the subscription",
                [
                    first,
                    record(signedOn: 33) {
                        $0.autoRenew = false; $0.expirationReason = .cancelled
                    },
                ],
                at: Example.day(34),
                .expired,
                because: .cancelled
            ),
        ]
        + [
            (RenewalFact.ExpirationReason.cancelled, SubscriptionState.EndReason.cancelled),
            (.billingError, .billingError), (.priceIncreaseNotAccepted, .priceIncreaseNotAccepted),
            (.productUnavailable, .productUnavailable), (.other, .other),
        ].map { stored, reason in
            StateCase(
                "c1, c3 the store's reason \(stored.rawValue) is the reason",
                [
                    first,
                    record(signedOn: 30) {
                        $0.expirationReason = stored; $0.autoRenew = false
                    },
                ],
                at: Example.day(31),
                .expired,
                because: reason
            )
        }

    private static let failed = record(signedOn: 30) { fact in
        fact.isInBillingRetry = true
        fact.expirationReason = .billingError
    }
    private static let failedWithGrace = record(signedOn: 30) { fact in
        fact.isInBillingRetry = true
        fact.graceExpiresAt = Example.day(46)
        fact.expirationReason = .billingError
    }

    private static let retrying = [
        StateCase(
            "b1 a failed charge with grace keeps access",
            [first, failedWithGrace],
            at: Example.day(31),
            .inGracePeriod,
            until: Example.day(46)
        ),
        StateCase(
            "b2 a failed charge without grace ends access",
            [first, failed],
            at: Example.day(31),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "b3 billing retry follows the grace period",
            [first, failedWithGrace],
            at: Example.day(46),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "b1 a record of a failed charge has no effect before the end of the period",
            [first, failedWithGrace],
            at: Example.day(29),
            .active,
            until: Example.day(30)
        ),
    ]

    private static let refunded = Revocation(at: Example.day(3), kind: .refund)

    private static let revoking = [
        StateCase(
            "d1 a refund of the current period ends access",
            [.transaction(Example.period(0) { $0.revocation = refunded }), renewing],
            at: Example.day(4),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "d1 a refund in grace ends access",
            [.transaction(Example.period(0) { $0.revocation = refunded }), failedWithGrace],
            at: Example.day(31),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "d1 a refunded upgrade does not restore the replaced period",
            [
                first,
                .transaction(
                    Example.period(1) { fact in
                        fact.productID = Example.yearly
                        fact.purchasedAt = Example.day(10)
                        fact.expiresAt = Example.day(375)
                        fact.isRenewal = false
                        fact.signedAt = Example.day(12)
                        fact.revocation = Revocation(at: Example.day(12), kind: .refund)
                    }
                ),
            ],
            at: Example.day(13),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "d2 the end of family sharing ends access",
            [
                .transaction(
                    Example.period(0) { fact in
                        fact.ownership = .familyShared
                        fact.revocation = Revocation(at: Example.day(3), kind: .sharingEnded)
                    }
                )
            ],
            at: Example.day(4),
            .revoked,
            because: .sharingEnded
        ),
        StateCase(
            "f1 a reversed refund restores access",
            [
                .transaction(Example.period(0) { $0.revocation = refunded }),
                .transaction(Example.period(0) { $0.signedAt = Example.day(5) }),
            ],
            at: Example.day(6),
            .active,
            until: Example.day(30)
        ),
        StateCase(
            "f2 a reversed refund does not restore access after the end",
            [
                .transaction(Example.period(0) { $0.revocation = refunded }),
                .transaction(Example.period(0) { $0.signedAt = Example.day(35) }),
            ],
            at: Example.day(36),
            .expired,
            because: .unknown
        ),
        StateCase(
            "status 1 with the record of a newer period overrides a refund of the newest known one",
            [
                .transaction(
                    Example.period(0) {
                        $0.revocation = refunded; $0.signedAt = Example.day(33)
                    }
                ),
                .renewal(Example.renewal(inPeriod: 1, signedAt: Example.day(33))),
                .status(Example.status(.active, signedAt: Example.day(33))),
            ],
            at: Example.day(34),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "status 1 from before the refund does not override it",
            [
                .transaction(
                    Example.period(0) {
                        $0.revocation = refunded; $0.signedAt = Example.day(33)
                    }
                ),
                .renewal(Example.renewal(inPeriod: 1, signedAt: Example.day(32))),
                .status(Example.status(.active, signedAt: Example.day(32))),
            ],
            at: Example.day(34),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "the record of the refunded period does not override the refund",
            [
                .transaction(
                    Example.period(0) {
                        $0.revocation = refunded; $0.signedAt = Example.day(4)
                    }
                ), renewing,
                .status(Example.status(.active, signedAt: Example.day(4))),
            ],
            at: Example.day(5),
            .revoked,
            because: .refunded
        ),
    ]

    private static let waiting = [
        StateCase(
            "a late renewal keeps access during the leeway",
            [first, renewing],
            at: Example.day(30, hours: 1),
            .active,
            until: Example.day(30, hours: 2)
        ),
        StateCase(
            "access ends after the leeway",
            [first, renewing],
            at: Example.day(30, hours: 2),
            .expired,
            because: .unknown
        ),
        StateCase(
            "the leeway is never longer than the period",
            [
                .transaction(Example.period(0) { $0.expiresAt = Example.day(0, hours: 1) }),
                .renewal(Example.renewal(inPeriod: 0) { $0.renewsAt = Example.day(0, hours: 1) }),
            ],
            at: Example.day(0, hours: 1, milliseconds: 1),
            .active,
            until: Example.day(0, hours: 2)
        ),
        StateCase(
            "status 1 with the record of a renewal counts before its transaction arrives",
            [
                first, .renewal(Example.renewal(inPeriod: 1)),
                .status(Example.status(.active, signedAt: Example.day(30))),
            ],
            at: Example.day(32),
            .active,
            until: Example.day(60)
        ),
        StateCase(
            "a record of an older period does not affect the current one",
            [
                first, second,
                record(signedOn: 40) {
                    $0.isInBillingRetry = true; $0.graceExpiresAt = Example.day(99)
                },
            ],
            at: Example.day(60),
            .expired,
            because: .unknown
        ),
    ]
}
