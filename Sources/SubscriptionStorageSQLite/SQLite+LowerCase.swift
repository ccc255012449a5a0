package import SubscriptionStorage

extension SQLiteTables {
    /// Converts customer identifiers that are UUIDs to lower case.
    package static let lowerCaseCustomerIDs = LowerCaseCustomerIDs(
        text: "TEXT",
        joinedProfile: """
            (
                SELECT nullif(
                    json_object('aliases', json(a.list), 'attributes', json(t.list)), '{"aliases":[],"attributes":{}}'
                ) FROM (
                    SELECT json_group_array(alias_id) AS list FROM (\(LowerCaseCustomerIDs.aliases))
                ) a, (
                    SELECT json_group_object(key, json(value)) AS list FROM (
                        SELECT entry.key, entry.value, row_number() OVER (
                            PARTITION BY entry.key
                            ORDER BY json_extract(entry.value, '$.setAt') DESC,
                                json_extract(entry.value, '$.value') DESC
                        ) AS rank
                        FROM (\(LowerCaseCustomerIDs.sources)) source, json_each(source.profile, '$.attributes') entry
                    ) WHERE rank = 1
                ) t
            )
            """,
        isCapital: { column in
            let digits = { (count: Int) in String(repeating: "[0-9A-Fa-f]", count: count) }
            let form = [8, 4, 4, 4, 12].map(digits).joined(separator: "-")
            return "length(\(column)) = 36 AND \(column) <> lower(\(column)) AND \(column) GLOB '\(form)'"
        }
    )
}
