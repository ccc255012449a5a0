import AppStoreModel
import AppStoreSigning
import Testing

/// A running virtual clock, with real time that the test moves.
@Suite struct `The running clock` {
    @Test func `the clock is stopped until it has a speed, and again with a speed of 0`() async throws {
        let time = ManualTime()
        try await withStore(realTime: time) { store in
            #expect(try await store.get("/_store/clock").json == ["now": .integer(RunningStore.start), "speed": 0])
            time.advance(by: 5_000)
            #expect(try await store.get("/_store/clock").json["now"].integerValue == RunningStore.start)
            let started = try await store.put("/_store/clock", ["speed": 60])
            #expect(started.json == ["now": .integer(RunningStore.start), "speed": 60])
            time.advance(by: 1_000)
            let shown = try await store.get("/_store/clock").json
            #expect(shown == ["now": .integer(RunningStore.start + 60_000), "speed": 60])
            let stopped = try await store.put("/_store/clock", ["speed": 0])
            #expect(stopped.json == ["now": .integer(RunningStore.start + 60_000), "speed": 0])
            time.advance(by: 1_000)
            #expect(try await store.get("/_store/status").json["now"].integerValue == RunningStore.start + 60_000)
        }
    }

    @Test func `a purchase with a running clock has the current second`() async throws {
        let time = ManualTime()
        try await withStore(realTime: time) { store in
            _ = try await store.put("/_store/clock", ["speed": 1])
            time.advance(by: 12_345)
            let jws = try #require(try await store.buy("lifetime")["signedTransactionInfo"].stringValue)
            let purchase = try store.verifier.verifyTransaction(jws).get()
            #expect(purchase.purchaseDate == RunningStore.start + 12_000)
            #expect(purchase.signedDate == RunningStore.start + 12_345)
        }
    }

    @Test func `a running clock renews by itself and notifies its followers`() async throws {
        let time = ManualTime()
        try await withStore(realTime: time) { store in
            try await withDeveloperServer { developer in
                _ = try await store.buy("pro.weekly")
                let join: JSONValue = [
                    "settleUrl": .string(developer.settleURL), "token": "t",
                    "notificationUrl": .string(developer.notificationURL),
                ]
                _ = try await store.post("/_store/followers", join)
                // A week in 168 seconds.
                _ = try await store.put("/_store/clock", ["speed": 3_600])
                // The clock's loop may start to wait at any time: real time continues until the follower was called,
                // but not while a slow machine works on what is due.
                let ticking = Task {
                    while !Task.isCancelled {
                        if time.isAwaited { time.advance(by: 4_000) }
                        await Task.yield()
                    }
                }
                for await _ in developer.log.settleCalls {
                    if await !developer.log.payloads.isEmpty { break }
                }
                ticking.cancel()
                let first = try #require(await developer.log.payloads.first)
                let renewal = try store.verifier.verifyNotification(first).get()
                #expect(renewal.payload.notificationType == .didRenew)
                #expect(renewal.transaction?.purchaseDate == RunningStore.start + 7 * 86_400_000)
            }
        }
    }

    @Test func `a running clock can be advanced by any duration, and continues from there`() async throws {
        let time = ManualTime()
        try await withStore(realTime: time) { store in
            _ = try await store.put("/_store/clock", ["speed": 10])
            time.advance(by: 100)
            let month: Int64 = 30 * 86_400_000
            #expect(try await store.advance(by: "P30D")["now"].integerValue == RunningStore.start + 1_000 + month)
            time.advance(by: 100)
            let now = try await store.get("/_store/clock").json["now"].integerValue
            #expect(now == RunningStore.start + 2_000 + month)
        }
    }

    @Test func `a reset stops the clock`() async throws {
        let time = ManualTime()
        try await withStore(realTime: time) { store in
            _ = try await store.put("/_store/clock", ["speed": 10])
            time.advance(by: 100)
            _ = try await store.post("/_store/reset")
            time.advance(by: 100)
            #expect(try await store.get("/_store/clock").json == ["now": .integer(RunningStore.start), "speed": 0])
        }
    }

    @Test(
        arguments: [
            ([:], 400, "missing_field"),
            (["speed": "fast"], 400, "wrong_type"),
            (["speed": -1], 422, "speed_invalid"),
            (["speed": 10_000_001], 422, "speed_invalid"),
            (["speed": 1, "unit": "s"], 400, "unknown_field"),
        ] as [(JSONValue, Int, String)]
    )
    func `an invalid speed is refused`(body: JSONValue, status: Int, code: String) async throws {
        try await withStore { store in
            let answer = try await store.put("/_store/clock", body)
            #expect(answer.status == status)
            #expect(answer.errorCode == code)
        }
    }
}
