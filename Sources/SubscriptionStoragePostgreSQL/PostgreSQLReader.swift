#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// What reads through a transaction; the reader and the writer share it.
    ///
    /// In a write, each call first locks what it reads, so that it is still true at the commit.
    protocol PostgreSQLReading: StorageReading {
        var transaction: PostgreSQLTransaction { get }
    }

    /// A read transaction.
    struct PostgreSQLReader: PostgreSQLReading {
        let transaction: PostgreSQLTransaction
    }

    extension PostgreSQLReading {
        func apps() throws(StorageError) -> [AppRecord] {
            try transaction.rows(PostgreSQLQuery.apps, []) { row throws(StorageError) in
                AppRecord(
                    bundleID: try row.text(0),
                    environment: try row.choice(1),
                    appleID: try row.optionalInteger(2)
                )
            }
        }

        func apiKey(digest: [UInt8]) throws(StorageError) -> APIKeyRecord? {
            try transaction.row(PostgreSQLQuery.apiKey, [.bytes(digest)], decode: APIKeyRecord.init(row:))
        }

        func apiKeys(of app: AppID) throws(StorageError) -> [APIKeyRecord] {
            try transaction.holdAlone(app)
            return try transaction.rows(PostgreSQLQuery.apiKeys, [.text(app)], decode: APIKeyRecord.init(row:))
        }

        func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
            if let known = transaction.definitions[app] { return known }
            try transaction.share(app)
            let rows = try transaction.rows(PostgreSQLQuery.definitions, [.text(app)]) { row throws(StorageError) in
                (id: try row.identifier(0) as EntitlementID, product: try row.optionalIdentifier(1) as ProductID?)
            }
            var definitions: [EntitlementDefinition] = []
            for row in rows {
                if definitions.last?.id != row.id {
                    definitions.append(EntitlementDefinition(id: row.id, productIDs: []))
                }
                if let product = row.product { definitions[definitions.count - 1].productIDs.append(product) }
            }
            transaction.definitions[app] = definitions
            return definitions
        }

        func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
            try transaction.lock(.customer(id), of: app)
            return try transaction.row(PostgreSQLQuery.customer, [.text(app), .text(id)]) { row throws(StorageError) in
                CustomerRecord(id: id, firstSeenAt: try row.time(0), stateVersion: try row.integer(1))
            }
        }

        func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
            try transaction.holdAlone(app)
            // No identifier is empty, so that the empty text comes before all of them.
            let values: [PostgreSQLValue] = [.text(app), .text(id ?? CustomerID("")), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.customers, values) { row throws(StorageError) in
                CustomerRecord(
                    id: try row.identifier(0),
                    firstSeenAt: try row.time(1),
                    stateVersion: try row.integer(2)
                )
            }
        }
    }

    extension PostgreSQLReading {
        func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
            try transaction.lock(.evidence(id), of: app)
            if transaction.waiting[app]?.evidenceIDs.contains(id) == true { try transaction.settleOrders(of: app) }
            return try transaction.row(PostgreSQLQuery.evidence, [.text(app), .text(id)]) { row throws(StorageError) in
                try EvidenceRecord(row: row, app: app)
            }
        }

        func evidence(
            about purchase: OriginalTransactionID,
            of app: AppID,
            after sequence: Int64,
            limit: Int
        ) throws(StorageError) -> [PlacedEvidence] {
            try transaction.settleOrders(of: app)
            let values: [PostgreSQLValue] = [.text(app), .text(purchase), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.evidenceOfPurchase, values) { row throws(StorageError) in
                PlacedEvidence(sequence: try row.integer(10), record: try EvidenceRecord(row: row, app: app))
            }
        }

        func evidence(
            _ kind: EvidenceRecord.Kind,
            of app: AppID,
            after sequence: Int64,
            limit: Int
        ) throws(StorageError) -> [EvidenceSummary] {
            try transaction.settleOrders(of: app)
            let values: [PostgreSQLValue] = [.text(app), .text(kind), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.evidenceList, values) { row throws(StorageError) in
                EvidenceSummary(
                    sequence: try row.integer(0),
                    id: try row.identifier(1),
                    type: try row.optionalText(2),
                    subtype: try row.optionalText(3),
                    signedAt: try row.time(4),
                    receivedAt: try row.time(5)
                )
            }
        }

        func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
            try transaction.settleOrders(of: app)
            let values: [PostgreSQLValue] = [.text(app), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.events, values) { row throws(StorageError) in
                EventRecord(
                    sequence: try row.integer(0),
                    customerID: try row.optionalIdentifier(1),
                    stateVersion: try row.optionalInteger(2),
                    recordedAt: try row.time(3),
                    event: try transaction.value(SubscriptionEvent.self, from: try row.text(4))
                )
            }
        }
    }

    extension EvidenceRecord {
        fileprivate init(row: PostgreSQLRow, app: AppID) throws(StorageError) {
            let id: EvidenceID = try row.identifier(0)
            let header = try row.optionalBytes(8)
            if header == nil, try row.optionalInteger(7) != nil {
                throw .unreadable("the header of evidence \(id)")
            }
            self.init(
                appID: app,
                id: id,
                kind: try row.choice(1),
                signedAt: try row.time(5),
                receivedAt: try row.time(6),
                signedBytes: SplitJWS.joined(header: header, remainder: try row.bytes(9)),
                type: try row.optionalText(2),
                subtype: try row.optionalText(3),
                purchaseID: try row.optionalIdentifier(4)
            )
        }
    }

    extension APIKeyRecord {
        fileprivate init(row: PostgreSQLRow) throws(StorageError) {
            self.init(
                digest: try row.bytes(1),
                appID: try row.identifier(0),
                kind: try row.choice(2),
                hint: try row.text(3),
                createdAt: try row.time(4)
            )
        }
    }
#endif
