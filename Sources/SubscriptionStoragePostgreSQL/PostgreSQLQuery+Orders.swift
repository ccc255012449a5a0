#if PostgreSQL
    import SubscriptionStorage

    extension PostgreSQLQuery {
        // MARK: Evidence

        static let holdsEvidence = lookup("holdsEvidence", "evidence_id", in: "evidence", by: "evidence_id")
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
        static let insertEvidence = PostgreSQLInsertion.placing(
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
        /// The headers are locked meanwhile, so that the next number is free.
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
        static let insertEvents = PostgreSQLInsertion.placing(
            "insertEvents",
            "events",
            order: "events",
            "customer_id, state_version, recorded_at, event"
        )

        // MARK: Order and locks

        /// Takes places in an app's orders, and holds the app's counters until the commit.
        static let takePlaces = query(
            "takePlaces",
            """
            INSERT INTO app_counters AS held (app_id, evidence, events) VALUES ($1, $2, $3)
            ON CONFLICT (app_id) DO UPDATE SET
                evidence = held.evidence + excluded.evidence, events = held.events + excluded.events
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
        /// Each statement sees what is committed by then; what must not change between two of them is locked.
        static let beginWrite = query("beginWrite", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
        static let commit = query("commit", "COMMIT")
        static let rollback = query("rollback", "ROLLBACK")
        /// Plans are made for tables as large as they are then: on an empty one, every index of an app is as good as
        /// any.
        static let discardPlans = query("discardPlans", "DISCARD PLANS")
        /// Every statement has an index to go by, and its plan is made once: on tables that are empty at first, a plan
        /// of the server's choice would read them whole for as long as it holds.
        static let prepareSession = query(
            "prepareSession",
            """
            SELECT current_schema()::text, set_config('statement_timeout', $1, false),
                set_config('lock_timeout', $2, false), set_config('enable_seqscan', 'off', false),
                set_config('plan_cache_mode', 'force_generic_plan', false), set_config('jit', 'off', false),
                set_config('idle_in_transaction_session_timeout', $1, false)
            """
        )
        /// What was answered 200 is on the disk: `off` would lose commits at a crash of the server. More than `on` is
        /// kept.
        static let synchronousCommit = query(
            "synchronousCommit",
            """
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') IN ('off', 'local')
            """
        )

        /// The queries that run once or more per request or notification: each must use an index.
        static let hot = [
            definitions, facts, earlierTransactions, purchases, purchasesForUpdate, purchasesOfCustomers,
            due, claimDue, claims, customersByID, customers, holdsEvidence, evidence, evidenceList, evidenceOfPurchase,
            header, events, grants, dueGrants, claimDueGrants, unknownNotifications, aliases, sharedPurchases,
            sharers, claimsOfCustomer,
        ]
    }
#endif
