#if PostgreSQL
    import SubscriptionStorage

    extension PostgreSQLQuery {
        static let grants =
            lookup("grants", RecordColumns.grant, in: "grants", by: "customer_id", order: "grant_id")
        /// The grants that the clock ends, of all apps.
        static let dueGrants = query(
            "dueGrants",
            """
            SELECT app_id, customer_id, grant_id, next_change_at FROM grants
            WHERE next_change_at <= $1 ORDER BY next_change_at, app_id, customer_id, grant_id LIMIT $2
            """
        )
        /// The same inside a write: what another process is at work on is passed over.
        static let claimDueGrants = query("claimDueGrants", dueGrants.text + " FOR UPDATE SKIP LOCKED")
        static let saveGrant = upsert(
            "saveGrant",
            "grants",
            "app_id, customer_id, grant_id",
            "entitlement_id, reason, granted_at, expires_at, revoked_at, is_active, next_change_at"
        )

        /// A request by its caller's key.
        static let request = query(
            "request",
            """
            SELECT request_digest, started_at, status, body, leased_at, customer_id, other_customer_id FROM idempotency_keys
            WHERE app_id = $1 AND idempotency_key = $2
            """
        )
        static let saveRequest = upsert(
            "saveRequest",
            "idempotency_keys",
            "app_id, idempotency_key",
            "request_digest, started_at, status, body, leased_at, customer_id, other_customer_id"
        )
        static let removeRequest = query(
            "removeRequest",
            "DELETE FROM idempotency_keys WHERE app_id = $1 AND idempotency_key = $2"
        )
        static let removeRequestsAbout = query(
            "removeRequestsAbout",
            "DELETE FROM idempotency_keys WHERE app_id = $1 AND customer_id = $2"
        )
        static let removeRequestsAboutOther = query(
            "removeRequestsAboutOther",
            "DELETE FROM idempotency_keys WHERE app_id = $1 AND other_customer_id = $2"
        )
        /// What another process is at work on is passed over.
        static let removeRequests = query(
            "removeRequests",
            """
            DELETE FROM idempotency_keys WHERE app_id = $1 AND idempotency_key IN (
                SELECT idempotency_key FROM idempotency_keys
                WHERE app_id = $1 AND started_at < $2 ORDER BY started_at, idempotency_key LIMIT $3
                FOR UPDATE SKIP LOCKED
            )
            """
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
            INSERT INTO unknown_notifications AS held (app_id, type, subtype, count, last_received_at)
            VALUES ($1, $2, $3, 1, $4) ON CONFLICT (app_id, type, subtype)
            DO UPDATE SET count = held.count + 1, last_received_at = excluded.last_received_at
            """
        )
    }
#endif
