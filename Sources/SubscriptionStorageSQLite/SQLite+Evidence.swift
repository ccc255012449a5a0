import SubscriptionCore
import SubscriptionStorage

/// The key of the table of evidence: the app's number and the sequence number in the app, in one integer. So new
/// evidence goes to the end of its app's rows, and the order needs no index.
enum SQLiteEvidence {
    /// The number of sequence numbers of an app.
    static let sequencesPerApp: Int64 = 1 << 40

    /// The key of a sequence number, limited to the last key of the app.
    static func position(_ sequence: Int64, app number: Int64) -> Int64 {
        number * sequencesPerApp + min(max(0, sequence), sequencesPerApp - 1)
    }
}

extension SQLiteQuery {
    /// The number of an app.
    package static let appNumber: SQLiteStatement = "SELECT app_number FROM app_numbers WHERE app_id = ?"
    static let insertApp: SQLiteStatement = "INSERT INTO app_numbers (app_id) VALUES (?)"

    /// Checks whether a signed input is stored.
    package static let hasEvidence: SQLiteStatement =
        "SELECT 1 FROM evidence WHERE evidence_id = ? AND app_number = ?"
    /// A signed input with its header.
    package static let evidence: SQLiteStatement = """
        SELECT \(RecordColumns.evidence) FROM evidence e
        LEFT JOIN evidence_headers h ON h.app_id = ? AND h.header_id = e.header_id
        WHERE e.evidence_id = ? AND e.app_number = ?
        """
    /// The signed input at a position, with its header.
    package static let evidenceAt: SQLiteStatement = """
        SELECT \(RecordColumns.evidence) FROM evidence e
        LEFT JOIN evidence_headers h ON h.app_id = ? AND h.header_id = e.header_id
        WHERE e.position = ?
        """
    /// The sequence number of the evidence about the same purchase before the one at a position.
    package static let previousEvidence: SQLiteStatement = "SELECT previous FROM evidence WHERE position = ?"
    static let evidenceIDAt: SQLiteStatement = "SELECT evidence_id FROM evidence WHERE position = ?"
    /// A page of the evidence of a kind.
    package static let evidenceList: SQLiteStatement = """
        SELECT \(RecordColumns.evidenceSummary) FROM evidence
        WHERE app_number = ? AND kind = ? AND position > ? ORDER BY position LIMIT ?
        """
    /// The sequence number after an app's last one.
    package static let nextEvidence: SQLiteStatement = """
        SELECT sequence + 1 FROM evidence WHERE position >= ? AND position <= ? ORDER BY position DESC LIMIT 1
        """
    /// Does nothing if the identifier is already stored.
    static let insertEvidence: SQLiteStatement = """
        \(insertion("INSERT", "evidence", evidenceColumns).text) ON CONFLICT (evidence_id, app_number) DO NOTHING
        """
    private static let evidenceColumns = """
        position, app_number, evidence_id, kind, type, subtype, original_transaction_id, previous, signed_at, \
        received_at, header_id, remainder
        """
}

extension SQLiteReading {
    /// The number of an app; nil if it has no evidence.
    func number(of app: AppID) throws(StorageError) -> Int64? {
        if let known = connection.appNumbers[app] { return known }
        let number = try connection.row(SQLiteQuery.appNumber, [.text(app)]) { row in try row.integer(0) }
        connection.appNumbers[app] = number
        return number
    }

    func hasEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> Bool {
        guard let number = try number(of: app) else { return false }
        let values: [ColumnValue] = [.bytes(id.compactBytes), .integer(number)]
        return try connection.row(SQLiteQuery.hasEvidence, values, decode: { _ in true }) ?? false
    }

    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord? {
        guard let number = try number(of: app) else { return nil }
        let values: [ColumnValue] = [.text(app), .bytes(id.compactBytes), .integer(number)]
        return try connection.row(SQLiteQuery.evidence, values) { row in
            try SequencedEvidence(row: SQLiteEvidenceRow(row, key: 0), app: app).record
        }
    }

    func evidenceID(at sequence: Int64, of app: AppID) throws(StorageError) -> EvidenceID? {
        guard let number = try number(of: app) else { return nil }
        let values: [ColumnValue] = [.number(SQLiteEvidence.position(sequence, app: number))]
        let found = try connection.row(SQLiteQuery.evidenceIDAt, values) { row -> EvidenceID? in
            do throws(StorageError) {
                return try SQLiteEvidenceRow(row, key: 0).identifier(0)
            } catch {
                guard error.code == .corrupt else { throw error }
                return nil
            }
        }
        return found ?? nil
    }

    func foundEvidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> FoundEvidence? {
        guard let number = try number(of: app) else { return nil }
        let values: [ColumnValue] = [.text(app), .bytes(id.compactBytes), .integer(number)]
        return try connection.row(SQLiteQuery.evidence, values) { row in
            try FoundEvidence(row: SQLiteEvidenceRow(row, key: 0), app: app)
        }
    }

    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [SequencedEvidence] {
        guard limit > 0, let number = try number(of: app) else { return [] }
        var page: [SequencedEvidence] = []
        for sequence in try sequences(about: purchase, of: app, number: number, after: sequence).prefix(limit) {
            let values: [ColumnValue] = [.text(app), .number(SQLiteEvidence.position(sequence, app: number))]
            let found = try connection.row(SQLiteQuery.evidenceAt, values) { row in
                try SequencedEvidence(row: SQLiteEvidenceRow(row, key: 0), app: app)
            }
            guard let found else { throw connection.failed(.unreadable("the evidence of a purchase")) }
            page.append(found)
        }
        return page
    }

