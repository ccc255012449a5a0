#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLQuery {
        /// A page of the evidence of an app, without headers.
        static let evidencePage = query(
            "evidencePage",
            """
            SELECT evidence_id, kind, type, subtype, original_transaction_id, signed_at, received_at, header_id,
                NULL::bytea, remainder, sequence
            FROM evidence WHERE app_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
            """
        )
        static let evidenceIDAt =
            query("evidenceIDAt", "SELECT evidence_id FROM evidence WHERE app_id = $1 AND sequence = $2")
        static let headerBytes =
            query("headerBytes", "SELECT bytes FROM evidence_headers WHERE app_id = $1 AND header_id = $2")
        /// A page of an app's purchases with their facts.
        static let purchasePage = query(
            "purchasePage",
            """
            SELECT \(RecordColumns.purchase), next_change_at, \(RecordColumns.purchaseFacts) FROM purchases
            WHERE app_id = $1 AND original_transaction_id > $2 ORDER BY original_transaction_id LIMIT $3
            """
        )
        static let earlierTransactionsPage = between(
            "earlierTransactionsPage",
            FactColumns.transaction,
            "earlier_transactions"
        )
        static let claimsPage = between(
            "claimsPage",
            RecordColumns.claim,
            "claims",
            order: "original_transaction_id, sequence"
        )
        static let sharersPage =
            between("sharersPage", "original_transaction_id, customer_id", "purchase_shares", order: "customer_id")
        static let removeFacts = query(
            "removeFacts",
            "UPDATE purchases SET facts = NULL WHERE app_id = $1 AND original_transaction_id = $2"
        )
        static let removeState = query(
            "removeState",
            """
            UPDATE purchases
            SET state = NULL, status = NULL, next_change_at = NULL, claim = \(RecordColumns.readableClaim)
            WHERE app_id = $1 AND original_transaction_id = $2
            """
        )
        static let removeEarlierTransactions = query(
            "removeEarlierTransactions",
            "DELETE FROM earlier_transactions WHERE app_id = $1 AND original_transaction_id = $2"
        )
        static let removeTransaction = query(
            "removeTransaction",
            "DELETE FROM transaction_ids WHERE app_id = $1 AND original_transaction_id = $2 AND transaction_id = $3"
        )

        /// The rows of a table about the purchases after one identifier, up to and including another.
        private static func between(
            _ name: String,
            _ columns: String,
            _ table: String,
            order: String? = nil
        ) -> PostgreSQLStatement {
            let order = order.map { " ORDER BY \($0)" } ?? ""
            return query(
                name,
                """
                SELECT \(columns) FROM \(table)
                WHERE app_id = $1 AND original_transaction_id > $2 AND original_transaction_id <= $3\(order)
                """
            )
        }
    }

    extension PostgreSQLReading {
        /// Each header is read once for the page, because it is most of an input's bytes.
        func evidence(
            of app: AppID,
            after sequence: Int64,
            limit: Int
        ) throws(StorageError) -> [SequencedEvidence] {
            try transaction.flushAndLockCounters(of: app)
            let values: [ColumnValue] = [.text(app), .integer(sequence), .integer(max(0, limit))]
            guard let page = try transaction.answers([(PostgreSQLQuery.evidencePage, values)]).last else { return [] }
            var headers: [Int64: [UInt8]] = [:]
            for number in 0..<page.count {
                guard let header = try page.row(number).optionalInteger(7), headers[header] == nil else { continue }
                headers[header] = try transaction.row(
                    PostgreSQLQuery.headerBytes,
                    [.text(app), .integer(header)]
                ) { row throws(StorageError) in try row.bytes(0) }
            }
            return try transaction.decoded { () throws(StorageError) in
                try page.rows { row throws(StorageError) in
                    let header = try row.optionalInteger(7).flatMap { headers[$0] }
                    return try SequencedEvidence(row: RowWithHeader(row: row, header: header), app: app)
                }
            }
        }

        func evidenceID(at sequence: Int64, of app: AppID) throws(StorageError) -> EvidenceID? {
            try transaction.flushAndLockCounters(of: app)
            let key: [ColumnValue] = [.text(app), .integer(sequence)]
            return try transaction.row(PostgreSQLQuery.evidenceIDAt, key) { row throws(StorageError) in
                try row.identifier(0)
            }
        }

        func ledgers(
            of purchases: [OriginalTransactionID],
            app: AppID
        ) throws(StorageError) -> [OriginalTransactionID: PurchaseLedger] {
            let unknown = purchases.filter { transaction.known[app]?.facts[$0] == nil }
            try transaction.lock(unknown.map(PostgreSQLLock.purchase), of: app)
            if !unknown.isEmpty { try transaction.fetch([.facts(unknown)], of: app) }
            var ledgers: [OriginalTransactionID: PurchaseLedger] = [:]
            for purchase in purchases { ledgers[purchase] = try ledger(of: purchase, app: app) }
            return ledgers
        }

        func purchaseRows(
            of app: AppID,
            after id: OriginalTransactionID?,
            limit: Int
        ) throws(StorageError) -> [PurchaseRow] {
            // No identifier is empty, so the empty text comes before all of them.
            let first: ColumnValue = .text(id ?? OriginalTransactionID(""))
            let values: [ColumnValue] = [.text(app), first, .integer(max(0, limit))]
            let page = try transaction.rows(
                PostgreSQLQuery.purchasePage,
                values,
                decode: PurchaseRowContent.init(row:)
            )
            guard let last = page.last?.id else { return [] }
            let range: [ColumnValue] = [.text(app), first, .text(last)]
            let parts = try transaction.answers([
                (PostgreSQLQuery.earlierTransactionsPage, range), (PostgreSQLQuery.claimsPage, range),
                (PostgreSQLQuery.sharersPage, range),
            ])
            let relatedRows = try transaction.decoded { () throws(StorageError) in try RelatedRows(parts) }
            return page.map(relatedRows.purchase)
        }
    }

    extension PostgreSQLWriter {
        func removeFacts(_ ledger: PurchaseLedger, clearsState: Bool, of app: AppID) throws(StorageError) {
            try transaction.lock(.purchase(ledger.originalID), of: app)
            let key: [ColumnValue] = [.text(app), .text(ledger.originalID)]
            try transaction.enqueue(PostgreSQLQuery.removeFacts, key)
            if clearsState { try transaction.enqueue(PostgreSQLQuery.removeState, key) }
            try transaction.enqueue(PostgreSQLQuery.removeEarlierTransactions, key)
            for fact in ledger.timeline {
                try transaction.enqueue(PostgreSQLQuery.removeTransaction, key + [.text(fact.id)])
            }
            // The owner's purchases contain the removed state.
            transaction.known[app] = nil
        }
    }

    /// A row of evidence whose header was read separately.
    private struct RowWithHeader: ColumnReading {
        let row: PostgreSQLRow
        let header: [UInt8]?

        func optionalText(_ column: Int) throws(StorageError) -> String? { try row.optionalText(column) }
        func optionalInteger(_ column: Int) throws(StorageError) -> Int64? { try row.optionalInteger(column) }
        func optionalFlag(_ column: Int) throws(StorageError) -> Bool? { try row.optionalFlag(column) }
        func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]? {
            column == RecordColumns.evidenceHeader ? header : try row.optionalBytes(column)
        }
    }

    /// What other tables contain about a page of purchases.
    private struct RelatedRows {
        private let earlier: [OriginalTransactionID: [TransactionFact]]
        private let claims: [OriginalTransactionID: [ClaimRecord]]
        private let sharers: [OriginalTransactionID: [CustomerID]]

        /// Reads the results of the three queries.
        init(_ parts: [PostgreSQLResult]) throws(StorageError) {
            earlier = Dictionary(grouping: try parts[0].rows(TransactionFact.init(row:)), by: \.originalID)
            claims = Dictionary(grouping: try parts[1].rows(ClaimRecord.init(row:)), by: \.purchaseID)
            let shares = try parts[2].rows { row throws(StorageError) in
                (
                    purchase: try row.identifier(0) as OriginalTransactionID,
                    customer: try row.identifier(1) as CustomerID
                )
            }
            sharers = Dictionary(grouping: shares, by: \.purchase).mapValues { $0.map(\.customer) }
        }

        func purchase(_ content: PurchaseRowContent) -> PurchaseRow {
            content.row(
                earlier: earlier[content.id] ?? [],
                claims: claims[content.id] ?? [],
                sharers: sharers[content.id] ?? []
            )
        }
    }
#endif
