#if PostgreSQL
    import SubscriptionStorage

    extension PostgreSQLQuery {
        static let grants =
            lookup("grants", RecordColumns.grant, in: "grants", by: "customer_id", order: "grant_id")
        /// The grants of all apps that are due.
        static let dueGrants = query(
            "dueGrants",
            """
            SELECT app_id, customer_id, grant_id, next_change_at FROM grants
            WHERE next_change_at <= $1 ORDER BY next_change_at, app_id, customer_id, grant_id LIMIT $2
            """
        )
        /// The same inside a write; rows that another write has locked are skipped.
        static let claimDueGrants = query("claimDueGrants", dueGrants.text + " FOR UPDATE SKIP LOCKED")
        static let saveGrant = upsert(
            "saveGrant",
            "grants",
            "app_id, customer_id, grant_id",
            "entitlement_id, reason, granted_at, expires_at, revoked_at, is_active, next_change_at"
        )

        static let unknownNotifications = query(
            "unknownNotifications",
            """
            SELECT type, subtype, count, last_received_at FROM unknown_notifications
            WHERE app_id = $1 ORDER BY type, subtype
            """
        )
        static let countUnknownNotification = query(
            "countUnknownNotification",
            """
            INSERT INTO unknown_notifications AS known (app_id, type, subtype, count, last_received_at)
            VALUES ($1, $2, $3, 1, $4) ON CONFLICT (app_id, type, subtype)
            DO UPDATE SET count = known.count + 1, last_received_at = excluded.last_received_at
            """
        )
    }
#endif
