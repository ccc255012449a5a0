#if PostgreSQL
    package import SubscriptionStorage

    extension PostgreSQLTables {
        /// Converts customer identifiers that are UUIDs to lower case.
        package static let lowerCaseCustomerIDs = LowerCaseCustomerIDs(
            text: text,
            joinedProfile: """
                (
                    SELECT nullif(
                        jsonb_build_object('aliases', a.list, 'attributes', t.list), '{"aliases":[],"attributes":{}}'
                    )::text FROM (
                        SELECT coalesce(jsonb_agg(alias_id ORDER BY alias_id), '[]') AS list
                        FROM (\(LowerCaseCustomerIDs.aliases)) alias
                    ) a, (
                        SELECT coalesce(jsonb_object_agg(key, value), '{}') AS list FROM (
                            SELECT DISTINCT ON (entry.key) entry.key, entry.value
                            FROM (\(LowerCaseCustomerIDs.sources)) source,
                                jsonb_each(source.profile::jsonb -> 'attributes') entry
                            ORDER BY entry.key, (entry.value ->> 'setAt')::bigint DESC,
                                (entry.value ->> 'value') COLLATE "C" DESC
                        ) newest
                    ) t
                )
                """,
            isCapital: { column in
                """
                length(\(column)) = 36 AND \(column) <> lower(\(column)) \
                AND \(column) ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
                """
            }
        )
    }
#endif
