import PerennialPrimitives

/// The simulated customers of an app over several months: arrivals, purchases, and payment problems.
///
/// The seed determines everything, so a run can be repeated. A customer's next action depends on the store's data,
/// never on the server's.
struct DemoSimulation: Sendable {
    /// The plan of the simulation.
    struct Plan: Sendable {
        var accounts: Int
        var months: Int
        var seed: UInt64
        /// How long before the end of a period its renewal is charged, in seconds.
        var renewalLead = 0
        /// Whether the store's faults are active during the simulation.
        var hasFaults = false
        /// Whether to add one example customer of each kind.
        var hasExamples = false

        /// A month has 52 weeks and a day, divided by twelve.
        var weeks: Int { max(1, (months * 365 + 42) / 84) }
    }

    private static let weekMilliseconds: Int64 = 7 * 86_400_000
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Visits start on the half hour, so that the clock makes fewer steps.
    private static let visitMilliseconds: Int64 = 1_800_000
    private static let visitTimesPerWeek = 7 * 48
    /// Apple stops retrying a notification 157 hours after the first attempt.
    private static let deliveryRetryDays = 8
    /// The probability that a customer acts in a given week.
    private static let visitPercent = 25
    private static let gracePeriods = ["sixteen_days", "none", "three_days", "twenty_eight_days"]

    let plan: Plan
    let store: DemoStoreAPI
    let server: DemoServerAPI
    private var random: SplitMix64
    /// One example customer of each kind, if the plan includes them.
    private(set) var examples: DemoExamples
    private var now: Int64 = 0
    private(set) var shoppers: [DemoShopper] = []
    /// Whether a delivery to the server has failed and a retry is due.
    private(set) var hasFailedDeliveries = false
    /// The number of occurrences of each fault.
    private(set) var faultCounts: [String: Int] = [:]

    init(plan: Plan, store: DemoStoreAPI, server: DemoServerAPI) {
        self.plan = plan
        self.store = store
        self.server = server
        random = SplitMix64(seed: plan.seed)
        examples = DemoExamples(store: store, server: server)
        for index in 1...max(1, plan.accounts) {
            shoppers.append(DemoShopper(index: index, of: plan.accounts, weeks: plan.weeks, using: &random))
        }
    }

    /// The customers who have visited.
    var known: [DemoShopper] { shoppers.filter(\.hasAccount) }

    /// Configures the app.
    mutating func prepare() async throws {
        now = try await store.status().now
        try await startFaults()
        try await store.setGracePeriod(Self.gracePeriods[0])
        try await store.setRenewalLead(milliseconds: Int64(plan.renewalLead) * 1_000)
        for (storefront, prices) in DemoPrices.points.sorted(by: { $0.key < $1.key }) {
            for (product, price) in prices.sorted(by: { $0.key < $1.key }) {
                try await store.setPrice(price, of: product, in: storefront)
            }
        }
        for (id, products) in AccountComparison.demoEntitlements.sorted(by: { $0.key < $1.key }) {
            try await server.defineEntitlement(id, products: products.sorted())
        }
    }

    /// Simulates one week: each visit at its own time, with the clock moving in between.
    mutating func simulateWeek(_ week: Int) async throws {
        // A different grace period each quarter: a change affects only renewals that fail later.
        if week > 0, week % 13 == 0 {
            try await store.setGracePeriod(Self.gracePeriods[(week / 13) % Self.gracePeriods.count])
        }
        if plan.hasExamples { try await examples.simulate(weeksLeft: plan.weeks - week) }
        let weekStart = now
        var visitors: [Int64: [Int]] = [:]
        for (index, shopper) in shoppers.enumerated() {
            let isNew = shopper.joinsInWeek == week
            guard isNew || (shopper.joinsInWeek < week && random.chance(percent: Self.visitPercent)) else { continue }
            let time = Int64(random.below(Self.visitTimesPerWeek))
            visitors[weekStart + time * Self.visitMilliseconds, default: []].append(index)
        }
        for (date, visitors) in visitors.sorted(by: { $0.key < $1.key }) {
            try await advance(to: date)
            try await receive(visitors)
        }
        try await advance(to: weekStart + Self.weekMilliseconds)
    }

