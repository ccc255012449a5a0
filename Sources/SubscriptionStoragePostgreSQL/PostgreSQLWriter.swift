#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// A write transaction. It locks what it uses first; see ``PostgreSQLLock``.
    struct PostgreSQLWriter: PostgreSQLReading {
        let transaction: PostgreSQLTransaction
    }

    extension PostgreSQLWriter: StorageWriting {
        func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError) {
            try transaction.lockExclusively(app)
            transaction.known[app]?.definitions = nil
            let key: [ColumnValue] = [.text(app), .text(definition.id)]
            try transaction.enqueue(
                PostgreSQLQuery.saveDefinition,
                key + [.integer(definition.billingRetryGraceDays)]
            )
            try transaction.enqueue(PostgreSQLQuery.clearProducts, key)
            for (position, product) in definition.productIDs.enumerated() {
                try transaction.enqueue(PostgreSQLQuery.saveProduct, key + [.integer(position), .text(product)])
            }
        }

        func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool {
            let (app, id) = (evidence.appID, evidence.id)
            guard try !hasEvidence(id, of: app) else { return false }
            transaction.known[app]?.evidence[id] = true
            let bytes = SplitJWS(evidence.signedBytes)
            try transaction.append(
                evidence: [
                    .text(id), .text(evidence.kind), .text(evidence.type), .text(evidence.subtype),
                    .text(evidence.purchaseID), .time(evidence.signedAt), .time(evidence.receivedAt),
                    .integer(try number(ofHeader: bytes.header, of: app)), .blob(bytes.remainder),
                ],
                of: app
            )
            return true
        }

        func save(_ fact: Fact, of app: AppID) throws(StorageError) {
            try fact.requireStorableText()
            let id = fact.originalID
            var facts = try facts(of: id, app: app)
            let outside = facts.save(fact)
            try transaction.save(in: app) { [facts] pending in
                pending.save(facts, of: id)
                for earlier in outside.earlier {
                    pending.earlierTransactions.save(earlier.columns, as: .init(purchase: id, id: earlier.id))
                }
                if let new = outside.new, new.id.rawValue != id.rawValue {
                    pending.transactionIDs.save([.text(new.id), .text(id)], as: .init(purchase: id, id: new.id))
                }
            }
            transaction.known[app]?.saved(fact, in: facts)
        }

        /// The facts in the row of a locked purchase.
        private func facts(of id: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseFacts {
            try transaction.lock(.purchase(id), of: app)
            if let known = transaction.known[app]?.facts[id] { return known }
            try transaction.fetch([.facts([id])], of: app)
            return transaction.known[app]?.facts[id] ?? PurchaseFacts()
        }

        func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(claim.purchaseID), of: app)
            try transaction.enqueue(PostgreSQLQuery.insertClaim, values(of: claim, app: app))
        }

        func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError) {
            // Other writes must not read the old and the new owner before the commit.
            let before = try self.purchase(purchase.id, of: app)?.customerID
            let customers = Set([before, purchase.customerID].compactMap(\.self))
            try transaction.lock(customers.map(PostgreSQLLock.customer), of: app)
            let facts = try facts(of: purchase.id, app: app)
            try transaction.save(in: app) { pending in
                pending.save(facts, of: purchase.id)
                pending.purchases.save(purchase.columns, as: purchase.id)
            }
            transaction.known[app]?.saved(purchase)
        }

        func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(customer.id), of: app)
            let columns = try customer.columns
            try transaction.save(in: app) { $0.customers.save(columns, as: customer.id) }
            transaction.known[app]?.saved(customer)
        }

        func append(
            _ events: [SubscriptionEvent],
            customer: CustomerRecord?,
            recordedAt: Timestamp,
            app: AppID
        ) throws(StorageError) {
            guard !events.isEmpty else { return }
            try transaction.lockShared(app)
            var rows: [[ColumnValue]] = []
            for event in events {
                rows.append([
                    .text(customer?.id), .integer(customer?.stateVersion), .time(recordedAt),
                    .bytes(event.compactBytes),
                ])
            }
            try transaction.append(events: rows, of: app)
        }

        /// The number of a header, which is stored if it is new; nil for an input without one.
        func number(ofHeader bytes: ArraySlice<UInt8>?, of app: AppID) throws(StorageError) -> Int64? {
            guard let bytes else { return nil }
            let headers = [transaction.newHeaders, transaction.connection.headers]
            for known in headers { if let number = known.number(of: bytes, app: app) { return number } }
            let content: [ColumnValue] = [.text(app), .number(SplitJWS.checksum(bytes)), .blob(bytes)]
            let number: Int64
            if let stored = try storedNumber(of: content) {
                number = stored
            } else {
                number = try add(content, of: app)
            }
            transaction.newHeaders.remember(number, of: bytes, app: app)
            return number
        }

        private func storedNumber(of header: [ColumnValue]) throws(StorageError) -> Int64? {
            try transaction.row(PostgreSQLQuery.header, header) { row throws(StorageError) in try row.integer(0) }
        }

        /// Two writes with the same new header are serialized, and the second one finds it.
        private func add(_ header: [ColumnValue], of app: AppID) throws(StorageError) -> Int64 {
            try transaction.lock(.headers, of: app)
            if let number = try storedNumber(of: header) { return number }
            let number = try transaction.row(PostgreSQLQuery.insertHeader, header) { row throws(StorageError) in
                try row.integer(0)
            }
            guard let number else { throw StorageError(.failed, "A header got no number.", isRetryable: false) }
            return number
        }
    }
#endif
