import AppStoreModel
import LocalAppStore
import Testing

@Suite struct `Faults of the store` {
    @Test func `a dropped attempt times out, and the retry schedule continues`() throws {
        var transcript = try faulty([FaultRule(.drop, frequency: .count(2))])
        try transcript.buy("coins.100")
        try transcript.advance(to: 20 * hourLength)
        #expect(try transcript.attempts() == [[(0, "TIMED_OUT"), (1, "TIMED_OUT"), (13, "SUCCESS")]].map(texts))
        #expect(transcript.store.faults.deliveries.map(\.happened) == [2])
        #expect(transcript.store.faults.deliveries.map(\.frequency) == [.count(0)])
    }

    @Test func `a delayed attempt is made later, once`() throws {
        var transcript = try faulty([FaultRule(.delay(.hours(3)), frequency: .probability(1))])
        try transcript.buy("coins.100")
        try transcript.advance(to: 20 * hourLength)
        #expect(try transcript.attempts() == [[(3, "SUCCESS")]].map(texts))
        #expect(transcript.store.nextDue(atOrBefore: .max) == nil)
    }

    @Test func `a reordered notification arrives after the next one`() throws {
        var transcript = try faulty([FaultRule(.reorder, frequency: .count(1))])
        for _ in 0..<3 { try transcript.buy("coins.100") }
        let ids = try transcript.allRecords().map(\.notificationUUID)
        var order: [String] = []
        while let next = transcript.store.dueDeliveries().first {
            order.append(next.notificationUUID)
            try transcript.store.recordAttempt(notificationUUID: next.notificationUUID, result: .success)
        }
        #expect(Set(order) == Set(ids) && order.count == 3)
        #expect(order.firstIndex(of: ids[0]) != 0)
        #expect(transcript.store.nextDue(atOrBefore: hourLength) == nil || transcript.store.dueDeliveries().isEmpty)
        try transcript.advance(to: 2 * hourLength)
        #expect(try transcript.allRecords().allSatisfy { $0.attempts.count == 1 })
    }

    @Test func `a reordered notification waits an hour when none follows`() throws {
        var transcript = try faulty([FaultRule(.reorder, frequency: .probability(1))])
        try transcript.buy("coins.100")
        try transcript.advance(to: 5 * hourLength)
        #expect(try transcript.attempts() == [[(1, "SUCCESS")]].map(texts))
    }

    @Test func `a fault for one type does not affect the others`() throws {
        var transcript = try faulty([FaultRule(.drop, target: .didRenew, frequency: .probability(1))])
        try transcript.buy("pro.weekly")
        try transcript.advance(to: 7 * dayLength)
        #expect(try transcript.attempts().map(\.first) == ["0 SUCCESS", "168 TIMED_OUT"])
    }

    @Test func `the first matching rule applies, and repeated listings are equal`() throws {
        var transcript = try faulty([
            FaultRule(.status(500), frequency: .count(1)), FaultRule(.truncate, frequency: .count(1)),
        ])
        for _ in 0..<3 { try transcript.buy("coins.100") }
        let first = transcript.store.dueDeliveries().map(\.fault)
        #expect(first == [.status(500), .truncate, nil])
        #expect(transcript.store.dueDeliveries().map(\.fault) == first)
    }

    @Test func `equal seeds give equal faults, with about the given probability`() throws {
        func drops(seed: UInt64) throws -> [Bool] {
            var transcript = try faulty([FaultRule(.drop, frequency: .probability(0.3))], seed: seed)
            for _ in 0..<500 { try transcript.buy("coins.100") }
            return transcript.store.dueDeliveries().map { $0.fault == .drop }
        }
        let first = try drops(seed: 1)
        #expect(try drops(seed: 1) == first)
        #expect(try drops(seed: 2) != first)
        #expect((100...200).contains(first.count { $0 }))
    }

    @Test func `a call gets its endpoint's faults in order`() throws {
        var store = try StoreTranscript(at: 0).store
        store.replaceFaults(
            FaultPlan(calls: [
                FaultRule(.malformedBody, target: .getTransactionInfo, frequency: .count(1)),
                FaultRule(.serverError(isRetryable: true), frequency: .count(2)),
            ])
        )
        #expect(store.fault(of: .getRefundHistory) == .serverError(isRetryable: true))
        #expect(store.fault(of: .getTransactionInfo) == .malformedBody)
        #expect(store.fault(of: .getTransactionInfo) == .serverError(isRetryable: true))
        #expect(store.fault(of: .getTransactionInfo) == nil)
    }

    @Test(
        arguments: [
            (StoreProfile.noRetryAfter400, 400, 1), (.noRetryAfter400, 500, 6), (.production, 400, 6),
        ] as [(StoreProfile, Int, Int)]
    )
    func `a 400 ends the retries by profile only`(profile: StoreProfile, status: Int, attempts: Int) throws {
        var transcript = try StoreTranscript.withAccount(at: 0, profile: profile)
        try transcript.buy("coins.100")
        repeat {
            for delivery in transcript.store.dueDeliveries() {
                try transcript.store.recordAttempt(
                    notificationUUID: delivery.notificationUUID,
                    result: .unsuccessfulHTTPResponseCode,
                    httpStatus: status
                )
            }
            guard let next = transcript.store.nextDue(atOrBefore: .max) else { break }
            try transcript.store.step(to: next)
        } while true
        #expect(try transcript.allRecords().map(\.attempts.count) == [attempts])
    }

    @Test func `faults of deliveries are removed with the endpoint`() throws {
        var transcript = try faulty([FaultRule(.reorder, frequency: .count(1))])
        try transcript.buy("coins.100")
        #expect(transcript.store.dueDeliveries().isEmpty)
        try transcript.store.setNotificationEndpoint(url: nil)
        #expect(transcript.store.nextDue(atOrBefore: .max) == nil)
    }

    private func faulty(
        _ rules: [FaultRule<DeliveryFault, NotificationType>],
        seed: UInt64 = 0
    ) throws -> StoreTranscript {
        var transcript = try StoreTranscript.withAccount(at: 0)
        transcript.store.replaceFaults(FaultPlan(deliveries: rules, seed: seed))
        return transcript
    }

    private func texts(_ attempts: [(Int, String)]) -> [String] { attempts.map { "\($0.0) \($0.1)" } }
}

extension StoreTranscript {
    /// The attempts of every notification, as hours since 1970 and result.
    fileprivate func attempts() throws -> [[String]] {
        try allRecords().map { record in
            record.attempts.map { "\($0.attemptDate / hourLength) \($0.sendAttemptResult.rawValue)" }
        }
    }
}
