import PerennialPrimitives
import Synchronization
import Testing

@testable import SubscriptionServer

/// Nanoseconds that a test moves.
final class MovedTime: Sendable {
    static let second: Int64 = 1_000_000_000

    private let time = Mutex<Int64>(1_000_000_000_000)

    var now: Int64 { time.withLock { $0 } }

    /// The time as a function.
    var source: @Sendable () -> Int64 { { self.now } }

    func advance(nanoseconds: Int64) { time.withLock { $0 += nanoseconds } }

    func advance(seconds: Int64) { advance(nanoseconds: seconds * Self.second) }
}

/// The buckets, compared with a list of all admitted requests.
@Suite struct `A token bucket` {
    /// Tokens as a number that grows with the time, in units so small that nothing is rounded.
    private struct Model {
        let interval: Int64
        let burst: Int64
        var level: Int64
        var last: Int64

        init(interval: Int64, burst: Int64, now: Int64) {
            (self.interval, self.burst, level, last) = (interval, burst, burst * interval, now)
        }

        mutating func take(_ cost: Int64, now: Int64) -> Bool {
            level = min(burst * interval, level + now - last)
            last = now
            guard level >= min(cost, burst) * interval else { return false }
            level -= min(cost, burst) * interval
            return true
        }

        var remaining: Int64 { level / interval }

        var resetSeconds: Int64 { (burst * interval - level + 999_999_999) / 1_000_000_000 }
    }

    @Test(arguments: UInt64(0)..<40) func `decides as a level that grows with the time`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rate = Int.random(in: 1...2_000, using: &random)
        let burst = Int.random(in: 1...50, using: &random)
        let time = MovedTime()
        let limit = try #require(TokenLimit(rate, burst: burst))
        #expect(limit.interval * Int64(rate) >= MovedTime.second, "the rate is never above the limit")
        let buckets = TokenBuckets<Int>(limit, now: time.source)
        var models = (0..<3).map { _ in Model(interval: limit.interval, burst: limit.burst, now: time.now) }
        var admitted: [(time: Int64, key: Int, cost: Int64)] = []
        for _ in 0..<1_000 {
            // Often less than the time of a token, sometimes much more.
            time.advance(nanoseconds: Int64.random(in: 0...(limit.interval * 2), using: &random))
            if Int.random(in: 0..<50, using: &random) == 0 { time.advance(seconds: 1) }
            let key = Int.random(in: 0..<3, using: &random)
            let cost = Int.random(in: 1...3, using: &random)
            let expected = models[key].take(Int64(cost), now: time.now)
            let state = buckets.take(cost, from: key)
            #expect(state.isAdmitted == expected)
            #expect(state.limit == Int64(burst))
            #expect(state.remaining == models[key].remaining)
            #expect(state.resetSeconds == models[key].resetSeconds)
            #expect((state.retryAfterSeconds > 0) == !expected)
            if state.isAdmitted { admitted.append((time.now, key, min(Int64(cost), limit.burst))) }
        }
        #expect(!admitted.isEmpty)
        // No span of time has more than the burst and what came back in it.
        for key in 0..<3 {
            let own = admitted.filter { $0.key == key }
            for first in stride(from: 0, to: own.count, by: 7) {
                var sum: Int64 = 0
                for last in first..<own.count {
                    sum += own[last].cost
                    let span = own[last].time - own[first].time
                    #expect(sum * limit.interval <= limit.burst * limit.interval + span)
                }
            }
        }
    }

    @Test func `admits a client that waits as long as the result says`() throws {
        let time = MovedTime()
        for rate in [1, 3, 7, 1_000, 999_999] {
            let buckets = TokenBuckets<Int>(try #require(TokenLimit(rate, burst: 2)), now: time.source)
            for _ in 0..<20 {
                let state = buckets.take(from: 1)
                guard !state.isAdmitted else { continue }
                #expect(state.retryAfterSeconds >= 1)
                time.advance(seconds: state.retryAfterSeconds)
                let again = buckets.take(from: 1)
                #expect(again.isAdmitted)
            }
            time.advance(seconds: 10)
        }
    }

    @Test func `is full again after its reset, and a refusal takes nothing`() throws {
        let time = MovedTime()
        let buckets = TokenBuckets<Int>(try #require(TokenLimit(2, burst: 5)), now: time.source)
        for remaining in (0..<5).reversed() {
            let state = buckets.take(from: 1)
            #expect(state.isAdmitted && state.remaining == Int64(remaining))
        }
        for _ in 0..<100 {
            let state = buckets.take(from: 1)
            #expect(!state.isAdmitted && state.remaining == 0 && state.resetSeconds == 3)
        }
        time.advance(seconds: 3)
        #expect(buckets.state(of: 1).remaining == 5)
        #expect(buckets.state(of: 1).resetSeconds == 0)
    }

    @Test func `admits exactly its burst to many threads`() async throws {
        let time = MovedTime()
        let buckets = TokenBuckets<Int>(try #require(TokenLimit(1_000, burst: 500)), now: time.source)
        let admitted = await withTaskGroup(of: [Int: Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var counts: [Int: Int] = [:]
                    for number in 0..<4_000 {
                        let state = buckets.take(from: number % 2)
                        if state.isAdmitted { counts[number % 2, default: 0] += 1 }
                    }
                    return counts
                }
            }
            var sums: [Int: Int] = [:]
            for await counts in group { sums.merge(counts, uniquingKeysWith: +) }
            return sums
        }
        #expect(admitted == [0: 500, 1: 500])
    }

    @Test func `is forgotten when it is full, or if too many others are emptier`() throws {
        let time = MovedTime()
        let buckets = TokenBuckets<Int>(try #require(TokenLimit(1, burst: 10)), countMax: 1_600, now: time.source)
        for _ in 0..<10 { _ = buckets.take(from: -1) }
        // A hundred times as many clients as the table holds; each takes one token.
        for key in 0..<160_000 { _ = buckets.take(from: key) }
        #expect(buckets.count <= 1_600)
        let emptied = buckets.take(from: -1)
        #expect(!emptied.isAdmitted, "a client with many addresses does not free one that used up its budget")
        time.advance(seconds: 20)
        for key in 0..<3_200 { _ = buckets.take(from: key) }
        #expect(buckets.count <= 1_600)
        #expect(buckets.state(of: -1).remaining == 10)
    }
}
