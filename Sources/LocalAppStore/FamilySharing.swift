/// Who shares purchases with whom, and which of the members' records stand for which purchase.
struct FamilySharing: Sendable, Codable {
    /// What a member's subscription stands for.
    struct Source: Hashable, Sendable, Codable {
        /// The purchaser's subscription.
        let subscription: LedgerIndex<Subscription>
        /// The purchaser's period that the member's newest one repeats.
        var period: LedgerIndex<Transaction>
    }

    /// The most members beside the purchaser.
    ///
    /// - Source: App Store Connect, Turn on Family Sharing for in-app purchases.
    static let membersMax = 5

    private var members: [LedgerIndex<Account>: [LedgerIndex<Account>]] = [:]
    private var purchasers: [LedgerIndex<Account>: LedgerIndex<Account>] = [:]
    private var subscriptions: [LedgerIndex<Subscription>: [LedgerIndex<Account>: LedgerIndex<Subscription>]] = [:]
    private var purchases: [LedgerIndex<Transaction>: [LedgerIndex<Account>: LedgerIndex<Transaction>]] = [:]
    private var sources: [LedgerIndex<Subscription>: Source] = [:]

    /// Whether nobody shares anything, as in most stores.
    var isEmpty: Bool { members.isEmpty }

    /// Those that an account shares with, in the order in which they joined.
    func members(of purchaser: LedgerIndex<Account>) -> [LedgerIndex<Account>] { members[purchaser] ?? [] }

    /// Who shares with an account.
    func purchaser(for member: LedgerIndex<Account>) -> LedgerIndex<Account>? { purchasers[member] }

    mutating func add(_ member: LedgerIndex<Account>, to purchaser: LedgerIndex<Account>) {
        members[purchaser, default: []].append(member)
        purchasers[member] = purchaser
    }

    mutating func remove(_ member: LedgerIndex<Account>, from purchaser: LedgerIndex<Account>) {
        members[purchaser]?.removeAll { $0 == member }
        purchasers[member] = nil
    }

    /// The purchaser's subscription that a member's one stands for; `nil` for one that was bought.
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

    /// A member's record of a purchase that does not renew.
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