    func foundEvidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [FoundEvidence] {
        guard limit > 0, let number = try number(of: app) else { return [] }
        var page: [FoundEvidence] = []
        for sequence in try sequences(about: purchase, of: app, number: number, after: sequence) {
            let values: [ColumnValue] = [.text(app), .number(SQLiteEvidence.position(sequence, app: number))]
            let found = try connection.row(SQLiteQuery.evidenceAt, values) { row in
                try FoundEvidence(row: SQLiteEvidenceRow(row, key: 0), app: app)
            }
            if let found { page.append(found) }
            if page.count == limit { break }
        }
        return page
    }

    /// Follows the linked evidence of the purchase from the newest back to `sequence`; returns the earliest first.
    private func sequences(
        about purchase: OriginalTransactionID,
        of app: AppID,
        number: Int64,
        after sequence: Int64
    ) throws(StorageError) -> [Int64] {
        var sequences: [Int64] = []
        var next = try row(SQLitePurchases.Key(app: app, id: purchase)).lastEvidence
        while let current = next, current > sequence {
            sequences.append(current)
            let values: [ColumnValue] = [.number(SQLiteEvidence.position(current, app: number))]
            next = try connection.row(SQLiteQuery.previousEvidence, values) { row in try row.optionalInteger(0) } ?? nil
            guard next ?? 0 < current else { throw connection.failed(.unreadable("the order of evidence")) }
        }
        return sequences.reversed()
    }

    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [FoundSummary] {
        guard let number = try number(of: app) else { return [] }
        let values: [ColumnValue] = [
            .integer(number), .text(kind), .number(SQLiteEvidence.position(sequence, app: number)),
            .integer(max(0, limit)),
        ]
        return try connection.rows(SQLiteQuery.evidenceList, values) { row in
            try FoundSummary(row: SQLiteEvidenceRow(row, key: 1))
        }
    }
}

/// A row with the identifier of a signed input as key bytes.
struct SQLiteEvidenceRow: ColumnReading {
    private let row: SQLiteRow
    private let key: Int

    init(_ row: SQLiteRow, key: Int) {
        self.row = row
        self.key = key
    }

    func optionalText(_ column: Int) throws(StorageError) -> String? {
        guard column == key else { return try row.optionalText(column) }
        return try row.optionalBytes(column).map { bytes throws(StorageError) in
            try EvidenceID(compactBytes: bytes).rawValue
        }
    }

    func optionalInteger(_ column: Int) throws(StorageError) -> Int64? { try row.optionalInteger(column) }
    func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]? { try row.optionalBytes(column) }
    func optionalFlag(_ column: Int) throws(StorageError) -> Bool? { try row.optionalFlag(column) }
}

extension SQLiteWriter {
    func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool {
        let app = evidence.appID
        let number = try numberForWriting(of: app)
        let id: [ColumnValue] = [.bytes(evidence.id.compactBytes), .integer(number)]
        let bytes = SplitJWS(evidence.signedBytes)
        if let header = bytes.header, connection.header(header, of: app) == nil {
            // An unknown header is stored only with a new input.
            guard try !hasEvidence(evidence.id, of: app) else { return false }
        }
        let key = evidence.purchaseID.map { SQLitePurchases.Key(app: app, id: $0) }
        let purchase = try key.map { key throws(StorageError) in try row(key) }
        let sequence = try nextSequence(of: app, number: number)
        let values: [ColumnValue] = [
            .number(SQLiteEvidence.position(sequence, app: number)), id[1], id[0], .text(evidence.kind),
            .text(evidence.type), .text(evidence.subtype), .text(evidence.purchaseID),
            .integer(purchase?.lastEvidence), .time(evidence.signedAt), .time(evidence.receivedAt),
            .integer(try header(bytes.header, of: app)), .blob(bytes.remainder),
        ]
        guard try connection.changes(SQLiteQuery.insertEvidence, values) else { return false }
        connection.nextEvidence[app] = sequence + 1
        if let key, var purchase {
            purchase.lastEvidence = sequence
            purchase.hasNewEvidence = true
            try remember(purchase, key)
        }
        return true
    }

    /// The sequence number after an app's last evidence. Only one write runs at a time, so it is looked up once per
    /// transaction.
    private func nextSequence(of app: AppID, number: Int64) throws(StorageError) -> Int64 {
        if let known = connection.nextEvidence[app] { return known }
        let range: [ColumnValue] = [0, .max].map { .number(SQLiteEvidence.position($0, app: number)) }
        return try connection.row(SQLiteQuery.nextEvidence, range) { row in try row.integer(0) } ?? 1
    }

    private func numberForWriting(of app: AppID) throws(StorageError) -> Int64 {
        if let number = try number(of: app) { return number }
        try connection.run(SQLiteQuery.insertApp, [.text(app)])
        guard let number = try number(of: app) else {
            throw StorageError(.failed, "The app has no number. This is a defect: report it.", isRetryable: false)
        }
        return number
    }
}
