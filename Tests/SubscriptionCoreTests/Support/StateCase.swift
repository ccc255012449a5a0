import SubscriptionCore
import Testing

/// A row of the table: the known facts, the time, and the expected state.
struct StateCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let facts: [Fact]
    let now: Timestamp
    let status: SubscriptionStatus
    let givesAccess: Bool
    let endReason: SubscriptionState.EndReason?
    let nextChangeAt: Timestamp?

    init(
        _ name: String,
        _ facts: [Fact],
        at now: Timestamp,
        _ status: SubscriptionStatus,
        because endReason: SubscriptionState.EndReason? = nil,
        until nextChangeAt: Timestamp? = nil
    ) {
        testDescription = name
        self.facts = facts
        self.now = now
        self.status = status
        self.givesAccess = status == .active || status == .inGracePeriod
        self.endReason = endReason
        self.nextChangeAt = nextChangeAt
    }
}
