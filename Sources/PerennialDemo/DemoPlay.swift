/// The customers of an app over some months: who comes, what they buy, and what goes wrong with their cards.
///
/// The seed decides everything, so a run can be repeated. What somebody does next depends on what the store says they
/// have, never on what the server says.
struct DemoPlay: Sendable {
    /// How much is played.
    struct Plan: Sendable {
        var accounts: Int
        var months: Int
        var seed: UInt64
        /// Whether the store's faults are on while the customers come.
        var hasFaults = false
        /// Whether one customer of each kind comes too.
        var hasCast = false

        /// A month has 52 weeks and a day, divided by twelve.
        var weeks: Int { max(1, (months * 365 + 42) / 84) }
    }

    private static let weekMilliseconds: Int64 = 7 * 86_400_000
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Visits begin on the half hour: the clock need not stop for each of them.
    private static let visitMilliseconds: Int64 = 1_800_000
    private static let visitTimesPerWeek = 7 * 48
    /// Apple gives up on a notification 157 hours after the first attempt.
    private static let deliveryRetryDays = 8
    /// Chance that a customer does something in a given week.
    private static let visitPercent = 25
    private static let gracePeriods = ["sixteen_days", "none", "three_days", "twenty_eight_days"]

    let plan: Plan
    let store: DemoStoreAPI
    let server: DemoServerAPI
    private var random: SplitMix64
    /// One customer of each kind, where the plan has them.
    private(set) var cast: DemoCast
    private var now: Int64 = 0
    private(set) var shoppers: [DemoShopper] = []
    /// Whether an attempt to notify the server has failed and another one is due.
    private(set) var hasFailedDeliveries = false
    /// How often each fault has struck.
    private(set) var faultsStruck: [String: Int] = [:]

    init(plan: Plan, store: DemoStoreAPI, server: DemoServerAPI) {
        self.plan = plan
        self.store = store
        self.server = server
        random = SplitMix64(seed: plan.seed)
        cast = DemoCast(store: store, server: server)
        for index in 1...max(1, plan.accounts) {
            shoppers.append(DemoShopper(index: index, of: plan.accounts, weeks: plan.weeks, using: &random))
        }
    }

    /// Those who have been there.
    var known: [DemoShopper] { shoppers.filter(\.hasAccount) }

    /// Sets the app up.
    mutating func prepare() async throws {
        now = try await store.status().now
        try await letFaultsBegin()
        try await store.setGracePeriod(Self.gracePeriods[0])
        for (storefront, prices) in DemoPrices.points.sorted(by: { $0.key < $1.key }) {
            for (product, price) in prices.sorted(by: { $0.key < $1.key }) {
                try await store.setPrice(price, of: product, in: storefront)
            }
        }
        for (id, products) in AccountComparison.demoEntitlements.sorted(by: { $0.key < $1.key }) {
            try await server.defineEntitlement(id, products: products.sorted())
        }
    }

    /// Plays one week: each visit at a time of its own, the clock moving in between.
    mutating func playWeek(_ week: Int) async throws {
        // Another grace period each quarter: a change concerns only renewals that fail later.
        if week > 0, week % 13 == 0 {
            try await store.setGracePeriod(Self.gracePeriods[(week / 13) % Self.gracePeriods.count])
        }
        if plan.hasCast { try await cast.play(weeksLeft: plan.weeks - week) }
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

    /// Lets the last of the cast come.
    mutating func finishCast() async throws {
        if plan.hasCast { try await cast.finish() }
    }

    /// From now on the store's faults strike, where the plan has them.
    mutating func letFaultsBegin() async throws {
        guard plan.hasFaults else { return }
        try await store.setFaults(.every(seed: random.next()))
    }

    /// The faults end; what they held up is on its way.
    mutating func letFaultsEnd() async throws {
        guard plan.hasFaults else { return }
        for rule in try await store.faults().deliveries { faultsStruck[rule.fault, default: 0] += rule.happened }
        try await store.setFaults(.none)
        hasFailedDeliveries = true
    }

    /// Moves the clock until the store has delivered, or given up, everything that is due up to now.
    mutating func letDeliveriesFinish() async throws {
        hasFailedDeliveries = false
        for _ in 0..<Self.deliveryRetryDays {
            try await advance(to: now + Self.dayMilliseconds)
        }
    }

    /// What the server did not get at the first attempt is delivered later on the virtual clock.
    mutating func noteFailedDelivery() {
        hasFailedDeliveries = true
    }

    private mutating func advance(to date: Int64) async throws {
        guard date > now else { return }
        let answer = try await store.advance(to: date)
        if answer.notifications.failed > 0 { hasFailedDeliveries = true }
        now = answer.now
    }

    /// Lets all visitors of one instant do what they came for.
    ///
    /// Who they are is asked, and what they bought is submitted, several at a time; the store is told what they do one
    /// after another, so that the same seed makes the same identifiers.
    private mutating func receive(_ visitors: [Int]) async throws {
        let accounts = try await accounts(of: visitors.map { shoppers[$0] }.filter(\.hasAccount))
        try await withThrowingTaskGroup { submissions in
            for index in visitors {
                if let account = accounts[shoppers[index].accountID] {
                    guard
                        let visit = DemoVisit.next(
                            for: account,
                            in: shoppers[index].storefront,
                            using: &random
                        )
                    else { continue }
                    try await perform(visit, for: shoppers[index], &submissions)
                } else {
                    shoppers[index].accountID = try await store.createAccount(storefront: shoppers[index].storefront)
                    let visit = DemoVisit.first(in: shoppers[index].storefront, using: &random)
                    try await perform(visit, for: shoppers[index], &submissions)
                }
            }
            try await submissions.waitForAll()
        }
    }

    /// What the store says that these have, by the identifiers of their accounts.
    private func accounts(of known: [DemoShopper]) async throws -> [String: LedgerAccount] {
        try await withThrowingTaskGroup { [store] group in
            for shopper in known {
                group.addTask { try await (shopper.accountID, store.account(shopper.accountID)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// Does it; what the app then tells the server is under way when this returns.
    private func perform(
        _ visit: DemoVisit,
        for shopper: DemoShopper,
        _ submissions: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        switch visit {
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
