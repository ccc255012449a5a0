import AppStoreModel

/// What happens by itself at an instant on the virtual clock.
enum ScheduledEvent: Hashable, Sendable, Codable {
    /// The next turn in the life of a subscription; void once the subscription has set another timer.
    case lifecycle(LedgerIndex<Subscription>, timer: Int)
    /// A subscriber is told of a higher price; void once the increase is another one, or known.
    case priceNotice(LedgerIndex<Subscription>, increase: Int)
    /// A mass extension, by its place among them, is carried out.
    case massExtension(Int)
    /// Nothing was reported about an external purchase token in time; void once something is.
    case tokenReportDue(Int)
    /// An external purchase token is still active; void once it ended or was reported as a duplicate.
    case tokenReminder(Int)
    /// The next requests of a performance test, by its place among them, are due.
    case performanceTest(Int)
    /// The next decision of a synthetic customer.
    case customer(Int)
}

extension LocalAppStore {
    /// Whether the event still counts.
    func isCurrent(_ event: ScheduledEvent) -> Bool {
        switch event {
        case .lifecycle(let subscription, let timer): ledger[subscription].timer == timer
        case .priceNotice(let subscription, let increase): awaitsPriceNotice(subscription, of: increase)
        case .massExtension: true
        case .tokenReportDue(let position): lacksReport(position)
        case .tokenReminder(let position): needsReminder(position)
        case .performanceTest: true
        case .customer: true
        }
    }

    /// Lets the event happen, now.
    mutating func run(_ event: ScheduledEvent) {
        switch event {
        case .lifecycle(let subscription, _): runLifecycleEvent(of: subscription)
        case .priceNotice(let subscription, _): givePriceNotice(to: subscription)
        case .massExtension(let position): carryOutMassExtension(position)
        case .tokenReportDue(let position): announceToken(position, .unreported)
        case .tokenReminder(let position): remindOfToken(position)
        case .performanceTest(let position): beginPerformanceGroup(ofTest: position)
        case .customer(let position): act(position)
        }
    }
}
