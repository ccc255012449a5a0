/// A previous storefront of an account that moved.
struct FormerStorefront: Hashable, Sendable, Codable {
    let storefront: Storefront
    /// The first transaction after the move.
    let end: LedgerIndex<Transaction>
}

extension LocalAppStore {
    /// Moves an account to another country, where its later purchases and renewals are charged.
    ///
    /// Transactions keep their storefront and currency. A pending price increase is dropped, because the other country
    /// has its own prices.
    ///
    /// - Parameters:
    ///   - accountId: The account.
    ///   - storefront: The country, ISO 3166-1 alpha-3.
    /// - Throws: `account_not_found`, `storefront_unknown`, `signing_failed`.
    public mutating func setStorefront(accountId: String, storefront: String) throws(StoreError) {
        let account = try accountIndex(accountId)
        let new = try Self.storefront(named: storefront, path: "storefront")
        guard new != ledger[account].storefront else { return }
        ledger.move(account, to: new)
        for subscription in ledger[account].subscriptions {
            guard ledger.family.source(of: subscription) == nil else { continue }
            ledger[priceOf: subscription] = nil
            guard ledger[subscription].isLive, let product = catalog.products[ledger[subscription].productId] else {
                continue
            }
            reviewPrice(of: subscription, own: listPrice(of: product, in: new, at: now))
        }
        try settle()
    }

    /// The storefront in which a transaction was made.
    func storefront(of index: LedgerIndex<Transaction>) -> Storefront {
        let account = ledger[index].account
        guard let former = ledger.formerStorefronts[account] else { return ledger[account].storefront }
        return former.first { index.offset < $0.end.offset }?.storefront ?? ledger[account].storefront
    }
}
