/// The Family Sharing groups, and the members' records for each shared purchase.
struct FamilySharing: Sendable, Codable {
    /// The purchase behind a member's subscription.
    struct Source: Hashable, Sendable, Codable {
        /// The purchaser's subscription.
        let subscription: LedgerIndex<Subscription>
        /// The purchaser's period that the member's newest period copies.
        var period: LedgerIndex<Transaction>
    }

    /// The maximum number of members beside the purchaser.
    ///
    /// - Source: App Store Connect, Turn on Family Sharing for in-app purchases.
    static let membersMax = 5

    private var members: [LedgerIndex<Account>: [LedgerIndex<Account>]] = [:]
    private var purchasers: [LedgerIndex<Account>: LedgerIndex<Account>] = [:]
    private var subscriptions: [LedgerIndex<Subscription>: [LedgerIndex<Account>: LedgerIndex<Subscription>]] = [:]
    private var purchases: [LedgerIndex<Transaction>: [LedgerIndex<Account>: LedgerIndex<Transaction>]] = [:]
    private var sources: [LedgerIndex<Subscription>: Source] = [:]

    /// Whether no account shares purchases, as in most stores.
    var isEmpty: Bool { members.isEmpty }

    /// The members with whom an account shares, in the order in which they joined.
    func members(of purchaser: LedgerIndex<Account>) -> [LedgerIndex<Account>] { members[purchaser] ?? [] }

    /// The account that shares with a member.
    func purchaser(for member: LedgerIndex<Account>) -> LedgerIndex<Account>? { purchasers[member] }

    mutating func add(_ member: LedgerIndex<Account>, to purchaser: LedgerIndex<Account>) {
        members[purchaser, default: []].append(member)
        purchasers[member] = purchaser
    }

    mutating func remove(_ member: LedgerIndex<Account>, from purchaser: LedgerIndex<Account>) {
        members[purchaser]?.removeAll { $0 == member }
        purchasers[member] = nil
    }

    /// The purchaser's subscription behind a member's subscription; `nil` for a purchased one.
    func source(of copy: LedgerIndex<Subscription>) -> Source? { sources[copy] }

    /// A member's record of a purchaser's subscription.
    func copy(
        of subscription: LedgerIndex<Subscription>,
        for member: LedgerIndex<Account>
    ) -> LedgerIndex<Subscription>? {
        subscriptions[subscription]?[member]
    }

    mutating func note(
        _ copy: LedgerIndex<Subscription>,
        of subscription: LedgerIndex<Subscription>,
        period: LedgerIndex<Transaction>,
        for member: LedgerIndex<Account>
    ) {
        subscriptions[subscription, default: [:]][member] = copy
        sources[copy] = Source(subscription: subscription, period: period)
    }

    /// A member's record of a purchase without renewal.
    func copy(of purchase: LedgerIndex<Transaction>, for member: LedgerIndex<Account>) -> LedgerIndex<Transaction>? {
        purchases[purchase]?[member]
    }

    mutating func note(
        _ copy: LedgerIndex<Transaction>,
        of purchase: LedgerIndex<Transaction>,
        for member: LedgerIndex<Account>
    ) {
        purchases[purchase, default: [:]][member] = copy
    }
}
