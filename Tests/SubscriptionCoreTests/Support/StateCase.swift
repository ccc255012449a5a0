import SubscriptionCore
import Testing

/// A line of the table: what is known, when it is asked, and what the answer is.
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
