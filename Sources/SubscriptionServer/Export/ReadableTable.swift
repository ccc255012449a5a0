import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// A file of a readable export.
struct ReadableTable: Sendable {
    /// The table of the rows.
    let table: CopiedTable
    /// The columns of the file as CSV.
    let columns: [String]
    /// The readable form of a row.
    let object: @Sendable ([ColumnValue], any CopiedRowReading) throws(StorageError) -> JSONObject

    /// All files.
    static let all = [customers, purchases, evidence, events]

    private static let customers = ReadableTable(
        table: CopiedTables.customers,
        columns: ["app_id", "app_user_id", "aliases", "first_seen_at", "state_version"]
    ) { row, _ throws(StorageError) in
        let record = try CustomerRecord(row: StoredRow(values: Array(row.dropFirst())))
        var object = beginning(row)
        object["app_user_id"] = .string(record.id.rawValue)
        object["aliases"] = .array(record.profile.aliases.map { .string($0.rawValue) })
        object["first_seen_at"] = .integer(record.firstSeenAt.milliseconds)
        object["state_version"] = .integer(record.stateVersion)
        return object
    }

    private static let purchases = ReadableTable(
        table: CopiedTables.purchases,
        columns: [
            "app_id", "id", "app_user_id", "claim", "type", "product_id", "group_id", "status", "gives_access",
            "period_type", "ownership", "started_at", "current_period_starts_at", "current_period_ends_at",
            "grace_expires_at", "auto_renew", "next_product_id", "billing_issue", "ended_because", "quantity",
            "purchased_at", "revoked_at", "price", "currency", "storefront", "app_transaction_id", "evaluated_at",
            "renewal_price", "renewal_currency", "renewal_awaited_until", "price_increase", "pending_offer",
            "win_back_offer_ids", "management_url", "payment_url",
        ]
    ) { row, _ throws(StorageError) in
        var object = beginning(row)
        guard let record = try PurchaseRecord.stored(in: StoredRow(values: columns(of: row))) else {
            // Facts whose transaction has not arrived yet.
            if case .string(let id) = row[1] { object["id"] = .string(id) }
            return object
        }
        object["id"] = .string(record.id.rawValue)
        object["app_user_id"] = .text(record.customerID?.rawValue)
        object["claim"] = .text(record.claim?.rawValue)
        switch record.state {
        case .subscription(let state):
            object["type"] = .string("subscription")
            object.add(JSONObject(subscription: state, appTransactionID: record.appTransactionID))
        case .oneTime(let state): object.add(JSONObject(purchase: state, appTransactionID: record.appTransactionID))
        case nil: break
        }
        object["evaluated_at"] = .integer(record.evaluatedAt.milliseconds)
        return object
    }

    /// The columns of a purchase without the app, in the order of ``PurchaseRecord``.
    private static func columns(of row: [ColumnValue]) -> [ColumnValue] { Array(row[1...6]) }

    static let evidence = ReadableTable(
        table: CopiedTables.evidence,
        columns: [
            "app_id", "sequence", "id", "kind", "type", "subtype", "purchase_id", "signed_at", "received_at",
            "signed_payload",
        ]
    ) { row, reader throws(StorageError) in
        var header = ColumnValue.null
        if case .number(let number) = row[9] {
            let next = try reader.row(of: CopiedTables.headers, after: [row[0], .number(number - 1)])
            if let found = next, found[0] == row[0], found[1] == row[9] { header = found[3] }
        }
        let columns = Array(row[2...9]) + [header, row[10], row[1]]
        guard case .string(let app) = row[0] else { throw .unreadableApp }
        let evidence: SequencedEvidence
        do throws(StorageError) {
            evidence = try SequencedEvidence(row: StoredRow(values: columns), app: AppID(rawValue: app))
            try evidence.record.requireReadable()
        } catch {
            guard error.code == .corrupt else { throw error }
            throw .unreadableEvidence(row, app: app, error)
        }
        let record = evidence.record
        var object = beginning(row)
        object["sequence"] = .integer(evidence.sequence)
        object["id"] = .string(record.id.rawValue)
        object["kind"] = .string(record.kind.rawValue)
        object["type"] = .text(record.type)
        object["subtype"] = .text(record.subtype)
        object["purchase_id"] = .text(record.purchaseID?.rawValue)
        object["signed_at"] = .integer(record.signedAt.milliseconds)
        object["received_at"] = .integer(record.receivedAt.milliseconds)
        object["signed_payload"] = .string(String(decoding: record.signedBytes, as: UTF8.self))
        return object
    }

    private static let events = ReadableTable(
        table: CopiedTables.events,
        columns: [
            "app_id", "id", "type", "occurred_at", "recorded_at", "app_user_id", "state_version", "purchase_id",
            "transaction_id", "product_id", "price", "proceeds", "currency", "entitlement", "details",
        ]
    ) { row, _ throws(StorageError) in
        guard case .string(let app) = row[0] else { throw .unreadableApp }
        let record = try EventRecord(row: StoredRow(values: Array(row.dropFirst())))
        var object = beginning(row)
        object.add(JSONObject(event: record, app: AppID(rawValue: app)))
        return object
    }

    private static func beginning(_ row: [ColumnValue]) -> JSONObject {
        var object = JSONObject()
        if case .string(let app) = row[0] { object["app_id"] = .string(app) }
        return object
    }
}

extension JSONObject {
    fileprivate mutating func add(_ other: JSONObject) {
        for member in other.members { self[member.key] = member.value }
    }
}

extension StorageError {
    /// A signed input that cannot be written as it was received.
    fileprivate static func unreadableEvidence(
        _ row: [ColumnValue],
        app: String,
        _ error: StorageError
    ) -> StorageError {
        var name = "of app \(app)"
        if case .string(let id) = row[2] { name = "\(id) \(name)" }
        if case .number(let sequence) = row[1] { name += " with sequence number \(sequence)" }
        return StorageError(
            .corrupt,
            "The signed input \(name) cannot be read, so the export is not finished. Copy its row from a backup "
                + "(operation.md, \"Inputs that cannot be read\"). perennial rebuild --verify lists all such inputs; "
                + "perennial export without --format copies them as they are stored.",
            isRetryable: false,
            detail: error.detail
        )
    }

    fileprivate static let unreadableApp = StorageError(
        .corrupt,
        "A row without an app cannot be read. Restore the database from a backup.",
        isRetryable: false
    )
}