    /// Adds the last example customer.
    mutating func finishExamples() async throws {
        if plan.hasExamples { try await examples.finish() }
    }

    /// Activates the store's faults, if the plan includes them, and the given failures of calls of Apple's API.
    mutating func startFaults(failing calls: [DemoFaults.Rule] = []) async throws {
        guard plan.hasFaults || !calls.isEmpty else { return }
        let faults = plan.hasFaults ? DemoFaults.every(seed: random.next()) : .none
        try await store.setFaults(faults.failing(calls))
    }

    /// Deactivates the faults; delayed deliveries continue.
    mutating func stopFaults() async throws {
        if plan.hasFaults {
            for rule in try await store.faults().deliveries { faultCounts[rule.fault, default: 0] += rule.happened }
            hasFailedDeliveries = true
        }
        try await store.setFaults(.none)
    }

    /// Advances the clock by a number of milliseconds.
    mutating func advance(by milliseconds: Int64) async throws {
        try await advance(to: now + milliseconds)
    }

    /// Advances the clock until the store has delivered, or stopped retrying, everything that is due until now.
    mutating func finishDeliveries() async throws {
        hasFailedDeliveries = false
        for _ in 0..<Self.deliveryRetryDays {
            try await advance(to: now + Self.dayMilliseconds)
        }
    }

    /// Records that a delivery failed; its next attempt follows on the virtual clock.
    mutating func recordFailedDelivery() {
        hasFailedDeliveries = true
    }

    private mutating func advance(to date: Int64) async throws {
        guard date > now else { return }
        let answer = try await store.advance(to: date)
        if answer.notifications.failed > 0 { hasFailedDeliveries = true }
        now = answer.now
    }

    /// Executes all visits of one time.
    ///
    /// Reads and submissions run concurrently; store calls run sequentially, so that equal seeds give equal
    /// identifiers.
    private mutating func receive(_ visitors: [Int]) async throws {
        let accounts = try await accounts(of: visitors.map { shoppers[$0] }.filter(\.hasAccount))
        try await withThrowingTaskGroup { submissions in
            for index in visitors {
                if let account = accounts[shoppers[index].accountID] {
                    guard
                        let action = DemoAction.next(
                            for: account,
                            at: now,
                            in: shoppers[index].storefront,
                            using: &random
                        )
                    else { continue }
                    try await perform(action, for: shoppers[index], &submissions)
                } else {
                    shoppers[index].accountID = try await store.createAccount(storefront: shoppers[index].storefront)
                    let action = DemoAction.first(in: shoppers[index].storefront, using: &random)
                    try await perform(action, for: shoppers[index], &submissions)
                }
            }
            try await submissions.waitForAll()
        }
    }

    /// The store's data of these customers, by account identifier.
    private func accounts(of known: [DemoShopper]) async throws -> [String: LedgerAccount] {
        try await withThrowingTaskGroup { [store] group in
            for shopper in known {
                group.addTask { try await (shopper.accountID, store.account(shopper.accountID)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// Executes the action; the app's submission to the server is still running when this returns.
    private func perform(
        _ action: DemoAction,
        for shopper: DemoShopper,
        _ submissions: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        switch action {
        case .buy(let product):
            let receipt = try await store.purchase(
                product,
                account: shopper.accountID,
                appAccountToken: shopper.appAccountToken
            )
            guard shopper.appAccountToken == nil else { return }
            submissions.addTask { [server] in
                try await server.submit(receipt.signedTransactionInfo, appUserID: shopper.appUserID)
            }
        case .setAutoRenew(let enabled, let subscription):
            try await store.setAutoRenew(enabled, subscription: subscription)
        case .setCard(let isGood):
            try await store.setCard(isGood: isGood, account: shopper.accountID)
        case .refund(let transaction):
            try await store.refund(transaction: transaction)
        }
    }
}
