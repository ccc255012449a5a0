#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    /// Step 14: moves the facts of a purchase into its row (decision 44).
    struct PostgreSQLFactsStep {
        private let transaction: PostgreSQLTransaction

        init(_ transaction: PostgreSQLTransaction) {
            self.transaction = transaction
        }

        /// Fills the existing new tables from the old ones, in the order of their keys, and drops the old ones.
        func run() throws(StorageError) {
            var last = FactsStep.Key.first
            while true {
                let page = try transaction.rows(
                    Self.keys,
                    [.text(last.app), .text(last.id), .integer(FactsStep.pageSize)],
                    decode: Self.key
                )
                guard let end = page.last else { break }
                let range: [ColumnValue] = [.text(last.app), .text(last.id), .text(end.app), .text(end.id)]
                try carry(page, try found(Self.facts, range), by: Self.carryPurchases)
                last = end
            }
            // Facts of purchases without a row; a server never stores such facts.
            for key in try transaction.rows(Self.withoutRow, [], decode: Self.key) {
                try carry([key], try found(Self.factsOfOne, [.text(key.app), .text(key.id)]), by: Self.insertFacts)
            }
            for (index, statement) in Self.finished.enumerated() {
                try transaction.enqueue(PostgreSQLStatement("facts \(index)", statement), [])
            }
        }

        private static func key(in row: PostgreSQLRow) throws(StorageError) -> FactsStep.Key {
            FactsStep.Key(app: try row.identifier(0), id: try row.identifier(1))
        }

        private func found(_ queries: [Query], _ values: [ColumnValue]) throws(StorageError) -> FactsStep.Page {
            let answers = try transaction.answers(queries.map { ($0.statement, values) })
            var found: [(app: AppID, fact: Fact)] = []
            for (query, answer) in zip(queries, answers) {
                found += try answer.rows { row throws(StorageError) in
                    (app: try row.identifier(query.appColumn), fact: try FactsStep.fact(in: row, of: query.table))
                }
            }
            return FactsStep.Page(found)
        }

        private func carry(
            _ keys: [FactsStep.Key],
            _ page: FactsStep.Page,
            by insertion: PostgreSQLInsertion
        ) throws(StorageError) {
            for (app, keys) in Dictionary(grouping: keys, by: \.app).sorted(by: { $0.key < $1.key }) {
                let rows = keys.map { key -> [ColumnValue] in
                    [.text(key.id), .bytes(page.facts[key]?.compactBytes)]
                }
                try transaction.enqueue(insertion, rows, of: app)
            }
            for (app, earlier) in Dictionary(grouping: page.earlier, by: \.app) {
                let rows = earlier.map(\.fact.columns)
                try transaction.enqueue(PostgreSQLQuery.saveEarlierTransactions, rows, of: app)
            }
        }
    }

    extension PostgreSQLFactsStep {
        private struct Query {
            let table: String
            let appColumn: Int
            let statement: PostgreSQLStatement
        }

        private static let keys = PostgreSQLStatement(
            "factsStepKeys",
            """
            SELECT app_id, original_transaction_id FROM purchases WHERE (app_id, original_transaction_id) > ($1, $2)
            ORDER BY app_id, original_transaction_id LIMIT $3
            """
        )
        private static let facts = queries(
            "factsStep",
            "(app_id, original_transaction_id) > ($1, $2) AND (app_id, original_transaction_id) <= ($3, $4)"
        )
        private static let factsOfOne = queries("factsStepOne", "app_id = $1 AND original_transaction_id = $2")
        private static let withoutRow = PostgreSQLStatement(
            "factsStepWithoutRow",
            FactsStep.sources.map { table, _ in
                """
                SELECT app_id, original_transaction_id FROM \(table) f WHERE NOT EXISTS (
                    SELECT 1 FROM purchases p
                    WHERE p.app_id = f.app_id AND p.original_transaction_id = f.original_transaction_id
                )
                """
            }.joined(separator: " UNION ")
        )
        private static let carryPurchases = insertion(
            "factsStepCarry",
            """
            INSERT INTO purchases_with_facts (\(FactsStep.kept), facts) SELECT held.*, row.facts
            FROM unnest($2::text[], $3::bytea[]) AS row (id, facts), LATERAL (
                SELECT \(FactsStep.kept) FROM purchases
                WHERE app_id = $1 AND original_transaction_id = row.id COLLATE "C" OFFSET 0
            ) AS held
            """
        )
        private static let insertFacts = insertion(
            "factsStepInsert",
            """
            INSERT INTO purchases_with_facts (app_id, original_transaction_id, facts)
            SELECT $1, * FROM unnest($2::text[], $3::bytea[])
            """
        )

        private static func insertion(_ name: String, _ text: String) -> PostgreSQLInsertion {
            PostgreSQLInsertion(statement: PostgreSQLStatement(name, text), types: [.text, .bytea])
        }

        private static func queries(_ name: String, _ condition: String) -> [Query] {
            FactsStep.sources.map { table, columns in
                Query(
                    table: table,
                    appColumn: FactsStep.columnCount(columns),
                    statement: PostgreSQLStatement(
                        "\(name) \(table)",
                        "SELECT \(columns), app_id FROM \(table) WHERE \(condition)"
                    )
                )
            }
        }

        private static let text = PostgreSQLTables.text

        static let made = [
            // A server of an older version may still write. Its earlier commits are moved, and its later writes fail.
            "LOCK TABLE purchases, transaction_facts, renewal_facts, status_facts IN ACCESS EXCLUSIVE MODE",
            // Free space in each page allows HOT updates: a change of unindexed columns stays in the page.
            """
            CREATE TABLE purchases_with_facts (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                customer_id \(text),
                claim \(text),
                evaluated_at BIGINT,
                status \(text),
                next_change_at BIGINT,
                app_transaction_id \(text),
                state BYTEA,
                facts BYTEA,
                CONSTRAINT purchases_key PRIMARY KEY (app_id, original_transaction_id)
            ) WITH (fillfactor = 80)
            """,
            """
            CREATE TABLE earlier_transactions (
                app_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                transaction_id \(text) NOT NULL,
                product_id \(text) NOT NULL,
                group_id \(text),
                kind \(text) NOT NULL,
                purchased_at BIGINT NOT NULL,
                originally_purchased_at BIGINT NOT NULL,
                expires_at BIGINT,
                quantity BIGINT NOT NULL,
                ownership \(text) NOT NULL,
                is_renewal BOOLEAN NOT NULL,
                is_upgraded BOOLEAN NOT NULL,
                revoked_at BIGINT,
                revocation_kind \(text),
                revocation_reason BIGINT,
                revocation_percentage BIGINT,
                offer_kind \(text),
                offer_payment \(text),
                offer_identifier \(text),
                offer_period \(text),
                price_milliunits BIGINT,
                price_currency \(text),
                storefront \(text),
                account_token \(text),
                app_transaction_id \(text),
                charge_id \(text),
                signed_at BIGINT NOT NULL,
                evidence_id \(text) NOT NULL,
                PRIMARY KEY (app_id, original_transaction_id, transaction_id)
            )
            """,
            """
            CREATE TABLE transaction_ids (
                app_id \(text) NOT NULL,
                transaction_id \(text) NOT NULL,
                original_transaction_id \(text) NOT NULL,
                PRIMARY KEY (app_id, transaction_id, original_transaction_id)
            )
            """,
            // The first transaction has the identifier of its purchase and needs no row.
            """
            INSERT INTO transaction_ids SELECT app_id, transaction_id, original_transaction_id FROM transaction_facts
            WHERE transaction_id <> original_transaction_id
            """,
        ]

        private static let finished =
            FactsStep.sources.map { table, _ in "DROP TABLE \(table)" } + [
                "DROP TABLE purchases",
                "ALTER TABLE purchases_with_facts RENAME TO purchases",
                """
                CREATE INDEX purchases_by_customer ON purchases (app_id, customer_id, original_transaction_id)
                WHERE customer_id IS NOT NULL
                """,
                """
                CREATE INDEX purchases_due ON purchases (next_change_at, app_id, original_transaction_id)
                WHERE next_change_at IS NOT NULL
                """,
                """
                CREATE INDEX purchases_by_app_transaction
                ON purchases (app_id, app_transaction_id, original_transaction_id) WHERE app_transaction_id IS NOT NULL
                """,
            ]
    }
#endif
