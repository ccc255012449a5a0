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
