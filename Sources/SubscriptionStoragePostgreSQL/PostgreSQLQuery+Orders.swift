#if PostgreSQL
    import SubscriptionStorage

    extension PostgreSQLQuery {
        // MARK: Evidence

        static let hasEvidence = lookup("hasEvidence", "evidence_id", in: "evidence", by: "evidence_id")
        /// A signed input with its header.
        static let evidence = query(
            "evidence",
            """
            SELECT \(RecordColumns.evidence) FROM evidence e
            LEFT JOIN evidence_headers h ON h.app_id = e.app_id AND h.header_id = e.header_id
            WHERE e.app_id = $1 AND e.evidence_id = $2
            """
        )
        /// A page of the evidence about a purchase.
        static let evidenceOfPurchase = query(
            "evidenceOfPurchase",
            """
            SELECT \(RecordColumns.evidence) FROM evidence e
            LEFT JOIN evidence_headers h ON h.app_id = e.app_id AND h.header_id = e.header_id
            WHERE e.app_id = $1 AND e.original_transaction_id = $2 AND e.sequence > $3 ORDER BY e.sequence LIMIT $4
            """
        )
        static let evidenceList = query(
            "evidenceList",
            """
            SELECT \(RecordColumns.evidenceSummary) FROM evidence
            WHERE app_id = $1 AND kind = $2 AND sequence > $3 ORDER BY sequence LIMIT $4
            """
        )
        static let insertEvidence = PostgreSQLInsertion.numbering(
            "insertEvidence",
            "evidence",
            order: "evidence",
            """
            evidence_id, kind, type, subtype, original_transaction_id, signed_at, received_at, header_id, remainder
            """
        )
        static let header = query(
            "header",
            "SELECT header_id FROM evidence_headers WHERE app_id = $1 AND checksum = $2 AND bytes = $3"
        )
        /// The headers are locked, so the next number is free.
        static let insertHeader = query(
            "insertHeader",
            """
            INSERT INTO evidence_headers (app_id, header_id, checksum, bytes)
            VALUES ($1, (SELECT coalesce(max(header_id), 0) + 1 FROM evidence_headers WHERE app_id = $1), $2, $3)
            RETURNING header_id
            """
        )

        // MARK: Events

        static let events = query(
            "events",
            """
            SELECT \(RecordColumns.event) FROM events
            WHERE app_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3
            """
        )
        static let insertEvents = PostgreSQLInsertion.numbering(
            "insertEvents",
            "events",
            order: "events",
            "customer_id, state_version, recorded_at, event"
        )

        // MARK: Order and locks

        /// Takes sequence numbers of an app and locks the app's counters until the commit.
        static let takeSequenceNumbers = query(
            "takeSequenceNumbers",
            """
            INSERT INTO app_counters AS counters (app_id, evidence, events) VALUES ($1, $2, $3)
            ON CONFLICT (app_id) DO UPDATE SET
                evidence = counters.evidence + excluded.evidence, events = counters.events + excluded.events
            """
        )
        static let lock = query("lock", "SELECT pg_advisory_xact_lock($1)")
        static let lockMany = query(
            "lockMany",
            "SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key"
        )
        static let lockShared = query("lockShared", "SELECT pg_advisory_xact_lock_shared($1)")
        static let tryLocks = query(
            "tryLocks",
            "SELECT key, pg_try_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key"
        )

        // MARK: Transactions and sessions

        static let beginRead = query("beginRead", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        /// Each statement sees the commits before it; rows that must not change between two statements are locked.
        static let beginWrite = query("beginWrite", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        static let commit = query("commit", "COMMIT")
        static let rollback = query("rollback", "ROLLBACK")
        /// Plans depend on the size of tables at planning time: on an empty table, all indexes that begin with the app
        /// look equally good.
        static let discardPlans = query("discardPlans", "DISCARD PLANS")
        /// Every statement has a suitable index, and its plan is made once. On tables that are empty at first, the
        /// planner would choose sequential scans, and the cached plan would keep them.
        static let prepareSession = query(
            "prepareSession",
            """
            SELECT current_schema()::text, set_config('statement_timeout', $1, false),
                set_config('lock_timeout', $2, false), set_config('enable_seqscan', 'off', false),
                set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false),
                set_config('idle_in_transaction_session_timeout', $1, false)
            """
        )
        /// A request with status 200 must be durable: `off` would lose commits at a crash of the server. Stricter
        /// values than `on` are kept.
        static let synchronousCommit = query(
            "synchronousCommit",
            """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') IN ('off', 'local')
            """
        )

        /// The queries that run at least once per request or notification: each must use an index.
        static let hot = [
            definitions, facts, earlierTransactions, purchases, purchasesForUpdate, purchasesOfCustomers,
            due, claimDue, claims, customersByID, customers, hasEvidence, evidence, evidenceList, evidenceOfPurchase,
            header, events, grants, dueGrants, claimDueGrants, unknownNotifications, aliases, sharedPurchases,
            sharers, claimsOfCustomer, evidencePage, purchasePage, earlierTransactionsPage, claimsPage, sharersPage,
            indexedTransactions,
        ]
    }
#endif
