import AppStoreModel

/// A scheduled event on the virtual clock.
enum ScheduledEvent: Hashable, Sendable, Codable {
    /// The next event of a subscription; invalid after the subscription has set another timer.
    case lifecycle(LedgerIndex<Subscription>, timer: Int)
    /// The notice of a price increase to a subscriber; invalid after the increase was replaced or announced.
    case priceNotice(LedgerIndex<Subscription>, increase: Int)
    /// The next step of a mass extension, by its position.
    case massExtension(Int)
    /// The report deadline of an external purchase token; invalid after a report.
    case tokenReportDue(Int)
    /// The reminder of an active external purchase token; invalid after its end or a report as duplicate.
    case tokenReminder(Int)
    /// The next requests of a performance test, by its position.
    case performanceTest(Int)
    /// The next decision of a synthetic customer.
    case customer(Int)
}

extension LocalAppStore {
    /// Whether the event is still valid.
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

    /// Processes the event now.
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
