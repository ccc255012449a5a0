import GRDB
import SubscriptionCore
import SubscriptionStorage

/// Step 14: moves the facts of a purchase into its row (decision 44).
struct SQLiteFactsStep {
    private let db: Database
    private let connection: SQLiteConnection

    init(_ db: Database) {
        self.db = db
        connection = SQLiteConnection(db, tables: SQLiteTableStatements())
    }

    /// Makes the new tables in the order of their keys and drops the old ones.
    func run() throws {
        for statement in Self.made { try db.execute(sql: statement) }
        var last = FactsStep.Key.first
        while let page = try page(after: last), let end = page.last {
            try carry(page, after: last, through: end)
            last = end
        }
        try carryFactsAlone()
        for statement in Self.finished { try db.execute(sql: statement) }
    }

    private func page(after last: FactsStep.Key) throws -> [FactsStep.Key]? {
        let values: [ColumnValue] = [.text(last.app), .text(last.id), .integer(FactsStep.pageSize)]
        let page = try connection.rows(Self.keys, values) { row in
            FactsStep.Key(app: try row.identifier(0), id: try row.identifier(1))
        }
        return page.isEmpty ? nil : page
    }

    private func carry(_ keys: [FactsStep.Key], after last: FactsStep.Key, through end: FactsStep.Key) throws {
        let range: [ColumnValue] = [.text(last.app), .text(last.id), .text(end.app), .text(end.id)]
        let page = try found(Self.facts, range)
        for key in keys {
            let values: [ColumnValue] = [.bytes(page.facts[key]?.compactBytes), .text(key.app), .text(key.id)]
            try connection.run(Self.carryPurchase, values)
        }
        try carryEarlier(page)
    }

    /// Facts of purchases without a row; a server never stores such facts.
    private func carryFactsAlone() throws {
        let keys = try connection.rows(Self.withoutRow, []) { row in
            FactsStep.Key(app: try row.identifier(0), id: try row.identifier(1))
        }
        for key in keys {
            let page = try found(Self.factsOfOne, [.text(key.app), .text(key.id)])
            let values: [ColumnValue] = [.text(key.app), .text(key.id), .bytes(page.facts[key]?.compactBytes)]
            try connection.run(Self.insertFacts, values)
            try carryEarlier(page)
        }
    }

    private func found(_ queries: [Query], _ values: [ColumnValue]) throws -> FactsStep.Page {
        var found: [(app: AppID, fact: Fact)] = []
        for query in queries {
            found += try connection.rows(query.statement, values) { row in
                (try row.identifier(query.appColumn), try FactsStep.fact(in: row, of: query.table))
            }
        }
        return FactsStep.Page(found)
    }

    private func carryEarlier(_ page: FactsStep.Page) throws {
        for (app, fact) in page.earlier {
            try connection.run(SQLiteQuery.saveEarlierTransaction, fact.columns.prefixed(by: app))
        }
    }
}

extension SQLiteFactsStep {
    private struct Query {
        let table: String
        let appColumn: Int
        let statement: SQLiteStatement
    }

    private static let keys: SQLiteStatement = """
        SELECT app_id, original_transaction_id FROM purchases WHERE (app_id, original_transaction_id) > (?, ?)
        ORDER BY app_id, original_transaction_id LIMIT ?
        """
    private static let facts = queries(
        "(app_id, original_transaction_id) > (?, ?) AND (app_id, original_transaction_id) <= (?, ?)"
    )
    private static let factsOfOne = queries("app_id = ? AND original_transaction_id = ?")
    private static let carryPurchase: SQLiteStatement = """
        INSERT INTO purchases_with_facts (\(FactsStep.kept), facts) SELECT \(FactsStep.kept), ? FROM purchases
        WHERE app_id = ? AND original_transaction_id = ?
        """
    private static let insertFacts: SQLiteStatement =
        "INSERT INTO purchases_with_facts (app_id, original_transaction_id, facts) VALUES (?, ?, ?)"
    private static let withoutRow = SQLiteStatement(
        stringLiteral: FactsStep.sources.map { table, _ in
            """
            SELECT app_id, original_transaction_id FROM \(table) f WHERE NOT EXISTS (
                SELECT 1 FROM purchases p
                WHERE p.app_id = f.app_id AND p.original_transaction_id = f.original_transaction_id
            )
            """
        }.joined(separator: " UNION ")
    )

    private static func queries(_ condition: String) -> [Query] {
        FactsStep.sources.map { table, columns in
            Query(
                table: table,
                appColumn: FactsStep.columnCount(columns),
                statement: "SELECT \(columns), app_id FROM \(table) WHERE \(condition)"
            )
        }
    }

    private static let made = [
        """
        CREATE TABLE purchases_with_facts (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            customer_id TEXT,
            claim TEXT,
            evaluated_at INTEGER,
            status TEXT,
            next_change_at INTEGER,
            app_transaction_id TEXT,
            state BLOB,
            facts BLOB,
            PRIMARY KEY (app_id, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE earlier_transactions (
            app_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            product_id TEXT NOT NULL,
            group_id TEXT,
            kind TEXT NOT NULL,
            purchased_at INTEGER NOT NULL,
            originally_purchased_at INTEGER NOT NULL,
            expires_at INTEGER,
            quantity INTEGER NOT NULL,
            ownership TEXT NOT NULL,
            is_renewal INTEGER NOT NULL,
            is_upgraded INTEGER NOT NULL,
            revoked_at INTEGER,
            revocation_kind TEXT,
            revocation_reason INTEGER,
            revocation_percentage INTEGER,
            offer_kind TEXT,
            offer_payment TEXT,
            offer_identifier TEXT,
            offer_period TEXT,
            price_milliunits INTEGER,
            price_currency TEXT,
            storefront TEXT,
            account_token TEXT,
            app_transaction_id TEXT,
            charge_id TEXT,
            signed_at INTEGER NOT NULL,
            evidence_id TEXT NOT NULL,
            PRIMARY KEY (app_id, original_transaction_id, transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE transaction_ids (
            app_id TEXT NOT NULL,
            transaction_id TEXT NOT NULL,
            original_transaction_id TEXT NOT NULL,
            PRIMARY KEY (app_id, transaction_id, original_transaction_id)
        ) STRICT, WITHOUT ROWID
        """,
        // The first transaction has the identifier of its purchase and needs no row.
        """
        INSERT INTO transaction_ids SELECT app_id, transaction_id, original_transaction_id FROM transaction_facts
        WHERE transaction_id <> original_transaction_id ORDER BY app_id, transaction_id, original_transaction_id
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
