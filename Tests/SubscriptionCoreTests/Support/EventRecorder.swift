import SubscriptionCore

/// Joins facts into a ledger, one delivery after another, and returns the events of each delivery.
struct EventRecorder {
    private(set) var ledger: PurchaseLedger
    private var state: PurchaseState?

    init(_ id: OriginalTransactionID = Example.subscription) {
        ledger = PurchaseLedger(originalID: id)
    }

    mutating func events(_ facts: [Fact], at now: Timestamp, named name: PurchaseName? = nil) -> [SubscriptionEvent] {
        let before = ledger
        for fact in facts { ledger.join(fact) }
        let stateAfter = ledger.state(at: now, policy: Example.policy)
        defer { state = stateAfter }
        var change = PurchaseChange(
            before: before,
            after: ledger,
            stateBefore: state,
            stateAfter: stateAfter,
            now: now,
            policy: Example.policy
        )
        change.name = name
        return change.events
    }

    mutating func kinds(_ facts: [Fact], at now: Timestamp, named name: PurchaseName? = nil) -> [SubscriptionEvent.Kind]
    {
        events(facts, at: now, named: name).map(\.kind)
    }
}
