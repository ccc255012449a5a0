#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// What a transaction has read of an app, or saved, so that nothing is asked twice.
    ///
    /// A read sees one snapshot, and a write holds what it reads: nobody else changes it before the end.
    struct PostgreSQLKnown {
        /// Whether a signed input is held.
        var evidence: [EvidenceID: Bool] = [:]
        /// Purchases; the inner nil is one that is not stored.
        private(set) var purchases: [OriginalTransactionID: PurchaseRecord?] = [:]
        private(set) var customers: [CustomerID: CustomerRecord?] = [:]
        private(set) var aliases: [CustomerID: AliasRecord?] = [:]
        /// Customers' own purchases and those that are shared with them.
        private(set) var holdings: [CustomerID: [PurchaseRecord]] = [:]
        private(set) var grants: [CustomerID: [GrantRecord]] = [:]
        /// The app's rules.
        var definitions: [EntitlementDefinition]?
        /// Facts in the rows of purchases.
        private(set) var facts: [OriginalTransactionID: PurchaseFacts] = [:]
        private var ledgers: [OriginalTransactionID: PurchaseLedger] = [:]
        /// Facts that were saved since, which the ledgers get when they are asked for.
        private var savedFacts: [OriginalTransactionID: [Fact]] = [:]
        /// Purchases that more than their owner may have.
        private var sharedPurchases: Set<OriginalTransactionID> = []

        /// How many purchases and customers are known at least.
        var count: Int { max(evidence.count, ledgers.count, purchases.count, customers.count, holdings.count) }

        /// Everything known of a purchase; nil where it was not read.
        mutating func ledger(of id: OriginalTransactionID) -> PurchaseLedger? {
            if let saved = savedFacts.removeValue(forKey: id) { for fact in saved { ledgers[id]?.join(fact) } }
            return ledgers[id]
        }

        mutating func remember(
            _ facts: PurchaseFacts,
            earlier: [TransactionFact],
            of id: OriginalTransactionID
        ) {
            self.facts[id] = facts
            ledgers[id] = facts.ledger(of: id, earlier: earlier)
            savedFacts[id] = nil
        }

        mutating func remember(_ purchase: PurchaseRecord?, as id: OriginalTransactionID) {
            purchases[id] = .some(purchase)
        }

        mutating func remember(_ customer: CustomerRecord?, as id: CustomerID) {
            customers[id] = .some(customer)
        }

        mutating func remember(_ alias: AliasRecord?, as id: CustomerID) {
            aliases[id] = .some(alias)
        }

        mutating func remember(own: [PurchaseRecord], shared: [PurchaseRecord], of customer: CustomerID) {
            holdings[customer] = shared.isEmpty ? own : own.joined(with: shared)
            sharedPurchases.formUnion(shared.map(\.id))
        }

        mutating func remember(_ grants: [GrantRecord], of customer: CustomerID) {
            self.grants[customer] = grants
        }

        /// Takes what was read about aliases, and forgets it.
        mutating func takeAliases() -> [AliasRecord] {
            defer { aliases = [:] }
            return aliases.values.compactMap(\.self)
        }

        /// A fact was saved; with these the row has it.
        mutating func saved(_ fact: Fact, in facts: PurchaseFacts) {
            guard ledgers[fact.originalID] != nil else { return }
            self.facts[fact.originalID] = facts
            savedFacts[fact.originalID, default: []].append(fact)
        }

        /// A purchase was saved that was known before.
        mutating func saved(_ purchase: PurchaseRecord) {
            let id = purchase.id
            let before = purchases.updateValue(.some(purchase), forKey: id)??.customerID
            guard !sharedPurchases.contains(id) else { return holdings = [:] }
            if let before, let held = holdings[before] { holdings[before] = held.filter { $0.id != id } }
            if let owner = purchase.customerID, let held = holdings[owner] {
                holdings[owner] = held.joined(with: [purchase])
            }
        }

        /// A customer was saved.
        mutating func saved(_ customer: CustomerRecord) {
            customers[customer.id] = .some(customer)
        }

        /// Something of a customer changed that is rather read again.
        mutating func forget(_ customer: CustomerID) {
            customers[customer] = nil
            aliases[customer] = nil
            holdings[customer] = nil
            grants[customer] = nil
        }
    }
#endif
