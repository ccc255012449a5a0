/// A crowd of synthetic customers to be played.
public struct PopulationRequest: Hashable, Sendable {
    /// How many customers, 1 to 5,000,000; the accounts of their families come on top.
    public var accounts: Int

    /// Over how many months they arrive and live, 1 to 120.
    public var months: Int

    /// Where every choice of theirs comes from; the same seed gives the same histories.
    public var seed: UInt64

    /// How they behave.
    public var behaviour: PopulationBehaviour

    /// Whether their story is told by notifications.
    ///
    /// Silent, it lies in the months up to the present instant and fills the ledger only; it is signed when it is
    /// read. Delivered, it lies in the months that come, and happens as the clock moves.
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

/// What a population added to the store.
public struct PopulationReport: Hashable, Sendable {
    /// How many accounts were opened so far; the others come as the clock moves.
    public var accounts: Int
    /// How many subscriptions began.
    public var subscriptions: Int
    /// How many transactions were made.
    public var transactions: Int
    /// When the last decision of its customers is made at the latest, milliseconds since 1970.
    public var endDate: Int64

    /// Makes a report.
    public init(accounts: Int, subscriptions: Int, transactions: Int, endDate: Int64) {
        self.accounts = accounts
        self.subscriptions = subscriptions
        self.transactions = transactions
        self.endDate = endDate
    }
}

/// How synthetic customers behave: shares from 0 to 1.
///
/// The defaults draw a plausible consumer app; they are not a statement about any market.
public struct PopulationBehaviour: Hashable, Sendable, Codable {
    /// Customers who also buy something that does not renew.
    public var oneTimePurchases = 0.1
    /// Customers of a free trial who stay for the first paid period.
    public var trialConversion = 0.6
    /// Subscribers who cancel in their first paid week, month or year.
    public var churn = ChurnCurve()
    /// Paid periods in which a subscriber of a lower plan changes to a higher one.
    public var upgrades = 0.02
    /// Paid periods in which a subscriber of a higher plan changes to a lower one.
    public var downgrades = 0.01
    /// Paid periods in which a subscriber changes to another plan of the same level, as from a month to a year.
    public var crossgrades = 0.01
    /// Customers of a plan that may be shared who share it with one to five others.
    public var families = 0.0
    /// Paid periods in which somebody leaves a family.
    public var familyDepartures = 0.01
    /// Renewals whose charge fails.
    public var billingFailures = 0.04
    /// Failed charges that succeed later, most of them within a week.
    public var recoveries = 0.65
    /// Periods that are refunded.
    public var refunds = 0.01
    /// Those who left and come back within half a year.
    public var resubscriptions = 0.15

    /// The behaviour of the defaults.
    public init() {}

    /// How many cancel in a period, by the plan's length and by how long they have been there.
    public struct ChurnCurve: Hashable, Sendable, Codable {
        /// Plans of at most a week, in the first period.
        public var weekly = 0.08
        /// Plans of a month up to half a year, in the first period.
        public var monthly = 0.1
        /// Yearly plans, in the first period.
        public var yearly = 0.4
        /// What each renewal makes of the share before, down to ``floor``.
        public var decay = 0.85
        /// The part of the first period's share that never decays.
        public var floor = 0.3

        /// The curve of the defaults.
        public init() {}

        /// The share that cancels in a period.
        ///
        /// - Parameters:
        ///   - period: The plan's period.
        ///   - renewals: How many periods were paid before.
        func share(of period: CalendarPeriod, after renewals: Int) -> Double {
            let first = period.isAtMostAWeek ? weekly : period.months >= 12 ? yearly : monthly
            var rest = 1.0
            for _ in 0..<min(renewals, 64) where rest > floor { rest *= decay }
            return first * max(rest, floor)
        }
    }
}
