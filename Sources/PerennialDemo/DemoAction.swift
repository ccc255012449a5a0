import PerennialPrimitives

/// The action of a customer on one visit.
enum DemoAction: Hashable, Sendable {
    case buy(product: String)
    case setAutoRenew(Bool, subscription: String)
    case setCard(isGood: Bool)
    case refund(transaction: String)

    private static let proProducts = ["pro.monthly", "pro.monthly", "pro.weekly", "pro.yearly"]
    private static let groups = ["21000001": proProducts, "21000002": ["plus.monthly"]]
    private static let oneTimeProducts = ["coins.100", "coins.100", "season.pass", "lifetime"]

    /// The first purchase of a new customer.
    static func first(in storefront: String, using random: inout SplitMix64) -> DemoAction {
        if random.chance(percent: 10) { return .buy(product: random.pick(oneTimeProducts) ?? "coins.100") }
        return .buy(product: random.pick(sold(proProducts + ["plus.monthly"], in: storefront)) ?? "pro.monthly")
    }

    /// The next action of a customer with this account at a time; nil for none.
    static func next(
        for account: LedgerAccount,
        at now: Int64,
        in storefront: String,
        using random: inout SplitMix64
    ) -> DemoAction? {
        let cardIsGood = account.hasGoodCard
        if !cardIsGood, random.chance(percent: 45) { return .setCard(isGood: true) }
        switch random.below(100) {
        case 0..<12: return cardIsGood ? .setCard(isGood: false) : nil
        case 12..<28: return toggleAutoRenew(account, using: &random)
        case 28..<36: return refund(account, at: now, newest: true, using: &random)
        case 36..<42: return refund(account, at: now, newest: false, using: &random)
        case 42..<70: return cardIsGood ? resubscribe(account, in: storefront, using: &random) : nil
        case 70..<80: return cardIsGood ? buyOneTime(account, using: &random) : nil
        default: return nil
        }
    }

    /// Turns renewal off, or on again while possible.
    private static func toggleAutoRenew(_ account: LedgerAccount, using random: inout SplitMix64) -> DemoAction? {
        guard let subscription = random.pick(account.subscriptions.filter { !$0.isOver }) else { return nil }
        return .setAutoRenew(subscription.autoRenewStatus == 0, subscription: subscription.originalTransactionId)
    }

    /// A period that was charged early is not refunded before it begins.
    private static func refund(
        _ account: LedgerAccount,
        at now: Int64,
        newest: Bool,
        using random: inout SplitMix64
    ) -> DemoAction? {
        let refundable = account.transactions.filter {
            $0.revocationDate == nil && $0.price > 0 && $0.purchaseDate <= now
        }
        if newest { return refundable.last.map { .refund(transaction: $0.transactionId) } }
        return random.pick(Array(refundable.dropLast())).map { .refund(transaction: $0.transactionId) }
    }

    /// A group without an active subscription: again after a lapse or a refund, or for the first time.
    private static func resubscribe(
        _ account: LedgerAccount,
        in storefront: String,
        using random: inout SplitMix64
    ) -> DemoAction? {
        let taken = Set(account.subscriptions.filter { !$0.isOver }.map(\.subscriptionGroupIdentifier))
        let free = groups.keys.filter { !taken.contains($0) }.sorted()
        guard let group = random.pick(free), let product = random.pick(sold(groups[group] ?? [], in: storefront))
        else { return nil }
        return .buy(product: product)
    }

    private static func sold(_ products: [String], in storefront: String) -> [String] {
        products.filter { DemoPrices.isSold($0, in: storefront) }
    }

    private static func buyOneTime(_ account: LedgerAccount, using random: inout SplitMix64) -> DemoAction? {
        guard let product = random.pick(oneTimeProducts) else { return nil }
        let owns = account.transactions.contains { $0.productId == product && $0.type == "Non-Consumable" }
        return owns ? nil : .buy(product: product)
    }
}
