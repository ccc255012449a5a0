import AppStoreModel

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
        case .lifecycle(let subscription, _): timerElapsed(of: subscription)
        case .priceNotice(let subscription, _): givePriceNotice(to: subscription)
        case .massExtension(let position): carryOutMassExtension(position)
        case .tokenReportDue(let position): announceToken(position, .unreported)
        case .tokenReminder(let position): remindOfToken(position)
        case .performanceTest(let position): beginPerformanceGroup(ofTest: position)
        case .customer(let position): act(position)
        }
    }
}
