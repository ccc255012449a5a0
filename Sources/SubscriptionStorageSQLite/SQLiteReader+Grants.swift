import GRDB
import SubscriptionCore
import SubscriptionStorage

extension SQLiteReading {
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord] {
        try connection.rows(SQLiteQuery.grants, [.text(app), .text(customer)]) { row in
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

    func dueGrants(until instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant] {
        try connection.rows(SQLiteQuery.dueGrants, [.time(instant), .integer(max(0, limit))]) { row in
            DueGrant(
                appID: try row.identifier(0),
                customerID: try row.identifier(1),
                id: try row.identifier(2),
                dueAt: try row.time(3)
            )
        }
    }

    func idempotencyRecord(_ key: String, of app: AppID) throws(StorageError) -> IdempotencyRecord? {
        try connection.row(SQLiteQuery.request, [.text(app), .text(key)]) { row in
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
}

extension SQLiteWriter {
    func save(_ record: GrantRecord, of app: AppID) throws(StorageError) {
        let grant = record.state.grant
        let values: [DatabaseValue] = [
            .text(app), .text(record.customerID), .text(grant.id), .text(grant.entitlementID), .text(grant.reason),
            .time(grant.grantedAt), .time(grant.expiresAt), .time(grant.revokedAt), .flag(record.state.isActive),
            .time(record.state.nextChangeAt),
        ]
        try connection.run(SQLiteQuery.saveGrant, values)
    }

    func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError) {
        let values: [DatabaseValue] = [
            .text(app), .text(record.key), .bytes(record.requestDigest), .time(record.startedAt),
            .integer(record.answer?.status), record.answer.map { .bytes($0.body) } ?? .null,
        ]
        try connection.run(SQLiteQuery.saveRequest, values)
    }

    func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError) {
        try connection.run(SQLiteQuery.removeRequest, [.text(app), .text(key)])
    }

    func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) throws(StorageError) {
        let values: [DatabaseValue] = [.text(app), .text(app), .time(instant), .integer(max(0, limit))]
        try connection.run(SQLiteQuery.removeRequests, values)
    }
}
