#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// The reads through a transaction, shared by the reader and the writer.
    ///
    /// In a write, each call first locks what it reads, so that it is still valid at the commit.
    protocol PostgreSQLReading: StorageReading {
        var transaction: PostgreSQLTransaction { get }
    }

    /// A read transaction.
    struct PostgreSQLReader: PostgreSQLReading {
        let transaction: PostgreSQLTransaction
    }

    extension PostgreSQLReading {
        func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition] {
            if let known = transaction.known[app]?.definitions { return known }
            try transaction.lockShared(app)
            try transaction.fetch([.definitions], of: app)
            return transaction.known[app]?.definitions ?? []
        }

        func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord? {
            if let known = transaction.known[app]?.customers[id] { return known }
            try transaction.lock(.customer(id), of: app)
            try transaction.fetch([.customers([id])], of: app)
            return transaction.known[app]?.customers[id] ?? nil
        }

        func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord] {
            try transaction.lockExclusively(app)
            // No identifier is empty, so the empty text comes before all of them.
            let values: [ColumnValue] = [.text(app), .text(id ?? CustomerID("")), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.customers, values, decode: CustomerRecord.init(row:))
        }
    }

    extension PostgreSQLReading {
        func hasEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> Bool {
            if let known = transaction.known[app]?.evidence[id] { return known }
            try transaction.lock(.evidence(id), of: app)
            try transaction.fetch([.evidence([id])], of: app)
            return transaction.known[app]?.evidence[id] ?? false
        }

        func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
            try transaction.lock(.evidence(id), of: app)
            if transaction.waiting[app]?.evidence.isEmpty == false { try transaction.flushAndLockCounters(of: app) }
            return try transaction.row(PostgreSQLQuery.evidence, [.text(app), .text(id)]) { row throws(StorageError) in
                try SequencedEvidence(row: row, app: app).record
            }
        }

        func foundEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> FoundEvidence? {
            try transaction.lock(.evidence(id), of: app)
            if transaction.waiting[app]?.evidence.isEmpty == false { try transaction.flushAndLockCounters(of: app) }
            return try transaction.row(PostgreSQLQuery.evidence, [.text(app), .text(id)]) { row throws(StorageError) in
                try FoundEvidence(row: row, app: app)
            }
        }

        func foundEvidence(
            about purchase: OriginalTransactionID,
            of app: AppID,
            after sequence: Int64,
            limit: Int
        ) throws(StorageError) -> [FoundEvidence] {
            try transaction.flushAndLockCounters(of: app)
            let values: [ColumnValue] = [.text(app), .text(purchase), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.evidenceOfPurchase, values) { row throws(StorageError) in
                try FoundEvidence(row: row, app: app)
            }
        }

        func evidence(
            about purchase: OriginalTransactionID,
            of app: AppID,
            after sequence: Int64,
            limit: Int
        ) throws(StorageError) -> [SequencedEvidence] {
            try transaction.flushAndLockCounters(of: app)
            let values: [ColumnValue] = [.text(app), .text(purchase), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.evidenceOfPurchase, values) { row throws(StorageError) in
                try SequencedEvidence(row: row, app: app)
            }
        }

        func evidence(
            _ kind: EvidenceRecord.Kind,
            of app: AppID,
            after sequence: Int64,
            limit: Int
        ) throws(StorageError) -> [FoundSummary] {
            try transaction.flushAndLockCounters(of: app)
            let values: [ColumnValue] = [.text(app), .text(kind), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.evidenceList, values, decode: FoundSummary.init(row:))
        }

        func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord] {
            try transaction.flushAndLockCounters(of: app)
            let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(max(0, limit))]
            return try transaction.rows(PostgreSQLQuery.events, values, decode: EventRecord.init(row:))
        }
    }
#endif
