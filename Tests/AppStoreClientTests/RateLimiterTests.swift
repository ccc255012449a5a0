import AppStoreModel
import PerennialPrimitives
import Testing

@testable import AppStoreClient

@Suite struct `The client's rate limiter` {
    private static let hour: Int64 = 3_600_000
    private static let key = RateLimiter.Key(
        bundleId: "com.example",
        environment: .sandbox,
        call: "get-transaction-info"
    )

    /// The departure times of many callers with given arrival times who wait as required.
    private func departures(_ arrivals: [Int64], limit: RateLimit) -> [Int64] {
        let limiter = RateLimiter()
        return arrivals.compactMap { now in
            switch limiter.admit(Self.key, limit: limit, now: now, waitMax: .max) {
            case .after(let wait): now + wait
            case .refused: nil
            }
        }
    }

    /// The maximum number of departures in any window of a length, its end excluded.
    private func most(_ departures: [Int64], in window: Int64) -> Int {
        var most = 0
        var first = 0
        for (index, departure) in departures.enumerated() {
            while departures[first] <= departure - window { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    @Test(arguments: [(callsPerHour: 36, burst: 1), (36, 12), (360, 3), (3600, 30), (18_000, 150), (20_000, 19_999)])
    func `no hour, wherever it starts, has more calls than the quota`(callsPerHour: Int, burst: Int) {
        var generator = SplitMix64(seed: UInt64(callsPerHour + burst))
        for pattern in 0..<4 {
            var now: Int64 = 0
            let arrivals = (0..<callsPerHour * 3).map { _ -> Int64 in
                switch pattern {
                case 0: break
                case 1: now += Int64.random(in: 0...200, using: &generator)
                case 2: now += Bool.random(using: &generator) ? 0 : Int64.random(in: 0...20_000, using: &generator)
                default: now += Int.random(in: 0..<500, using: &generator) == 0 ? Self.hour : 1
                }
                return now
            }
            let limit = RateLimit(callsPerHour: callsPerHour, burst: burst)
            let departures = departures(arrivals, limit: limit)

            #expect(departures.count == arrivals.count)
            #expect(departures == departures.sorted(), "who comes first goes first")
            #expect(most(departures, in: Self.hour) <= callsPerHour)
            // In a shorter window: the burst, plus the steady rate.
            for window: Int64 in [1000, 10_000, 60_000] {
                let steady = Double(callsPerHour - burst) * Double(window) / Double(Self.hour)
                #expect(Double(most(departures, in: window)) <= Double(burst) + steady + 1)
            }
        }
    }

    @Test func `the quota is nearly used`() {
        let departures = departures(Array(repeating: 0, count: 7200), limit: RateLimit(callsPerHour: 3600, burst: 30))

        // Times are rounded up to milliseconds, which costs a call.
        #expect((3599...3600).contains(most(departures, in: Self.hour)))
        #expect(departures.prefix(30).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 3])
    func `released slots go to the next callers, within the quota`(burst: Int) throws {
        var generator = SplitMix64(seed: UInt64(burst))
        let limit = RateLimit(callsPerHour: 360 + burst, burst: burst)
        let limiter = RateLimiter()
        var now: Int64 = 0
        var waiting: [Int64] = []
        var gone: [Int64] = []
        for _ in 0..<4000 {
            now += Int64.random(in: 0...9000, using: &generator)
            gone += waiting.filter { $0 <= now }
            waiting.removeAll { $0 <= now }
            if let index = waiting.indices.randomElement(using: &generator), Bool.random(using: &generator) {
                limiter.release(Self.key, at: waiting.remove(at: index))
            }
            if case .after(let wait) = limiter.admit(Self.key, limit: limit, now: now, waitMax: 600_000) {
                waiting.append(now + wait)
            }
        }
        #expect(most(gone.sorted(), in: Self.hour) <= 360 + burst)

        let queue = RateLimiter()
        for _ in 0..<burst + 6 { _ = queue.admit(Self.key, limit: limit, now: 0, waitMax: .max) }
        for position in [3, 1, 2, 6, 5, 4] { queue.release(Self.key, at: Int64(position) * 10_000) }
        let next = (1...7).map { _ in queue.admit(Self.key, limit: limit, now: 0, waitMax: .max) }
        #expect(next == (1...7).map { .after($0 * 10_000) })
    }

    @Test func `a refused caller reserves no slot`() {
        let limiter = RateLimiter()
        let limit = RateLimit(callsPerHour: 361, burst: 1)

        #expect(limiter.admit(Self.key, limit: limit, now: 0, waitMax: 0) == .after(0))
        for _ in 0..<100 {
            #expect(limiter.admit(Self.key, limit: limit, now: 0, waitMax: 9999) == .refused(wait: 10_000))
        }
        #expect(limiter.admit(Self.key, limit: limit, now: 0, waitMax: 10_000) == .after(10_000))
        #expect(limiter.admit(Self.key, limit: limit, now: 0, waitMax: 20_000) == .after(20_000))
    }

    @Test func `apps, environments and calls do not share a limit`() {
        let limiter = RateLimiter()
        let limit = RateLimit(callsPerHour: 36, burst: 1)
        let keys = [
            Self.key, RateLimiter.Key(bundleId: "b", environment: .sandbox, call: "get-transaction-info"),
            RateLimiter.Key(bundleId: "com.example", environment: .production, call: "get-transaction-info"),
            RateLimiter.Key(bundleId: "com.example", environment: .sandbox, call: "get-refund-history"),
        ]
        for key in keys { #expect(limiter.admit(key, limit: limit, now: 0, waitMax: 0) == .after(0)) }
        for key in keys { #expect(limiter.admit(key, limit: limit, now: 0, waitMax: 0) != .after(0)) }
    }

    @Test func `a hold by the server delays all callers, but at most an hour`() {
        let limiter = RateLimiter()
        limiter.hold(Self.key, milliseconds: 5000, now: 1000)

        #expect(limiter.admit(Self.key, limit: nil, now: 2000, waitMax: .max) == .after(4000))
        #expect(
            limiter.admit(Self.key, limit: RateLimit(callsPerHour: 3600, burst: 9), now: 2000, waitMax: 10)
                == .refused(wait: 4000)
        )
        #expect(limiter.admit(Self.key, limit: nil, now: 6000, waitMax: 0) == .after(0))
        limiter.hold(Self.key, milliseconds: .max, now: 6000)
        #expect(limiter.admit(Self.key, limit: nil, now: 6000, waitMax: .max) == .after(3_600_000))
        limiter.hold(Self.key, milliseconds: 1, now: 6000)
        #expect(limiter.admit(Self.key, limit: nil, now: 6000, waitMax: .max) == .after(3_600_000))
    }

    @Test func `Apple's numbers become a quota per hour, a tenth of it in sandbox`() {
        let production = RateLimit(productionCallsPerSecond: 50, isSandbox: false)
        #expect(production == RateLimit(callsPerHour: 180_000, burst: 1500))
        #expect(RateLimit(productionCallsPerSecond: 50, isSandbox: true) == RateLimit(callsPerHour: 18_000, burst: 150))
        #expect(RateLimit(productionCallsPerSecond: 1, isSandbox: true) == RateLimit(callsPerHour: 360, burst: 3))
    }

    @Test func `processes that share a limit respect it together, even at one call per second`() throws {
        for call in AppStoreServerCall.all {
            for isSandbox in [false, true] {
                guard let whole = RateLimiting.apple.rule(call, isSandbox) else { continue }
                let part = try #require(RateLimiting.apple(sharedBy: 4).rule(call, isSandbox))
                #expect(part.callsPerHour == whole.callsPerHour / 4 && part.burst == max(1, whole.burst / 4))
                #expect(RateLimiting.apple(sharedBy: 0).rule(call, isSandbox) == whole)
            }
        }
        #expect(RateLimit(productionCallsPerSecond: 1, isSandbox: false).part(ofProcesses: 4).callsPerHour == 900)
    }

    @Test func `no number crashes a limit or the limiter`() {
        for number in [Int.min, -1, 0, 1, .max] {
            for burst in [Int.min, 0, .max] {
                let limit = RateLimit(callsPerHour: number, burst: burst)
                #expect(limit.callsPerHour >= 2)
                #expect((1..<limit.callsPerHour).contains(limit.burst))
                _ = RateLimit(productionCallsPerSecond: number, isSandbox: true, burstSeconds: burst)
            }
        }
        let limiter = RateLimiter()
        for now in [Int64.min, -1, .max, 0] {
            _ = limiter.admit(Self.key, limit: RateLimit(callsPerHour: 2, burst: 1), now: now, waitMax: .max)
            _ = limiter.admit(Self.key, limit: RateLimit(callsPerHour: 2, burst: 1), now: now, waitMax: .min)
            limiter.hold(Self.key, milliseconds: .min, now: now)
        }
    }

    @Test func `a client respects Apple's limit by itself`() async throws {
        let answers = Array(
            repeating: ScriptedTransport.Step.answer(200, "{\"testNotificationToken\":\"t\"}"),
            count: 5
        )
        let stage = Stage(answers)
        let app = stage.app(.sandbox)
        for _ in 0..<5 { _ = try await app.requestTestNotification() }

        // Three at once, the others spaced: 360 an hour.
        #expect(stage.clock.sleeps == [10_085, 10_084])
        #expect(stage.transport.isOver)
    }

    @Test func `a client refuses at once a call that the limit would admit after the deadline`() async throws {
        let answers = Array(
            repeating: ScriptedTransport.Step.answer(200, "{\"testNotificationToken\":\"t\"}"),
            count: 3
        )
        let stage = Stage(answers)
        let app = stage.app(.sandbox).within(.seconds(5))
        for _ in 0..<3 { _ = try await app.requestTestNotification() }

        let error = await Stage.error { try await app.requestTestNotification() }

        #expect(error?.code == .rateLimitedByClient)
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfter?.delay == 10_085)
        #expect(stage.clock.sleeps.isEmpty)
    }

    @Test func `without limits a client sends at once, and custom limits apply`() async throws {
        let answers = Array(
            repeating: ScriptedTransport.Step.answer(200, "{\"testNotificationToken\":\"t\"}"),
            count: 5
        )
        let free = Stage(answers, configuration: .init(rateLimiting: .off))
        for _ in 0..<5 { _ = try await free.app(.sandbox).requestTestNotification() }
        #expect(free.clock.sleeps.isEmpty)

        let own = RateLimiting { _, _ in RateLimit(callsPerHour: 3601, burst: 1) }
        let strict = Stage(answers, configuration: .init(rateLimiting: own))
        for _ in 0..<5 { _ = try await strict.app(.sandbox).requestTestNotification() }
        #expect(strict.clock.sleeps == [1000, 1000, 1000, 1000])
    }

    @Test func `a rate limit of Apple's delays other calls of the same kind too`() async throws {
        let configuration = AppStoreServerAPIClient.Configuration(retryPolicy: .never)
        let stage = Stage(
            [.error(429, 4_290_000, headers: [.init("Retry-After", "9")]), .answer(200, Bodies.transaction)],
            configuration: configuration
        )
        let error = await Stage.error {
            try await stage.app.getTransactionInfo(transactionId: "1")
        }
        #expect(error?.code == .rateLimited)

        _ = try await stage.app.getTransactionInfo(transactionId: "2")

        #expect(stage.clock.sleeps == [9000])
    }

    @Test func `a rate limit of a local store delays no other call, because its clock may move meanwhile`() async throws
    {
        let stage = Stage(
            [.error(429, 4_290_000, headers: [.init("Retry-After", "9")]), .answer(200, Bodies.transaction)],
            configuration: .init(retryPolicy: .never),
            clock: VirtualClock(isRealTime: false)
        )
        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }
        #expect(error?.code == .rateLimited)

        _ = try await stage.app.getTransactionInfo(transactionId: "2")

        #expect(stage.clock.sleeps.isEmpty)
    }

    @Test(arguments: [VirtualClock.start - 3_600_000, VirtualClock.start + 1])
    func `a rate limit of a local store is not waited for, because its clock is another one`(
        retryAt: Int64
    ) async throws {
        let stage = Stage(
            [.error(429, 4_290_000, headers: [.init("Retry-After", "\(retryAt)")])],
            clock: VirtualClock(isRealTime: false)
        )
        let error = await Stage.error { try await stage.app.getTransactionInfo(transactionId: "1") }
        #expect(error?.code == .rateLimited)
        #expect(error?.isRetryable == true)
        #expect(error?.retryAfter?.date == retryAt)
        #expect(error?.attempts == 1)
        #expect(stage.clock.sleeps.isEmpty)
    }

    @Test func `a waiting caller waits longer if Apple demands it in the meantime`() async throws {
        let limit = RateLimiting { _, _ in RateLimit(callsPerHour: 3601, burst: 1) }
        let stage = Stage(
            [
                .answer(200, Bodies.transaction), .error(429, 4_290_000, headers: [.init("Retry-After", "9")]),
                .answer(200, Bodies.transaction),
            ],
            configuration: .init(retryPolicy: .never, rateLimiting: limit)
        )
        let app = stage.app
        _ = try await app.getTransactionInfo(transactionId: "1")
        // While the second call waits for its slot, a third one uses its own and is refused.
        stage.clock.duringNextSleep {
            let refused = await Stage.error { try await app.getTransactionInfo(transactionId: "3") }
            #expect(refused?.code == .rateLimited)
        }

        _ = try await app.getTransactionInfo(transactionId: "2")

        // Two seconds of the third, one of the second, and eight that remained of the nine.
        #expect(stage.clock.sleeps == [1000, 2000, 8000])
        #expect(stage.transport.isOver)
    }

    @Test func `waiting callers delayed by the server reserve new slots, and do not proceed all at once`() {
        let limiter = RateLimiter()
        let limit = RateLimit(callsPerHour: 3601, burst: 1)
        let waits = (0..<4).map { _ in limiter.admit(Self.key, limit: limit, now: 0, waitMax: .max) }
        #expect(waits == [.after(0), .after(1000), .after(2000), .after(3000)])

        limiter.hold(Self.key, milliseconds: 2500, now: 500)

        #expect(limiter.readmit(Self.key, limit: limit, now: 1000, waitMax: 2999) == .refused(wait: 3000))
        #expect(limiter.readmit(Self.key, limit: limit, now: 1000, waitMax: .max) == .after(3000))
        #expect(limiter.readmit(Self.key, limit: limit, now: 2000, waitMax: .max) == .after(3000))
        #expect(limiter.readmit(Self.key, limit: limit, now: 3000, waitMax: .max) == .after(0))
        #expect(limiter.readmit(Self.key, limit: nil, now: 2999, waitMax: .max) == .after(1))
    }
}
