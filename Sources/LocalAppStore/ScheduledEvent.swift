/// What happens by itself at an instant on the virtual clock.
enum ScheduledEvent: Sendable {
    /// The next turn in the life of a subscription; void once the subscription has set another timer.
    case lifecycle(LedgerIndex<Subscription>, timer: Int)
    /// The next decision of a synthetic customer.
    case customer(Int)
}

extension LocalAppStore {
    /// Whether the event still counts.
    func isCurrent(_ event: ScheduledEvent) -> Bool {
        switch event {
        case .lifecycle(let subscription, let timer): ledger[subscription].timer == timer
        case .customer: true
        }
    }

    /// Lets the event happen, now.
    mutating func run(_ event: ScheduledEvent) {
        switch event {
        case .lifecycle(let subscription, _): runLifecycleEvent(of: subscription)
        case .customer(let place): act(place)
        }
    }
}
