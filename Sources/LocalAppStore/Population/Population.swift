/// A population of synthetic customers.
public struct PopulationRequest: Hashable, Sendable {
    /// The number of customers, 1 to 5,000,000; the accounts of their families are added.
    public var accounts: Int

    /// The number of months in which they arrive and act, 1 to 120.
    public var months: Int

    /// The seed of their choices; equal seeds give equal histories.
    public var seed: UInt64

    /// Their behaviour.
    public var behaviour: PopulationBehaviour

    /// Whether their events are sent as notifications.
    ///
    /// Without notifications, the events lie in the months before the current time and only fill the ledger; payloads
    /// are signed when they are read. With notifications, the events lie in the future, and happen as the clock moves.
    public var isDelivered: Bool

    /// Makes a request.
    public init(
        accounts: Int,
        months: Int,
        seed: UInt64,
        behaviour: PopulationBehaviour = PopulationBehaviour(),
        isDelivered: Bool = false
    ) {
        self.accounts = accounts
        self.months = months
        self.seed = seed
        self.behaviour = behaviour
        self.isDelivered = isDelivered
    }
}

/// The result of adding a population.
public struct PopulationReport: Hashable, Sendable {
    /// The number of accounts so far; the others are created as the clock moves.
    public var accounts: Int
    /// The number of subscriptions.
    public var subscriptions: Int
    /// The number of transactions.
    public var transactions: Int
    /// The latest time of a decision of its customers, milliseconds since 1970.
    public var endDate: Int64

    /// Makes a report.
    public init(accounts: Int, subscriptions: Int, transactions: Int, endDate: Int64) {
        self.accounts = accounts
        self.subscriptions = subscriptions
        self.transactions = transactions
        self.endDate = endDate
    }
}

/// The behaviour of synthetic customers: probabilities from 0 to 1.
///
/// The defaults describe a plausible consumer app; they make no claim about any market.
public struct PopulationBehaviour: Hashable, Sendable, Codable {
    /// Customers who also buy a product without renewal.
    public var oneTimePurchases = 0.1
    /// Customers of a free trial who continue into the first paid period.
    public var trialConversion = 0.6
    /// Subscribers who cancel in their first paid week, month or year.
    public var churn = ChurnCurve()
    /// Paid periods in which a subscriber of a lower plan changes to a higher one.
    public var upgrades = 0.02
    /// Paid periods in which a subscriber of a higher plan changes to a lower one.
    public var downgrades = 0.01
    /// Paid periods in which a subscriber changes to another plan of the same level, for example from monthly to
    /// yearly.
    public var crossgrades = 0.01
    /// Customers of a shareable plan who share it with one to five others.
    public var families = 0.0
    /// Paid periods in which a member leaves a family.
    public var familyDepartures = 0.01
    /// Renewals whose charge fails.
    public var billingFailures = 0.04
    /// Failed charges that succeed later, most of them within a week.
    public var recoveries = 0.65
    /// Periods that are refunded.
    public var refunds = 0.01
    /// Former subscribers who return within half a year.
    public var resubscriptions = 0.15

    /// The default behaviour.
    public init() {}

    /// The probability of cancelling in a period, by the plan's length and the number of earlier periods.
    public struct ChurnCurve: Hashable, Sendable, Codable {
        /// Plans of at most a week, in the first period.
        public var weekly = 0.08
        /// Plans of a month up to half a year, in the first period.
        public var monthly = 0.1
        /// Yearly plans, in the first period.
        public var yearly = 0.4
        /// The factor that each renewal applies to the probability, down to ``floor``.
        public var decay = 0.85
        /// The part of the first period's probability that never decays.
        public var floor = 0.3

        /// The default curve.
        public init() {}

        /// The probability of cancelling in a period.
        ///
        /// - Parameters:
        ///   - period: The plan's period.
        ///   - renewals: The number of periods paid before.
        func share(of period: CalendarPeriod, after renewals: Int) -> Double {
            let first = period.isAtMostAWeek ? weekly : period.months >= 12 ? yearly : monthly
            var rest = 1.0
            for _ in 0..<min(renewals, 64) where rest > floor { rest *= decay }
            return first * max(rest, floor)
        }
    }
}
