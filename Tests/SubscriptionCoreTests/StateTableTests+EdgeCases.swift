import SubscriptionCore

/// Equal times, and contradictory statements.
extension `The state of a subscription` {
    static let edgeCases = statusEdgeCases + refundEdgeCases + recordEdgeCases

    private static let first = Fact.transaction(Example.period(0))
    private static let second = Fact.transaction(Example.period(1))

    private static func refunded(
        at day: Int,
        signedOn signed: Int? = nil,
        _ change: (inout TransactionFact) -> Void = { _ in }
    ) -> Fact {
        .transaction(
            Example.period(0) { fact in
                fact.revocation = Revocation(at: Example.day(day), kind: .refund)
                fact.signedAt = Example.day(signed ?? day)
                change(&fact)
            }
        )
    }

    private static func status(_ status: SubscriptionStatus, on day: Int) -> Fact {
        .status(Example.status(status, signedAt: Example.day(day)))
    }

    private static func record(
        _ period: Int = 0,
        on day: Int,
        _ change: (inout RenewalFact) -> Void = { _ in }
    ) -> Fact {
        .renewal(Example.renewal(inPeriod: period, signedAt: Example.day(day), change))
    }

    private static func failed(on day: Int, grace: Int? = nil) -> Fact {
        record(on: day) { fact in
            fact.isInBillingRetry = true
            fact.expirationReason = .billingError
            fact.graceExpiresAt = grace.map { Example.day($0) }
        }
    }

    private static let statusEdgeCases: [StateCase] = [
        StateCase(
            "status 2 that is signed together with a record counts",
            [first, second, record(1, on: 40), status(.expired, on: 40)],
            at: Example.day(41),
            .expired,
            because: .unknown
        ),
        StateCase(
            "a record that is signed together with status 4 decides",
            [first, failed(on: 30), status(.inGracePeriod, on: 30)],
            at: Example.day(31),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "status 4 after the end of the known grace period means another grace period",
            [first, failed(on: 30, grace: 40), status(.inGracePeriod, on: 41)],
            at: Example.day(42),
            .inGracePeriod,
            until: Example.day(58)
        ),
        StateCase(
            "status 4 at the end of the known grace period means another grace period",
            [first, failed(on: 30, grace: 40), status(.inGracePeriod, on: 40)],
            at: Example.day(41),
            .inGracePeriod,
            until: Example.day(58)
        ),
        StateCase(
            "status 2 from before the refund does not affect it",
            [refunded(at: 29, signedOn: 33), status(.expired, on: 31)],
            at: Example.day(34),
            .revoked,
            because: .refunded
        ),
    ]

    private static let refundEdgeCases: [StateCase] = [
        StateCase(
            "a refund with status 5 is a refund",
            [refunded(at: 3), status(.revoked, on: 3)],
            at: Example.day(4),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "a refund at the end in the record leaves the status expired",
            [refunded(at: 30), record(on: 30) { $0.expirationReason = .cancelled }],
            at: Example.day(34),
            .expired,
            because: .cancelled
        ),
        StateCase(
            "a refund during billing retry revokes",
            [refunded(at: 33), failed(on: 30)],
            at: Example.day(34),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "a refund during billing retry revokes, although a later copy and the record say why it ended",
            [
                refunded(at: 33, signedOn: 35), failed(on: 30), status(.revoked, on: 33),
                record(on: 35) { $0.expirationReason = .billingError },
            ],
            at: Example.day(36),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "a refund after an end without a record revokes",
            [refunded(at: 33), record(on: 0)],
            at: Example.day(34),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "a renewal that is refunded before its start ends at its start",
            [
                first,
                .transaction(
                    Example.period(1) { fact in
                        fact.revocation = Revocation(at: Example.day(29), kind: .refund)
                        fact.signedAt = Example.day(29)
                    }
                ),
            ],
            at: Example.day(31),
            .revoked,
            because: .refunded
        ),
        StateCase(
            "a refunded long period ends before a shorter period that was bought later",
            [
                refunded(at: 10) { $0.expiresAt = Example.day(365) },
                .transaction(
                    Example.period(1) { fact in
                        fact.isRenewal = false
                        fact.purchasedAt = Example.day(12)
                        fact.expiresAt = Example.day(42)
                    }
                ),
            ],
            at: Example.day(50),
            .expired,
            because: .unknown
        ),
    ]

    private static let recordEdgeCases: [StateCase] = [
        StateCase(
            "a charge that failed a day before the end is billing retry from the end on",
            [first, failed(on: 29)],
            at: Example.day(31),
            .inBillingRetry,
            until: Example.day(90, hours: 2)
        ),
        StateCase(
            "renewal off at the signing of the last period is a cancellation",
            [first, second, record(on: 30) { $0.autoRenew = false }],
            at: Example.day(61),
            .expired,
            because: .cancelled
        ),
    ]
}
