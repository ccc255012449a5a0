extension LocalAppStore {
    /// What a new sale of one product costs the account now, without an offer; thousandths of its currency unit.
    func salePrice(of product: CatalogProduct, to account: LedgerIndex<Account>) -> Int64 { product.price }

    /// What the next period of a subscription costs, without an offer; thousandths of its currency unit.
    func renewalPrice(of product: CatalogProduct, for subscription: Subscription) -> Int64 { product.price }
}
