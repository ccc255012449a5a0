import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage

/// Step 15: orders the table of evidence by sequence number and shortens its keys (decision 49).
enum SQLiteEvidenceStep {
    /// Writes the new table in order and drops the old one.
    static func run(_ db: Database) throws {
        db.add(function: key)
        defer { db.remove(function: key) }
        for statement in statements { try db.execute(sql: statement) }
    }

    /// The new key of an identifier.
    private static let key = DatabaseFunction("perennial_evidence_key", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0]).map { Data(EvidenceID($0).compactBytes) }
    }

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
            position, app_number, evidence_id, kind, type, subtype, original_transaction_id, previous, signed_at, received_at,
            header_id, remainder
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
        "ALTER TABLE purchases ADD COLUMN last_evidence INTEGER",
        """
        UPDATE purchases SET last_evidence = (
            SELECT max(e.sequence) FROM evidence e
            WHERE e.app_id = purchases.app_id AND e.original_transaction_id = purchases.original_transaction_id
        )
        """,
        // Evidence about purchases that have no row.
        """
        INSERT INTO purchases (app_id, original_transaction_id, last_evidence)
        SELECT app_id, original_transaction_id, max(sequence) FROM evidence e
        WHERE original_transaction_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM purchases p
            WHERE p.app_id = e.app_id AND p.original_transaction_id = e.original_transaction_id
        ) GROUP BY app_id, original_transaction_id
        """,
        "DROP TABLE evidence",
        "ALTER TABLE evidence_in_order RENAME TO evidence",
        "CREATE UNIQUE INDEX evidence_by_id ON evidence (evidence_id, app_number)",
        "CREATE INDEX evidence_by_kind ON evidence (app_number, kind)",
    ]
}
