/// One customer of each kind, who are as they are when the year ends.
///
/// Their story is written back from the end, in weeks: what is bought then lasts, or fails, at the last moment. A demo
/// that is shorter than that has none of them.
struct DemoCast: Sendable {
    /// A kind of customer.
    enum Kind: String, CaseIterable, Sendable {
        case active, trial, grace, retry, refunded, family, lapsed
    }

    /// A customer, and what is known of them.
    struct Member: Sendable {
        let kind: Kind
        /// The store's account.
        let accountID: String
        /// The first purchase.
        let purchase: String
        /// What the app calls them.
        var appUserID: String { "u_\(kind.rawValue)" }
    }

    /// How many weeks before the end the first of them comes.
    static let weeks = 10
    private static let lapseWeek = 8
    private static let declineWeek = 4
    private static let refundWeek = 3

    let store: DemoStoreAPI
    let server: DemoServerAPI
    private(set) var members: [Member] = []

    init(store: DemoStoreAPI, server: DemoServerAPI) {
        self.store = store
        self.server = server
    }

    /// Does what is due so many weeks before the end.
    mutating func play(weeksLeft: Int) async throws {
        switch weeksLeft {
        case Self.weeks: try await come()
        case Self.lapseWeek:
            for lapsed in those(.lapsed) { try await store.setAutoRenew(false, subscription: lapsed.purchase) }
        case Self.declineWeek:
            try await store.setGracePeriod("twenty_eight_days")
            for poor in those(.grace) + those(.retry) {
                try await store.setCard(isGood: false, account: poor.accountID)
            }
        case Self.refundWeek:
            for refunded in those(.refunded) {
                let account = try await store.account(refunded.accountID)
                guard let paid = account.transactions.last(where: { $0.price > 0 }) else { continue }
                try await store.refund(transaction: paid.transactionId)
            }
        default: return
        }
    }

    /// The last one comes when everything else has happened: a trial is short.
    mutating func finish() async throws {
        guard !members.isEmpty else { return }
        try await buy("pro.monthly", as: .trial, in: "DEU")
    }

    private mutating func come() async throws {
        try await buy("pro.monthly", as: .active, in: "JPN")
        try await buy("pro.monthly", as: .grace, in: "USA")
        // A short period has a short grace period, which is over when the year ends.
        try await buy("pro.weekly", as: .retry, in: "GBR")
        try await buy("pro.monthly", as: .refunded, in: "FRA")
        try await buy("pro.monthly", as: .lapsed, in: "KOR")
        try await share()
    }

    private mutating func buy(_ product: String, as kind: Kind, in storefront: String) async throws {
        let account = try await store.createAccount(storefront: storefront)
        let receipt = try await store.purchase(product, account: account, appAccountToken: nil)
        let member = Member(kind: kind, accountID: account, purchase: receipt.transactionId)
        try await server.submit(receipt.signedTransactionInfo, appUserID: member.appUserID)
        members.append(member)
    }

    /// A member of a family, for whom somebody else pays. Their app would submit; here a server names the transaction.
    private mutating func share() async throws {
        let organizer = try await store.createAccount(storefront: "USA")
        let relative = try await store.createAccount(storefront: "USA")
        try await store.addToFamily(relative, of: organizer)
        _ = try await store.purchase("pro.yearly", account: organizer, appAccountToken: nil)
        guard let shared = try await store.account(relative).transactions.last else { return }
        let member = Member(kind: .family, accountID: relative, purchase: shared.transactionId)
        try await server.submit(transactionID: shared.transactionId, appUserID: member.appUserID)
        members.append(member)
    }

    private func those(_ kind: Kind) -> [Member] { members.filter { $0.kind == kind } }
}
