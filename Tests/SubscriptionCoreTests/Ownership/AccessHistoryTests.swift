import SubscriptionCore
import Testing

/// Whether a purchase gave access at the times of its claims.
@Suite struct `The access history` {
    private static func history(_ inputs: [AccessHistory.Input], at times: [Timestamp]) -> AccessHistory {
        AccessHistory(of: Example.subscription, inputs: inputs, at: times, policy: Example.policy)
    }

    @Test func `is empty without inputs`() {
        let history = Self.history([], at: [Example.day(1)])
        #expect(!history.gaveAccess(at: Example.day(1)))
    }

    @Test func `includes only inputs that were signed by that time`() {
        let period = Example.period(0)
        let refunded = Example.period(0) { fact in
            fact.signedAt = Example.day(10)
            fact.revocation = Revocation(at: Example.day(5), kind: .refund)
        }
        let inputs = [period, refunded].map { AccessHistory.Input(signedAt: $0.signedAt, facts: [.transaction($0)]) }
        // In any order of the times.
        let times = [20, 1, -1, 40, 9].map { Example.day($0) }
        let history = Self.history(inputs, at: times)
        #expect(times.filter(history.gaveAccess) == [1, 9].map { Example.day($0) })
        let unrefunded = Self.history([inputs[0]], at: times)
        #expect(times.filter(unrefunded.gaveAccess) == [20, 1, 9].map { Example.day($0) })
    }
}
