/// The statements of the step that converts customer identifiers that are UUIDs to lower case (decision 33).
///
/// Different spellings of a UUID become one customer. Purchases, grants, claims, shares, transfers, events and aliases
/// move to the lower-case identifier, and attributes are joined. A UUID that is an alias of another customer is merged
/// into that customer.
package struct LowerCaseCustomerIDs: Sendable {
    /// The engine's type of identifiers.
    private let text: String
    /// A condition for a column with a UUID that is not in lower case.
    private let isCapital: @Sendable (String) -> String
    /// An SQL expression for the joined profile of the rows that become one row of `customers`.
    private let joinedProfile: String

    /// Makes the step for an engine.
    ///
    /// - Parameters:
    ///   - text: The engine's type of identifiers.
    ///   - joinedProfile: An expression for the `profile` of a row of `customers`, made of ``aliases`` and ``sources``.
    ///   - isCapital: A condition for a column with a UUID that is not in lower case.
    package init(text: String, joinedProfile: String, isCapital: @escaping @Sendable (String) -> String) {
        self.text = text
        self.joinedProfile = joinedProfile
        self.isCapital = isCapital
    }

    /// For ``joinedProfile``: the aliases of the row of `customers`, in order.
    package static let aliases = """
        SELECT alias_id FROM aliases
        WHERE aliases.app_id = customers.app_id AND aliases.customer_id = customers.customer_id ORDER BY alias_id
        """

    /// For ``joinedProfile``: the profiles of the rows that become the row of `customers`, its own included. They are
    /// found by their keys, because a search through all customers for each of them takes the square of the time.
    package static let sources = """
        SELECT same.profile FROM customers same
        WHERE same.app_id = customers.app_id AND same.profile IS NOT NULL AND same.customer_id IN (
            SELECT customers.customer_id UNION ALL
            SELECT r.old_id FROM renamed_customers r
            WHERE r.app_id = customers.app_id AND r.new_id = customers.customer_id
        )
        """

    /// The statements, in order.
    package var statements: [String] {
        [makeNames, findNames] + Self.indexes + Self.aliasStatements + Self.columns.map(Self.rename)
            + Self.shareStatements + customerStatements
            + ["DROP TABLE renamed_customers", "DROP INDEX aliases_by_customer"]
    }

    /// The table of old and new identifiers.
    private var makeNames: String {
        """
        CREATE TABLE renamed_customers (
            app_id \(text) NOT NULL,
            old_id \(text) NOT NULL,
            new_id \(text) NOT NULL,
            PRIMARY KEY (app_id, old_id)
        )
        """
    }

    private var findNames: String {
        let columns =
            Self.columns + [
                ("customers", "customer_id"), ("purchase_shares", "customer_id"), ("aliases", "alias_id"),
                ("aliases", "customer_id"),
            ]
        let found = columns.map { table, column in
            "SELECT app_id, \(column) AS id FROM \(table) WHERE \(isCapital(column))"
        }
        return """
            INSERT INTO renamed_customers (app_id, old_id, new_id)
            SELECT app_id, id, lower(id) FROM (\(found.joined(separator: " UNION "))) AS found
            """
    }

    /// For the queries that run for each customer.
    private static let indexes = [
        "CREATE INDEX renamed_customers_by_new_id ON renamed_customers (app_id, new_id, old_id)",
        "CREATE INDEX aliases_by_customer ON aliases (app_id, customer_id, alias_id)",
    ]

    /// Columns with a customer whose update cannot violate a unique key. (Grant identifiers are unique.)
    private static let columns = [
        ("purchases", "customer_id"), ("claims", "customer_id"), ("grants", "customer_id"), ("events", "customer_id"),
        ("transfers", "from_customer_id"), ("transfers", "to_customer_id"),
    ]

    private static func rename(_ table: String, _ column: String) -> String {
        let new = "FROM renamed_customers r WHERE r.app_id = \(table).app_id AND r.old_id = \(table).\(column)"
        return "UPDATE \(table) SET \(column) = (SELECT r.new_id \(new)) WHERE EXISTS (SELECT 1 \(new))"
    }

    /// Of several spellings of an alias, the lower-case one stays, otherwise the oldest. An alias of another spelling
    /// of itself is removed.
    private static let aliasStatements = [
        rename("aliases", "customer_id"),
        """
        INSERT INTO aliases (app_id, alias_id, customer_id, created_at)
        SELECT a.app_id, r.new_id, a.customer_id, a.created_at FROM aliases a
        JOIN renamed_customers r ON r.app_id = a.app_id AND r.old_id = a.alias_id
        WHERE true ORDER BY a.created_at, a.alias_id
        ON CONFLICT DO NOTHING
        """,
        """
        DELETE FROM aliases WHERE alias_id = customer_id OR EXISTS (
            SELECT 1 FROM renamed_customers r WHERE r.app_id = aliases.app_id AND r.old_id = aliases.alias_id
        )
        """,
        // If two identifiers became aliases of each other, one of them stays the customer.
        """
        DELETE FROM aliases WHERE alias_id < customer_id AND EXISTS (
            SELECT 1 FROM aliases other WHERE other.app_id = aliases.app_id
            AND other.alias_id = aliases.customer_id AND other.customer_id = aliases.alias_id
        )
        """,
        """
        UPDATE renamed_customers SET new_id = (
            SELECT a.customer_id FROM aliases a
            WHERE a.app_id = renamed_customers.app_id AND a.alias_id = renamed_customers.new_id
        ) WHERE EXISTS (
            SELECT 1 FROM aliases a
            WHERE a.app_id = renamed_customers.app_id AND a.alias_id = renamed_customers.new_id
        )
        """,
        """
        INSERT INTO renamed_customers (app_id, old_id, new_id)
        SELECT a.app_id, a.alias_id, a.customer_id FROM aliases a
        WHERE EXISTS (SELECT 1 FROM customers c WHERE c.app_id = a.app_id AND c.customer_id = a.alias_id)
        ON CONFLICT DO NOTHING
        """,
        rename("aliases", "customer_id"),
    ]

    private static let shareStatements = [
        """
        INSERT INTO purchase_shares (app_id, customer_id, original_transaction_id)
        SELECT s.app_id, r.new_id, s.original_transaction_id FROM purchase_shares s
        JOIN renamed_customers r ON r.app_id = s.app_id AND r.old_id = s.customer_id
        WHERE true ON CONFLICT DO NOTHING
        """,
        """
        DELETE FROM purchase_shares WHERE EXISTS (
            SELECT 1 FROM renamed_customers r
            WHERE r.app_id = purchase_shares.app_id AND r.old_id = purchase_shares.customer_id
        ) OR EXISTS (
            SELECT 1 FROM purchases p WHERE p.app_id = purchase_shares.app_id
            AND p.original_transaction_id = purchase_shares.original_transaction_id
            AND p.customer_id = purchase_shares.customer_id
        )
        """,
    ]

    /// The version is incremented, so that cached responses are not treated as current.
    private var customerStatements: [String] {
        [
            """
            INSERT INTO customers (app_id, customer_id, first_seen_at, state_version)
            SELECT c.app_id, r.new_id, min(c.first_seen_at), max(c.state_version) + 1 FROM customers c
            JOIN renamed_customers r ON r.app_id = c.app_id AND r.old_id = c.customer_id
            WHERE true GROUP BY c.app_id, r.new_id
            ON CONFLICT (app_id, customer_id) DO UPDATE SET
                first_seen_at = CASE WHEN excluded.first_seen_at < customers.first_seen_at
                    THEN excluded.first_seen_at ELSE customers.first_seen_at END,
                state_version = CASE WHEN excluded.state_version > customers.state_version
                    THEN excluded.state_version ELSE customers.state_version + 1 END
            """,
            """
            UPDATE customers SET profile = \(joinedProfile) WHERE EXISTS (
                SELECT 1 FROM renamed_customers r WHERE r.app_id = customers.app_id AND r.new_id = customers.customer_id
            )
            """,
            """
            DELETE FROM customers WHERE EXISTS (
                SELECT 1 FROM renamed_customers r
                WHERE r.app_id = customers.app_id AND r.old_id = customers.customer_id
            )
            """,
        ]
    }
}
