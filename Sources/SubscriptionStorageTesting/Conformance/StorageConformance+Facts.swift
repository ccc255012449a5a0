import SubscriptionCore
import SubscriptionStorage

extension StorageConformance {
    static let factChecks = [
        ConformanceCheck("facts come back identical with every optional part present") { database in
            try await expectRoundTrip(
                [.transaction(Samples.fullTransaction), .renewal(Samples.fullRenewal), .status(Samples.status())],
                database
            )
        },
        ConformanceCheck("facts come back identical with every optional part absent") { database in
            try await expectRoundTrip(
                [.transaction(Samples.transaction()), .renewal(Samples.renewal()), .status(Samples.status(.revoked))],
                database
            )
        },
        ConformanceCheck("facts come back identical with any one optional part present") { database in
            for fact in partlyFilledFacts { try await expectRoundTrip([fact], database) }
        },
        ConformanceCheck("facts come back identical with every value of every closed set") { database in
            for fact in factsOfEveryChoice { try await expectRoundTrip([fact], database) }
        },
        ConformanceCheck("extreme times and amounts come back identical") { database in
            var fact = Samples.fullTransaction
            fact.purchasedAt = Timestamp(milliseconds: .min)
            fact.expiresAt = Timestamp(milliseconds: .max)
            fact.price = Money(milliunits: .min, currency: "")
            fact.quantity = .max
            fact.storefront = "é\u{1F600}'\"\\%_"
            try await expectRoundTrip([.transaction(fact)], database)
        },
        ConformanceCheck("a newer fact replaces the stored one about the same thing, and nothing else") {
            database in
            let other = Samples.transaction("2000000000000009")
            try await save([.transaction(Samples.fullTransaction), .transaction(other)], database)
            try await save([.renewal(Samples.fullRenewal), .status(Samples.status(.expired))], database)
            let newer = Samples.transaction(signedAt: 8)
            try await save([.transaction(newer), .renewal(Samples.renewal(signedAt: 9))], database)
            try await save([.status(Samples.status(.active, signedAt: 9))], database)
            let ledger = try await ledger(database)
            try expectEqual([ledger[newer.id], ledger[other.id]], [newer, other], "the transactions")
            try expectEqual(ledger.timeline.count, 2, "how many transactions there are")
            try expectEqual(ledger.renewal, Samples.renewal(signedAt: 9), "the renewal record")
            try expectEqual(ledger.status, Samples.status(.active, signedAt: 9), "the status")
        },
        ConformanceCheck("a purchase of which nothing is known has an empty ledger") { database in
            let ledger = try await ledger(database)
            try expectEqual(ledger, PurchaseLedger(originalID: Samples.purchaseID), "the ledger")
        },
        ConformanceCheck("facts of one purchase, or of one app, never show in another's ledger") { database in
            let other = OriginalTransactionID("2000000000000077")
            try await save(
                [.transaction(Samples.transaction(of: other)), .renewal(Samples.renewal(of: other))],
                database
            )
            try await save(
                [.transaction(Samples.transaction()), .status(Samples.status())],
                app: Samples.otherApp,
                database
            )
            let ledger = try await ledger(database)
            try expectEqual(ledger, PurchaseLedger(originalID: Samples.purchaseID), "the ledger")
        },
    ]

    private static func save(
        _ facts: [Fact],
        app: AppID = Samples.app,
        _ database: any SubscriptionDatabase
    ) async throws {
        try await database.write { storage throws(StorageError) in
            for fact in facts { try storage.save(fact, of: app) }
        }
    }

    private static func ledger(_ database: any SubscriptionDatabase) async throws -> PurchaseLedger {
        try await database.read { storage throws(StorageError) in
            try storage.ledger(of: Samples.purchaseID, app: Samples.app)
        }
    }

