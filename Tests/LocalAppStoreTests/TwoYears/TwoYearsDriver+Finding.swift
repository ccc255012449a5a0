import AppStoreModel
import LocalAppStore

extension TwoYearsDriver {
    /// A subscription and the account that has it.
    struct Held {
        let accountId: String
        let subscription: SubscriptionReport

        var id: String { subscription.originalTransactionId }
    }

    /// The countries of new accounts; commitments are not sold in the first.
    private static let countries = ["USA", "FRA", "DEU", "GBR", "JPN"]

    /// How many accounts a run opens before most purchases are made by older ones.
    private static let accountsWanted = 20

    // MARK: - Accounts

    /// Opens an account.
    mutating func newAccount(in country: String? = nil) throws -> String {
        let country = if let country { country } else { try pick(Self.countries) }
        let account = try store.createAccount(storefront: country, accountId: "customer-\(nextNumber())")
        accountIds.append(account.accountId)
        return account.accountId
    }

    /// An account that buys: at first mostly a new one. Its card works, and its purchases need no approval.
    mutating func buyer() throws -> String {
        let isNew = accountIds.count < Self.accountsWanted && occurs(oneOf: 2)
        let accountId = try isNew || accountIds.isEmpty ? newAccount() : pick(accountIds)
        try store.setPurchaseBehaviour(accountId: accountId, behaviour: .immediate)
        return accountId
    }

    /// Accounts in random order from one of them on.
    private mutating func accountsInTurn() -> [String] {
        let start = Int(number(below: Int64(accountIds.count)))
        return Array(accountIds[start...] + accountIds[..<start])
    }

    // MARK: - Subscriptions

    /// A subscription with a property, searched from a random account on.
    mutating func subscription(where fits: (SubscriptionReport) -> Bool) throws -> Held {
        for accountId in accountsInTurn() {
            let account = try store.account(accountId)
            if let found = account.subscriptions.first(where: fits) {
                return Held(accountId: accountId, subscription: found)
            }
        }
        throw NothingToActOn()
    }

    /// An active subscription whose customer was asked to agree to a higher price; if there is none, a price is raised
    /// and the time of the question awaited.
    mutating func askedSubscription(
        where fits: (SubscriptionReport) -> Bool,
        orRaise raise: (inout TwoYearsDriver) throws -> Void
    ) throws -> Held {
        let isAsked = { (report: SubscriptionReport) in
            fits(report) && report.status == .active && report.priceIncreaseStatus == .pending
        }
        do { return try subscription(where: isAsked) } catch is NothingToActOn {
            // In the accelerated sandbox, five days are longer than the run.
            guard run.profile != .sandbox else { throw NothingToActOn() }
            try raise(&self)
            // The customer is asked 27 days before the end of the month.
            try advance(to: store.now + 5 * dayLength)
            return try subscription(where: isAsked)
        }
    }

    /// An active, purchased subscription that its customer can change; if there is none, a new account buys one.
    mutating func activeSubscription(
        where fits: (SubscriptionReport) -> Bool = { _ in true }
    ) throws -> Held {
        do {
            return try subscription { $0.isPlain && $0.status == .active && fits($0) }
        } catch is NothingToActOn {
            let accountId = try newAccount()
            _ = try buy(try pick(["gold", "silver", "bronze"]), for: accountId)
            return try subscription { $0.isPlain && $0.status == .active && fits($0) }
        }
    }

    // MARK: - Transactions

    /// A purchased transaction with a property, searched from a random account on, newest first.
    mutating func transaction(where fits: (TransactionReport) -> Bool) throws -> TransactionReport {
        for accountId in accountsInTurn() {
            let account = try store.account(accountId)
            let shared = Set(
                account.subscriptions.filter { $0.inAppOwnershipType != .purchased }.map(\.originalTransactionId)
            )
            let own = account.transactions.filter { !shared.contains($0.originalTransactionId) && $0.price > 0 }
            if let found = own.last(where: fits) { return found }
        }
        throw NothingToActOn()
    }

    /// A paid transaction of a plain product that was not refunded; if there is none, a new account makes one.
    mutating func refundable(where fits: (TransactionReport) -> Bool = { _ in true }) throws -> String {
        do {
            return try transaction { $0.isPlain && $0.revocationDate == nil && fits($0) }.transactionId
        } catch is NothingToActOn {
            return try buy("coins", for: try newAccount()).transactionId
        }
    }

    // MARK: - Purchases

    /// Buys a product.
    mutating func buy(
        _ productId: String,
        for accountId: String,
        quantity: Int = 1,
        offer: PurchaseRequest.Offer? = nil,
        billingPlan: BillingPlanType? = nil
    ) throws -> PurchaseOutcome {
        let request = PurchaseRequest(
            productId: productId,
            quantity: quantity,
            appAccountToken: occurs(oneOf: 2) ? nextUUID() : nil,
            offer: offer,
            billingPlan: billingPlan
        )
        return try store.purchase(accountId: accountId, request: request)
    }

    /// A new account that subscribed, and whose card is declined from now on.
    mutating func accountWithDeclinedCard() throws -> Held {
        let accountId = try newAccount()
        let id = try buy("gold", for: accountId).originalTransactionId
        try store.setPayment(accountId: accountId, state: .declined)
        return try held(id, by: accountId)
    }

    /// The subscription of an account.
    func held(_ originalTransactionId: String, by accountId: String) throws -> Held {
        let subscriptions = try store.account(accountId).subscriptions
        guard let found = subscriptions.first(where: { $0.originalTransactionId == originalTransactionId }) else {
            throw NothingToActOn()
        }
        return Held(accountId: accountId, subscription: found)
    }
}

extension SubscriptionReport {
    /// Whether the customer bought the subscription, and can change it.
    var isPlain: Bool { inAppOwnershipType == .purchased && !TwoYearsCatalog.special.contains(productId) }
}

extension TransactionReport {
    /// Whether the product is sold in the usual way.
    var isPlain: Bool { !TwoYearsCatalog.special.contains(productId) }
}
