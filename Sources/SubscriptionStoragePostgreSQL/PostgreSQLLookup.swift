#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// A look-up of data of an app for one or more identifiers.
    enum PostgreSQLLookup {
        /// Whether signed inputs are stored.
        case evidence([EvidenceID])
        /// Purchases; in a write their rows are locked, so that ``DuePurchase`` processing skips them.
        case purchases([OriginalTransactionID])
        /// The facts of purchases.
        case facts([OriginalTransactionID])
        case customers([CustomerID])
        /// The aliases among identifiers.
        case aliases([CustomerID])
        /// Customers' own and shared purchases.
        case holdings([CustomerID])
        case grants([CustomerID])
        /// The app's entitlement definitions.
        case definitions
    }

    extension PostgreSQLTransaction {
        /// The maximum size of the cache; when it is exceeded, data is read again.
        private static let knownMax = 4_096

        /// Runs all look-ups in one round trip and caches their results.
        ///
        /// - Parameter isExpected: Whether the rows are only expected to be used. Then a purchase that cannot be read
        ///   is not cached, and only a read that needs it fails.
        func fetch(
            _ lookups: [PostgreSQLLookup],
            of app: AppID,
            isExpected: Bool = false
        ) throws(StorageError) {
            if known[app]?.count ?? 0 > Self.knownMax { known[app] = nil }
            var answers = try answers(lookups.flatMap { $0.queries(of: app, isWriting: isWriting) })[...]
            try decoded { () throws(StorageError) in
                do throws(StorageError) {
                    for lookup in lookups {
                        try lookup.take(&answers, in: &known[app, default: PostgreSQLKnown()], isExpected: isExpected)
                    }
                } catch {
                    // A part of the rows is in the cache as if the others did not exist.
                    known[app] = nil
                    throw error
                }
            }
        }
    }

    extension PostgreSQLLookup {
        fileprivate func queries(
            of app: AppID,
            isWriting: Bool
        ) -> [(statement: PostgreSQLStatement, values: [ColumnValue])] {
            let app = ColumnValue.text(app)
            switch self {
            case .evidence(let ids): return [(PostgreSQLQuery.hasEvidence, [app, .texts(ids)])]
            case .purchases(let ids):
                let query = isWriting ? PostgreSQLQuery.purchasesForUpdate : PostgreSQLQuery.purchases
                return [(query, [app, .texts(ids)])]
            case .facts(let ids):
                let values = [app, .texts(ids)]
                return [(PostgreSQLQuery.facts, values), (PostgreSQLQuery.earlierTransactions, values)]
            case .customers(let ids): return [(PostgreSQLQuery.customersByID, [app, .texts(ids)])]
            case .aliases(let ids): return [(PostgreSQLQuery.aliases, [app, .texts(ids)])]
            case .holdings(let ids):
                let values = [app, .texts(ids)]
                return [(PostgreSQLQuery.purchasesOfCustomers, values), (PostgreSQLQuery.sharedPurchases, values)]
            case .grants(let ids): return [(PostgreSQLQuery.grants, [app, .texts(ids)])]
            case .definitions: return [(PostgreSQLQuery.definitions, [app])]
            }
        }

        /// Removes the results of its queries from the front.
        fileprivate func take(
            _ answers: inout ArraySlice<PostgreSQLResult>,
            in known: inout PostgreSQLKnown,
            isExpected: Bool
        ) throws(StorageError) {
            switch self {
            case .evidence(let ids):
                let stored = Set(
                    try answers.removeFirst().rows { row throws(StorageError) in
                        try row.identifier(0) as EvidenceID
                    }
                )
                for id in ids { known.evidence[id] = stored.contains(id) }
            case .purchases(let ids):
                var unreadable: Set<OriginalTransactionID>? = isExpected ? [] : nil
                for id in ids { known.remember(nil as PurchaseRecord?, as: id) }
                let stored = try answers.removeFirst().rows(leavingOut: &unreadable) { row throws(StorageError) in
                    try PurchaseRecord.stored(in: row)
                }
                for purchase in stored.compactMap(\.self) { known.remember(purchase, as: purchase.id) }
                for id in unreadable ?? [] { known.forgetRecord(of: id) }
            case .facts(let ids):
                var unreadable: Set<OriginalTransactionID>? = isExpected ? [] : nil
                for id in ids { known.remember(PurchaseFacts(), earlier: [], of: id) }
                let stored = try answers.removeFirst().rows(leavingOut: &unreadable) { row throws(StorageError) in
                    let id: OriginalTransactionID = try row.identifier(0)
                    return (id, try PurchaseFacts(compactBytes: try row.optionalBytes(1), of: id))
                }
                let rows = try answers.removeFirst().rows(leavingOut: &unreadable) { row throws(StorageError) in
                    try TransactionFact(row: row)
                }
                let earlier = Dictionary(grouping: rows, by: \.originalID)
                for (id, facts) in stored { known.remember(facts, earlier: earlier[id] ?? [], of: id) }
                for id in unreadable ?? [] { known.forgetFacts(of: id) }
            case .customers(let ids):
                for id in ids { known.remember(nil as CustomerRecord?, as: id) }
                for customer in try answers.removeFirst().rows(CustomerRecord.init(row:)) {
                    known.remember(customer, as: customer.id)
                }
            case .aliases(let ids):
                for id in ids { known.remember(nil as AliasRecord?, as: id) }
                for alias in try answers.removeFirst().rows(AliasRecord.init(row:)) {
                    known.remember(alias, as: alias.id)
                }
            case .holdings(let ids):
                var unreadable: Set<CustomerID>? = isExpected ? [] : nil
                let own = try answers.removeFirst().rows(leavingOut: &unreadable, by: 1) { row throws(StorageError) in
                    try PurchaseRecord(row: row)
                }
                let shared = try answers.removeFirst().rows(leavingOut: &unreadable, by: 6) {
                    row throws(StorageError) in
                    (sharer: try row.identifier(6) as CustomerID, purchase: try PurchaseRecord(row: row))
                }
                let ownByCustomer = Dictionary(grouping: own) { $0.customerID }
                for id in ids where unreadable?.contains(id) != true {
                    known.remember(
                        own: ownByCustomer[id] ?? [],
                        shared: shared.filter { $0.sharer == id }.map(\.purchase),
                        of: id
                    )
                }
            case .grants(let ids):
                let grants = Dictionary(grouping: try answers.removeFirst().rows(GrantRecord.init(row:))) {
                    $0.customerID
                }
                for id in ids { known.remember(grants[id] ?? [], of: id) }
            case .definitions:
                let rows = try answers.removeFirst().rows { row throws(StorageError) in
                    (
                        id: try row.identifier(0) as EntitlementID,
                        product: try row.optionalIdentifier(1) as ProductID?,
                        days: try row.optionalCount(2)
                    )
                }
                known.definitions = EntitlementDefinition.definitions(rows)
            }
        }
    }

    extension AliasRecord {
        fileprivate init(row: PostgreSQLRow) throws(StorageError) {
            self.init(id: try row.identifier(0), customerID: try row.identifier(1), createdAt: try row.time(2))
        }
    }
#endif