    private static func expectRoundTrip(_ facts: [Fact], _ database: any SubscriptionDatabase) async throws {
        var expected = try await ledger(database)
        for fact in facts {
            // Facts of earlier rounds do not matter here.
            expected = expected.replacing(fact)
        }
        try await save(facts, database)
        let stored = try await ledger(database)
        for fact in facts {
            try expect(stored.facts.contains(fact), "the ledger contains \(fact); it contains \(stored.facts)")
        }
        try expectEqual(stored, expected, "the ledger")
    }

    private static var partlyFilledFacts: [Fact] {
        let full = Samples.fullTransaction
        let transactions: [(inout TransactionFact) -> Void] = [
            { $0.groupID = full.groupID }, { $0.expiresAt = full.expiresAt }, { $0.price = full.price },
            { $0.revocation = Revocation(at: Samples.time(1), kind: .refund) },
            { $0.revocation = Revocation(at: Samples.time(1), kind: .refund, reason: 0) },
            { $0.revocation = Revocation(at: Samples.time(1), kind: .refund, percentage: 0) },
            { $0.offer = Offer(kind: .offerCode) }, { $0.offer = Offer(kind: .winBack, payment: .oneTime) },
            { $0.offer = Offer(kind: .other, identifier: "") },
            { $0.offer = Offer(kind: .introductory, period: "P3D") },
            { $0.storefront = full.storefront }, { $0.accountToken = full.accountToken },
            { $0.appTransactionID = full.appTransactionID }, { $0.chargeID = full.chargeID },
        ]
        let record = Samples.fullRenewal
        let renewals: [(inout RenewalFact) -> Void] = [
            { $0.expirationReason = record.expirationReason }, { $0.graceExpiresAt = record.graceExpiresAt },
            { $0.priceIncreaseAccepted = true }, { $0.priceIncreaseAccepted = false }, { $0.offer = record.offer },
            { $0.renewsAt = record.renewsAt }, { $0.renewalPrice = record.renewalPrice },
            { $0.recentStartAt = record.recentStartAt }, { $0.accountToken = record.accountToken },
            { $0.winBackOfferIDs = record.winBackOfferIDs }, { $0.isCommitted = true },
        ]
        return transactions.map { .transaction(changed(Samples.transaction(), $0)) }
            + renewals.map { .renewal(changed(Samples.renewal(), $0)) }
    }

    private static var factsOfEveryChoice: [Fact] {
        let kinds = ProductKind.allCases.map { kind in changed(Samples.transaction()) { $0.kind = kind } }
        let owned = [Ownership.purchased, .familyShared, .assigned, .other]
            .map { ownership in changed(Samples.transaction()) { $0.ownership = ownership } }
        let revoked = [Revocation.Kind.refund, .proratedRefund, .sharingEnded]
            .map { kind in
                changed(Samples.transaction()) { $0.revocation = Revocation(at: Samples.time(3), kind: kind) }
            }
        let reasons: [RenewalFact.ExpirationReason] = [
            .cancelled, .billingError, .priceIncreaseNotAccepted, .productUnavailable, .other,
        ]
        let ended = reasons.map { reason in changed(Samples.renewal()) { $0.expirationReason = reason } }
        let statuses = SubscriptionStatus.allCases.map { Fact.status(Samples.status($0)) }
        return (kinds + owned + revoked).map(Fact.transaction) + ended.map(Fact.renewal) + statuses
    }

    private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var copy = value
        change(&copy)
        return copy
    }
}

extension PurchaseLedger {
    /// The ledger with a fact replaced by a newer one about the same thing.
    fileprivate func replacing(_ fact: Fact) -> PurchaseLedger {
        var ledger = PurchaseLedger(originalID: originalID)
        for other in facts where !other.isAboutTheSame(as: fact) { ledger.join(other) }
        ledger.join(fact)
        return ledger
    }
}

extension Fact {
    fileprivate func isAboutTheSame(as other: Fact) -> Bool {
        switch (self, other) {
        case (.transaction(let left), .transaction(let right)): left.id == right.id
        case (.renewal, .renewal), (.status, .status): true
        default: false
        }
    }
}
