#if PostgreSQL
    import SubscriptionStorage

    /// Building blocks of statements.
    extension PostgreSQLQuery {
        static func query(_ name: String, _ text: String) -> PostgreSQLStatement { PostgreSQLStatement(name, text) }

        /// A query for the rows of an app with any of the keys in the array `$2`.
        ///
        /// - Parameters:
        ///   - order: The column to sort by.
        ///   - isLocking: Whether the rows are locked until the commit.
        static func lookup(
            _ name: String,
            _ columns: String,
            in table: String,
            by key: String,
            order: String? = nil,
            isLocking: Bool = false
        ) -> PostgreSQLStatement {
            let rows = each("found", columns, in: table, by: key, of: "wanted.key", isLocking: isLocking)
            let order = order.map { " ORDER BY \($0)" } ?? ""
            return query(name, "SELECT found.* FROM \(wanted), \(rows)\(order)")
        }

        /// The keys in `$2`, one per row.
        static let wanted = "unnest($2::text[]) AS wanted (key)"

        /// A FROM item: the rows of an app with the key of the preceding row.
        ///
        /// For `key = ANY($2)` the planner may scan all rows of an app if the statistics are from a time with few rows.
        /// PostgreSQL does not flatten a subquery with a lock or an OFFSET, so this form always uses the index for each
        /// key.
        static func each(
            _ alias: String,
            _ columns: String,
            in table: String,
            by key: String,
            of value: String,
            isLocking: Bool = false
        ) -> String {
            """
            LATERAL (
                SELECT \(columns) FROM \(table) WHERE app_id = $1 AND \(key) = \(value) COLLATE "C"
                \(isLocking ? "FOR UPDATE" : "OFFSET 0")
            ) AS \(alias)
            """
        }

        static func insert(_ name: String, _ table: String, _ columns: String) -> PostgreSQLStatement {
            query(name, insertion(table, columns))
        }

        /// An insertion that does not change a row with the same key.
        static func insertOnce(_ name: String, _ table: String, _ columns: String) -> PostgreSQLStatement {
            query(name, insertion(table, columns) + " ON CONFLICT DO NOTHING")
        }

        /// An insertion that replaces a row with the same key.
        static func upsert(_ name: String, _ table: String, _ key: String, _ columns: String) -> PostgreSQLStatement {
            let replaced = columns.split(separator: ", ").map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            let insertion = insertion(table, "\(key), \(columns)")
            return query(name, "\(insertion) ON CONFLICT (\(key)) DO UPDATE SET \(replaced)")
        }

        private static func insertion(_ table: String, _ columns: String) -> String {
            let count = columns.split(separator: ", ").count
            let placeholders = (1...count).map { "$\($0)" }.joined(separator: ", ")
            return "INSERT INTO \(table) (\(columns)) VALUES (\(placeholders))"
        }
    }
#endif
