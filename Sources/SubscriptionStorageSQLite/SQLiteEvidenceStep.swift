import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage

/// Step 15: the table of evidence is in the order of sequence numbers, with shorter keys. The table of purchases has
/// row numbers (decision 49).
enum SQLiteEvidenceStep {
    /// Writes the new tables in order and drops the old ones.
    static func run(_ db: Database) throws {
        db.add(function: key)
        defer { db.remove(function: key) }
        for statement in statements { try db.execute(sql: statement) }
    }

    /// The new key of an identifier.
    private static let key = DatabaseFunction("perennial_evidence_key", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { Data(EvidenceID($0).compactBytes) }
    }

    private static let purchaseColumns = """
        app_id, original_transaction_id, customer_id, claim, evaluated_at, status, next_change_at, app_transaction_id, \
        state, facts
        """

    private static let statements = [
        // Rows contain a number instead of the app's identifier.
        """
        CREATE TABLE app_numbers (
            app_number INTEGER NOT NULL PRIMARY KEY,
            app_id TEXT NOT NULL UNIQUE
        ) STRICT
        """,
        "INSERT INTO app_numbers (app_id) SELECT DISTINCT app_id FROM evidence ORDER BY app_id",
        """
        CREATE TABLE evidence_in_order (
            position INTEGER NOT NULL PRIMARY KEY,
            app_number INTEGER NOT NULL,
            evidence_id BLOB NOT NULL,
            kind TEXT NOT NULL,
            type TEXT,
            subtype TEXT,
            original_transaction_id TEXT,
            previous INTEGER,
            signed_at INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            header_id INTEGER,
            sequence INTEGER NOT NULL GENERATED ALWAYS AS (position % \(SQLiteEvidence.sequencesPerApp)) VIRTUAL,
            remainder BLOB NOT NULL
        ) STRICT
        """,
        """
        INSERT INTO evidence_in_order (
            position, app_number, evidence_id, kind, type, subtype, original_transaction_id, previous, signed_at,
            received_at, header_id, remainder
        )
        SELECT a.app_number * \(SQLiteEvidence.sequencesPerApp) + e.sequence, a.app_number,
            perennial_evidence_key(e.evidence_id), e.kind, e.type, e.subtype, e.original_transaction_id, (
                SELECT max(b.sequence) FROM evidence b
                WHERE b.app_id = e.app_id AND b.original_transaction_id = e.original_transaction_id
                AND b.sequence < e.sequence
            ), e.signed_at, e.received_at, e.header_id, e.remainder
        FROM app_numbers a CROSS JOIN evidence e INDEXED BY evidence_by_sequence
        WHERE e.app_id = a.app_id ORDER BY a.app_number, e.sequence
        """,
        // Without row numbers, the inner pages of the table contain whole rows, about four each. A look-up among five
        // million purchases then reads about ten pages.
        """
        CREATE TABLE numbered_purchases (
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
            last_evidence INTEGER,
            PRIMARY KEY (app_id, original_transaction_id)
        ) STRICT
        """,
        """
        INSERT INTO numbered_purchases (\(purchaseColumns), last_evidence)
        SELECT \(purchaseColumns), (
            SELECT max(e.sequence) FROM evidence e
            WHERE e.app_id = p.app_id AND e.original_transaction_id = p.original_transaction_id
        ) FROM purchases p ORDER BY app_id, original_transaction_id
        """,
        // Evidence about purchases that have no row.
        """
        INSERT INTO numbered_purchases (app_id, original_transaction_id, last_evidence)
        SELECT app_id, original_transaction_id, max(sequence) FROM evidence e
        WHERE original_transaction_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM purchases p
            WHERE p.app_id = e.app_id AND p.original_transaction_id = e.original_transaction_id
        ) GROUP BY app_id, original_transaction_id
        """,
        "DROP TABLE purchases",
        "ALTER TABLE numbered_purchases RENAME TO purchases",
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
        "DROP TABLE evidence",
        "ALTER TABLE evidence_in_order RENAME TO evidence",
        "CREATE UNIQUE INDEX evidence_by_id ON evidence (evidence_id, app_number)",
        "CREATE INDEX evidence_by_kind ON evidence (app_number, kind)",
    ]
}
