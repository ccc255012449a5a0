#if PostgreSQL
    import SubscriptionStorage

    /// A statement that inserts any number of rows of an app: the app is the first parameter, and each column is an
    /// array.
    struct PostgreSQLInsertion: Sendable {
        let statement: PostgreSQLStatement
        let types: [PostgreSQLType]

        /// The parameters for rows, which have a value for each column after the app.
        func parameters(app: ColumnValue, rows: [[ColumnValue]]) -> PostgreSQLParameters {
            var parameters = PostgreSQLParameters([app])
            for (column, type) in types.enumerated() { parameters.add(rows.lazy.map { $0[column] }, type: type) }
            return parameters
        }

        /// An insertion that replaces rows with the same keys.
        ///
        /// - Parameters:
        ///   - columns: The columns after the app, key columns first.
        ///   - keyCount: The number of key columns.
        static func replacing(_ name: String, _ table: String, _ columns: String, keyCount: Int) -> PostgreSQLInsertion
        {
            let names = columns.split(separator: ", ").map(String.init)
            let key = names.prefix(keyCount).joined(separator: ", ")
            let replaced = names.dropFirst(keyCount).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            return PostgreSQLInsertion(
                statement: PostgreSQLStatement(
                    name,
                    """
                    INSERT INTO \(table) (app_id, \(columns)) SELECT $1, * FROM unnest(\(arrays(names)))
                    ON CONFLICT (app_id, \(key)) DO UPDATE SET \(replaced)
                    """
                ),
                types: names.map(PostgreSQLType.init(ofColumn:))
            )
        }

        /// An insertion that does not change rows with the same keys.
        static func once(_ name: String, _ table: String, _ columns: String) -> PostgreSQLInsertion {
            let names = columns.split(separator: ", ").map(String.init)
            return PostgreSQLInsertion(
                statement: PostgreSQLStatement(
                    name,
                    """
                    INSERT INTO \(table) (app_id, \(columns)) SELECT $1, * FROM unnest(\(arrays(names)))
                    ON CONFLICT DO NOTHING
                    """
                ),
                types: names.map(PostgreSQLType.init(ofColumn:))
            )
        }

        /// An insertion of rows with the sequence numbers by which the app's counters were incremented.
        static func numbering(
            _ name: String,
            _ table: String,
            order: String,
            _ columns: String
        ) -> PostgreSQLInsertion {
            let names = columns.split(separator: ", ").map(String.init)
            return PostgreSQLInsertion(
                statement: PostgreSQLStatement(
                    name,
                    """
                    INSERT INTO \(table) (app_id, \(columns), sequence)
                    SELECT $1, \(columns),
                        (SELECT \(order) FROM app_counters WHERE app_id = $1) - cardinality($2) + number
                    FROM unnest(\(arrays(names))) WITH ORDINALITY AS row (\(columns), number)
                    """
                ),
                types: names.map(PostgreSQLType.init(ofColumn:))
            )
        }

        private static func arrays(_ names: [String]) -> String {
            names.enumerated().map { "$\($0 + 2)::\(PostgreSQLType(ofColumn: $1).name)[]" }.joined(separator: ", ")
        }
    }

    /// The types of columns that are written as arrays.
    enum PostgreSQLType: Sendable {
        case text, bigint, boolean, bytea

        /// The type of a column by its name; a name has the same type in all tables.
        init(ofColumn name: String) {
            self = Self.columns[name] ?? .text
        }

        var name: String { "\(self)" }

        /// The OID of the type.
        ///
        /// - Source: PostgreSQL, `pg_type.dat`.
        var number: Int32 {
            switch self {
            case .text: 25
            case .bigint: 20
            case .boolean: 16
            case .bytea: 17
            }
        }

        private static let columns: [String: PostgreSQLType] = {
            let bigint = [
                "purchased_at", "originally_purchased_at", "expires_at", "quantity", "revoked_at", "revocation_reason",
                "revocation_percentage", "price_milliunits", "signed_at", "grace_expires_at", "renews_at",
                "renewal_price_milliunits", "recent_start_at", "evaluated_at", "next_change_at", "first_seen_at",
                "state_version", "received_at", "header_id", "recorded_at",
            ]
            let boolean = [
                "is_renewal", "is_upgraded", "auto_renew", "is_in_billing_retry", "price_increase_accepted",
                "is_committed",
            ]
            let bytea = ["state", "event", "remainder", "win_back_offers", "facts"]
            var types = Dictionary(uniqueKeysWithValues: bigint.map { ($0, PostgreSQLType.bigint) })
            for name in boolean { types[name] = .boolean }
            for name in bytea { types[name] = .bytea }
            return types
        }()
    }
#endif
