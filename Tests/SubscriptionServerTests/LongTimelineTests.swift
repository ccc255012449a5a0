import AppStoreModel
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import Testing

/// The timeline of subscriptions with many renewals.
@Suite struct `Long timelines` {
    private static let customer = CustomerID("u_1")
    private static let purchase = OriginalTransactionID(Sample.original)
    /// The default of the server.
    private static let recentCount = 8
    private static let week: Int64 = 7 * 86_400_000

    /// A server that stores signed transactions of u_1's subscription.
    private static func server(_ payloads: [JWSTransactionDecodedPayload]) async throws -> ServerFixture {
        let server = try await ServerFixture()
        let evidence = try payloads.enumerated().map { number, payload in
            EvidenceRecord(
                appID: ServerFixture.app,
                id: EvidenceID("transaction:\(number)"),
                kind: .transaction,
                signedAt: Timestamp(milliseconds: payload.signedDate),
                receivedAt: Timestamp(milliseconds: payload.signedDate),
                signedBytes: Array(try server.apple.sign(payload).utf8),
                purchaseID: purchase
            )
        }
        let last = Timestamp(milliseconds: payloads.map(\.signedDate).max() ?? 0)
        server.time.advance(to: last.adding(milliseconds: 400 * 86_400_000))
        try await server.database.write { storage throws(StorageError) in
            for record in evidence { _ = try storage.insert(record) }
            try storage.save(
                CustomerRecord(id: customer, firstSeenAt: last, stateVersion: 1),
                of: ServerFixture.app
            )
            try storage.save(
                PurchaseRecord(id: purchase, customerID: customer, claim: .submitted, evaluatedAt: last),
                of: ServerFixture.app
            )
        }
        return server
    }

    private static func period(_ number: Int, from start: Int64) -> JWSTransactionDecodedPayload {
        var payload = SignedApple.period(
            id: number == 0 ? Sample.original : "20000000010\(10_000 + number)",
            signedAt: start
        )
        payload.purchaseDate = start
        payload.originalPurchaseDate = ServerFixture.now
        payload.expiresDate = start + week
        payload.transactionReason = number == 0 ? .purchase : .renewal
        return payload
    }

    private static func timeline(of server: ServerFixture, recentCount: Int) async throws -> [TimelineEntry] {
        let timeline = CustomerTimeline(
            database: server.database,
            policy: AccessPolicy(),
            time: server.time,
            recentCount: recentCount
        )
        return try await timeline.entries(of: customer, app: ServerFixture.app)
    }

    /// Renewals with gaps, upgrades, refunds of old periods, reversals, and late signature dates.
    private static func randomTransactions(_ random: inout SplitMix64) -> [JWSTransactionDecodedPayload] {
        var transactions: [JWSTransactionDecodedPayload] = []
        var start = ServerFixture.now
        for number in 0..<60 {
            var payload = period(number, from: start)
            switch random.next() % 12 {
            case 0:
                // A new purchase after a gap.
                start += 3 * week
                payload = period(number, from: start)
                payload.transactionReason = .purchase
            case 1:
                // Another product during the previous period.
                payload = period(number, from: start - week / 2)
                payload.transactionReason = .purchase
                payload.productId = number.isMultiple(of: 2) ? "pro.yearly" : "pro.weekly"
                payload.signedDate = payload.purchaseDate
            case 2: payload.offerType = .promotional
            default: break
            }
            transactions.append(payload)
            start = max(start, payload.purchaseDate) + week
            guard random.next() % 6 == 0, let old = transactions.randomElement(using: &random) else { continue }
            var again = old
            again.signedDate = start - Int64(random.next() % UInt64(week))
            if old.revocationDate == nil { again.revocationDate = again.signedDate } else { again.revocationDate = nil }
            transactions.append(again)
        }
        // Some are signed after newer transactions.
        for index in transactions.indices where random.next() % 15 == 0 { transactions[index].signedDate += 5 * week }
        return transactions
    }

    @Test(arguments: Array<UInt64>(1...25))
    func `are the same for any number of transactions per step`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let server = try await Self.server(Self.randomTransactions(&random))
        let whole = try await Self.timeline(of: server, recentCount: .max / 4)
        #expect(whole.count > 60)
        for recentCount in [4, Self.recentCount] {
            #expect(try await Self.timeline(of: server, recentCount: recentCount) == whole)
        }
    }

    @Test func `take time linear in the number of renewals`() async throws {
        let counts = [150, 600]
        var servers: [ServerFixture] = []
        for count in counts {
            let payloads = (0..<count).map { Self.period($0, from: ServerFixture.now + Int64($0) * Self.week) }
            servers.append(try await Self.server(payloads))
        }
        let clock = ContinuousClock()
        var times = counts.map { _ in Duration.seconds(3600) }
        // Other work on the machine may slow down any round, so the best times count. A quadratic one never passes.
        for round in 1...30 where round <= 3 || times[1] >= times[0] * 9 {
            for (index, server) in servers.enumerated() {
                let start = clock.now
                let timeline = try await Self.timeline(of: server, recentCount: Self.recentCount)
                times[index] = min(times[index], clock.now - start)
                #expect(timeline.count { $0.type == "subscription.renewed" } == counts[index] - 1)
            }
        }
        #expect(times[1] < times[0] * 9, "150: \(times[0]), 600: \(times[1])")
    }
}
