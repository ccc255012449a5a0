import SubscriptionCore
import Testing

/// When webhooks are sent again, and when an endpoint counts as dead.
@Suite struct `The retries of webhooks` {
    private static let start = Timestamp(milliseconds: 1_770_000_000_000)

    private func after(_ milliseconds: Int64) -> Timestamp { Self.start.adding(milliseconds: milliseconds) }

    @Test func `take ten attempts over three days`() throws {
        let waits = (1...9).map { WebhookRetries.wait(after: $0, chance: 0.5) }
        #expect(waits.allSatisfy { $0 != nil })
        #expect(WebhookRetries.wait(after: 10, chance: 0.5) == nil)
        #expect(waits.compactMap(\.self) == waits.compactMap(\.self).sorted())
        let hours = waits.compactMap(\.self).reduce(0, +) / 3_600_000
        #expect((72...78).contains(hours))
    }

    /// The example schedule of the Standard Webhooks specification 1.0.0: the waits after the first attempt.
    @Test func `are those of the specification's table`() {
        let (second, minute, hour): (Int64, Int64, Int64) = (1_000, 60_000, 3_600_000)
        let table = [
            5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour,
        ]
        #expect((1...9).map { WebhookRetries.wait(after: $0, chance: 0.5) } == table)
    }

    @Test func `differ by a tenth`() {
        for attempts in 1...9 {
            guard let middle = WebhookRetries.wait(after: attempts, chance: 0.5),
                let low = WebhookRetries.wait(after: attempts, chance: 0),
                let high = WebhookRetries.wait(after: attempts, chance: 1)
            else {
                Issue.record("no wait after \(attempts) attempts")
                return
            }
            #expect(low == middle * 9 / 10 && high == middle * 11 / 10)
        }
    }

    @Test func `wait as long as the receiver asks, for a day at most, and never shorter`() {
        #expect(WebhookRetries.wait(after: 1, retryAfter: 60_000, chance: 0.5) == 60_000)
        #expect(WebhookRetries.wait(after: 2, retryAfter: 1_000, chance: 0.5) == 300_000)
        #expect(WebhookRetries.wait(after: 1, retryAfter: .max, chance: 0.5) == 86_400_000)
        #expect(WebhookRetries.wait(after: 10, retryAfter: 60_000, chance: 0.5) == nil)
    }

    @Test func `open the circuit at the tenth failure in a row, and close it at the first success`() {
        var health = WebhookHealth()
        for failure in 1...9 {
            #expect(health.fail(at: after(Int64(failure)), chance: 0.5) == .none)
            #expect(health.maySend(at: after(Int64(failure))))
        }
        #expect(health.fail(at: after(10), chance: 0.5) == .opened)
        #expect(!health.maySend(at: after(10)))
        #expect(health.maySend(at: after(10 + 5_000)))
        #expect(health.fail(at: after(6_000), chance: 0.5) == .none)
        #expect(!health.maySend(at: after(15_999)) && health.maySend(at: after(16_000)))
        health.succeed()
        #expect(health == WebhookHealth())
    }

    @Test func `probe a dead endpoint at least every five minutes, and disable it after 120 hours`() throws {
        var health = WebhookHealth()
        var now = Self.start
        var probes = 0
        while true {
            let consequence = health.fail(at: now, chance: 1)
            if consequence == .disable { break }
            probes += 1
            guard let next = health.probeAt else {
                now = now.adding(milliseconds: 1)
                continue
            }
            #expect(next.milliseconds - now.milliseconds <= 330_000)
            now = next
        }
        #expect(now >= after(WebhookHealth.patience))
        #expect(now <= after(WebhookHealth.patience + 330_000))
        #expect(probes > 1_300)
    }

    @Test func `disable nothing because the clock jumped`() {
        var health = WebhookHealth()
        #expect(health.fail(at: Self.start, chance: 0.5) == .none)
        #expect(health.fail(at: after(2 * WebhookHealth.patience), chance: 0.5) == .none)
        // A clock that was ahead is set back: a probe that it planned does not hold up the endpoint.
        for _ in 0..<10 { _ = health.fail(at: after(2 * WebhookHealth.patience), chance: 0.5) }
        #expect(health.maySend(at: Self.start))
        #expect(health.fail(at: Self.start, chance: 0.5) == .none)
        #expect(health.failingSince == Self.start)
    }
}
