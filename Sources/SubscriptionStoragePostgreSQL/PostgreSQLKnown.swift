#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// A transaction's cache of what it has read or saved of an app.
    ///
    /// It stays valid, because a read sees one snapshot and a write locks what it reads.
    struct PostgreSQLKnown {
        /// Whether a signed input is stored.
        var evidence: [EvidenceID: Bool] = [:]
        /// Purchases; an inner nil means that the purchase is not stored.
        private(set) var purchases: [OriginalTransactionID: PurchaseRecord?] = [:]
        private(set) var customers: [CustomerID: CustomerRecord?] = [:]
        private(set) var aliases: [CustomerID: AliasRecord?] = [:]
        /// Customers' own and shared purchases.
        private(set) var holdings: [CustomerID: [PurchaseRecord]] = [:]
        private(set) var grants: [CustomerID: [GrantRecord]] = [:]
        /// The app's entitlement definitions.
        var definitions: [EntitlementDefinition]?
        /// Facts in the rows of purchases.
        private(set) var facts: [OriginalTransactionID: PurchaseFacts] = [:]
        private var ledgers: [OriginalTransactionID: PurchaseLedger] = [:]
        /// Facts that were saved since; they are joined to the ledgers at the next use.
        private var savedFacts: [OriginalTransactionID: [Fact]] = [:]
        /// Purchases that may have sharers.
        private var sharedPurchases: Set<OriginalTransactionID> = []

        /// A lower bound of the number of cached purchases and customers.
        var count: Int { max(evidence.count, ledgers.count, purchases.count, customers.count, holdings.count) }

        /// The ledger of a purchase; nil if it was not read.
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

        /// Removes and returns the cached aliases.
        mutating func takeAliases() -> [AliasRecord] {
            defer { aliases = [:] }
            return aliases.values.compactMap(\.self)
        }

        /// Records that a fact was saved; `facts` are the new facts of the row.
        mutating func saved(_ fact: Fact, in facts: PurchaseFacts) {
            guard ledgers[fact.originalID] != nil else { return }
            self.facts[fact.originalID] = facts
            savedFacts[fact.originalID, default: []].append(fact)
        }

        /// Records that a cached purchase was saved.
        mutating func saved(_ purchase: PurchaseRecord) {
            let id = purchase.id
            let before = purchases.updateValue(.some(purchase), forKey: id)??.customerID
            guard !sharedPurchases.contains(id) else { return holdings = [:] }
            if let before, let known = holdings[before] { holdings[before] = known.filter { $0.id != id } }
            if let owner = purchase.customerID, let known = holdings[owner] {
                holdings[owner] = known.joined(with: [purchase])
            }
        }

        /// Records that a customer was saved.
        mutating func saved(_ customer: CustomerRecord) {
            customers[customer.id] = .some(customer)
        }

        /// Removes a purchase's cached facts.
        mutating func forgetFacts(of id: OriginalTransactionID) {
            facts[id] = nil
            ledgers[id] = nil
            savedFacts[id] = nil
        }

        /// Removes a purchase's cached owner and state.
        mutating func forgetRecord(of id: OriginalTransactionID) { purchases[id] = nil }

        /// Removes a customer's cached data after a change.
        mutating func forget(_ customer: CustomerID) {
            customers[customer] = nil
            aliases[customer] = nil
            holdings[customer] = nil
            grants[customer] = nil
        }
    }
#endif
