/// One example customer of each kind, in that state at the end of the year.
///
/// Their actions are scheduled in weeks before the end, so that the state lasts until the end. A shorter demo has no
/// example customers.
struct DemoExamples: Sendable {
    /// A kind of customer.
    enum Kind: String, CaseIterable, Sendable {
        case active, trial, grace, retry, refunded, family, lapsed
    }

    /// A customer with the known identifiers.
    struct Customer: Sendable {
        let kind: Kind
        /// The store's account.
        let accountID: String
        /// The first purchase.
        let purchase: String
        /// The app's identifier of the customer.
        var appUserID: String { "u_\(kind.rawValue)" }
    }

    /// The first week, counted back from the end.
    static let weeks = 10
    private static let lapseWeek = 8
    private static let declineWeek = 4
    private static let refundWeek = 3

    let store: DemoStoreAPI
    let server: DemoServerAPI
    private(set) var customers: [Customer] = []

    init(store: DemoStoreAPI, server: DemoServerAPI) {
        self.store = store
        self.server = server
    }

    /// Executes the actions of a week, counted back from the end.
    mutating func simulate(weeksLeft: Int) async throws {
        switch weeksLeft {
        case Self.weeks: try await arrive()
        case Self.lapseWeek:
            for lapsed in matching(.lapsed) { try await store.setAutoRenew(false, subscription: lapsed.purchase) }
        case Self.declineWeek:
            try await store.setGracePeriod("twenty_eight_days")
            for customer in matching(.grace) + matching(.retry) {
                try await store.setCard(isGood: false, account: customer.accountID)
            }
        case Self.refundWeek:
            for refunded in matching(.refunded) {
                let account = try await store.account(refunded.accountID)
                guard let paid = account.transactions.last(where: { $0.price > 0 }) else { continue }
                try await store.refund(transaction: paid.transactionId)
            }
        default: return
        }
    }

    /// Adds the customer with a trial at the end, because a trial is short.
    mutating func finish() async throws {
        guard !customers.isEmpty else { return }
        try await buy("pro.monthly", as: .trial, in: "DEU")
    }

    private mutating func arrive() async throws {
        try await buy("pro.monthly", as: .active, in: "JPN")
        try await buy("pro.monthly", as: .grace, in: "USA")
        // A short period has a short grace period, which ends before the year does.
        try await buy("pro.weekly", as: .retry, in: "GBR")
        try await buy("pro.monthly", as: .refunded, in: "FRA")
        try await buy("pro.monthly", as: .lapsed, in: "KOR")
        try await share()
    }

    private mutating func buy(_ product: String, as kind: Kind, in storefront: String) async throws {
        let account = try await store.createAccount(storefront: storefront)
        let receipt = try await store.purchase(product, account: account, appAccountToken: nil)
        let customer = Customer(kind: kind, accountID: account, purchase: receipt.transactionId)
        try await server.submit(receipt.signedTransactionInfo, appUserID: customer.appUserID)
        customers.append(customer)
    }

    /// A family member, for whom another account pays. A real app would submit the transaction; here a server submits
    /// its identifier.
    private mutating func share() async throws {
        let organizer = try await store.createAccount(storefront: "USA")
        let relative = try await store.createAccount(storefront: "USA")
        try await store.addToFamily(relative, of: organizer)
        _ = try await store.purchase("pro.yearly", account: organizer, appAccountToken: nil)
        guard let shared = try await store.account(relative).transactions.last else { return }
        let customer = Customer(kind: .family, accountID: relative, purchase: shared.transactionId)
        try await server.submit(transactionID: shared.transactionId, appUserID: customer.appUserID)
        customers.append(customer)
    }

    private func matching(_ kind: Kind) -> [Customer] { customers.filter { $0.kind == kind } }
}
