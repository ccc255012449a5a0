#if PostgreSQL
    import SubscriptionCore
    import SubscriptionStorage

    extension PostgreSQLReading {
        func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
            try transaction.lock(.customer(customer), of: app)
            return try transaction.rows(PostgreSQLQuery.grants, [.text(app), .text(customer)]) {
                row throws(StorageError) in
                let grant = Grant(
                    id: try row.identifier(1),
                    entitlementID: try row.identifier(2),
                    reason: try row.optionalText(3),
                    grantedAt: try row.time(4),
                    expiresAt: try row.optionalTime(5),
                    revokedAt: try row.optionalTime(6)
                )
                return GrantRecord(customerID: customer, state: GrantState(grant: grant, isActive: try row.flag(7)))
            }
        }

        /// In a write, what another write has claimed is passed over, and what is returned is held until the commit.
        func dueGrants(until instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
            let query = transaction.isWriting ? PostgreSQLQuery.claimDueGrants : PostgreSQLQuery.dueGrants
            let due = try transaction.rows(query, [.time(instant), .integer(max(0, limit))]) {
                row throws(StorageError) in
                DueGrant(
                    appID: try row.identifier(0),
                    customerID: try row.identifier(1),
                    id: try row.identifier(2),
                    dueAt: try row.time(3)
                )
            }
            guard transaction.isWriting, !due.isEmpty else { return due }
            return try transaction.claim(due)
        }

        func idempotencyRecord(_ key: String, of app: AppID) throws(StorageError) -> IdempotencyRecord? {
            try transaction.lock(.request(key), of: app)
            return try transaction.row(PostgreSQLQuery.request, [.text(app), .text(key)]) { row throws(StorageError) in
                var answer: IdempotencyRecord.Answer?
                if let status = try row.optionalCount(2) { answer = .init(status: status, body: try row.bytes(3)) }
                return IdempotencyRecord(
                    key: key,
                    requestDigest: try row.bytes(0),
                    startedAt: try row.time(1),
                    answer: answer
                )
            }
        }

        func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount] {
            try transaction.holdAlone(app)
            return try transaction.rows(PostgreSQLQuery.unknownNotifications, [.text(app)]) {
                row throws(StorageError) in
                let subtype = try row.text(1)
                return UnknownNotificationCount(
                    type: try row.text(0),
                    subtype: subtype.isEmpty ? nil : subtype,
                    count: try row.integer(2),
                    lastReceivedAt: try row.time(3)
                )
            }
        }
    }

    extension PostgreSQLWriter {
        func save(_ record: GrantRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.customer(record.customerID), of: app)
            let grant = record.state.grant
            let values: [PostgreSQLValue] = [
                .text(app), .text(record.customerID), .text(grant.id), .text(grant.entitlementID), .text(grant.reason),
                .time(grant.grantedAt), .time(grant.expiresAt), .time(grant.revokedAt), .flag(record.state.isActive),
                .time(record.state.nextChangeAt),
            ]
            try transaction.enqueue(PostgreSQLQuery.saveGrant, values)
        }

        func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError) {
            try transaction.lock(.request(record.key), of: app)
            let values: [PostgreSQLValue] = [
                .text(app), .text(record.key), .bytes(record.requestDigest), .time(record.startedAt),
                .integer(record.answer?.status), record.answer.map { .bytes($0.body) } ?? .null,
            ]
            try transaction.enqueue(PostgreSQLQuery.saveRequest, values)
        }

        func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError) {
            try transaction.lock(.request(key), of: app)
            try transaction.enqueue(PostgreSQLQuery.removeRequest, [.text(app), .text(key)])
        }

        func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
            try transaction.share(app)
            let values: [PostgreSQLValue] = [.text(app), .time(instant), .integer(max(0, limit))]
            try transaction.enqueue(PostgreSQLQuery.removeRequests, values)
        }

        func countUnknownNotification(_ evidence: EvidenceRecord) throws(StorageError) {
            try transaction.share(evidence.appID)
            // A part of the key, so that it is never null.
            let values: [PostgreSQLValue] = [
                .text(evidence.appID), .text(evidence.type ?? ""), .text(evidence.subtype ?? ""),
                .time(evidence.receivedAt),
            ]
            try transaction.enqueue(PostgreSQLQuery.countUnknownNotification, values)
        }
    }
#endif
