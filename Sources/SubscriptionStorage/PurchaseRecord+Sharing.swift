extension [PurchaseRecord] {
    /// A customer's own purchases and those shared with the customer, by identifier, without duplicates.
    package func joined(with shared: [PurchaseRecord]) -> [PurchaseRecord] {
        let own = Set(map(\.id))
        return (self + shared.filter { !own.contains($0.id) }).sorted { $0.id < $1.id }
    }
}
