import SubscriptionCore
package import SubscriptionStorage

extension SQLiteDatabase: CopyableDatabase {
    /// Runs a body on a snapshot.
    package func readRows<Result: Sendable>(
        _ body: @escaping @Sendable (any CopiedRowReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await readWithConnection { connection throws(StorageError) in
            try body(SQLiteRowReader(connection: connection))
        }
    }

    /// Runs a body in one transaction. SQLite has one writer at a time.
    package func writeRows<Result: Sendable>(
        _ body: @escaping @Sendable (any CopiedRowWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await writeWithConnection { connection throws(StorageError) in
            try body(SQLiteRowWriter(connection: connection))
        }
    }
}

/// Reads tables as they are stored.
private protocol SQLiteRowReading: CopiedRowReading {
    var connection: SQLiteConnection { get }
}

private struct SQLiteRowReader: SQLiteRowReading {
    let connection: SQLiteConnection
}

private struct SQLiteRowWriter: SQLiteRowReading {
    let connection: SQLiteConnection
}

extension SQLiteQuery {
    /// A row with a link to evidence and no facts belongs to this engine alone.
    private static let isPurchase = "(evaluated_at IS NOT NULL OR facts IS NOT NULL)"

    fileprivate static let firstPages = pages(isFirst: true)
    fileprivate static let nextPages = pages(isFirst: false)

    private static func pages(isFirst: Bool) -> [String: SQLiteStatement] {
        let pages = CopiedTables.all.map { table in
            let condition = table.name == CopiedTables.purchases.name ? isPurchase : nil
            let text = SQLDialect.sqlite.page(of: table, isFirst: isFirst, where: condition)
            return (table.name, SQLiteStatement(stringLiteral: text))
        }
        return Dictionary(pages) { first, _ in first }
    }

    fileprivate static let insertions = Dictionary(
        CopiedTables.all.map { table in
            (table.name, insertion("INSERT", table.name, table.columns.map(\.name).joined(separator: ", ")))
        }
    ) { first, _ in first }

    fileprivate static let appAfter: SQLiteStatement =
        "SELECT app_number, app_id FROM app_numbers WHERE app_id > ? ORDER BY app_id LIMIT 1"
    fileprivate static let copiedEvidence: SQLiteStatement = """
        SELECT a.app_id, e.sequence, e.evidence_id, e.kind, e.type, e.subtype, e.original_transaction_id,
            e.signed_at, e.received_at, e.header_id, e.remainder
        FROM app_numbers a, evidence e WHERE a.app_number = ? AND e.position > ? AND e.position <= ?
        ORDER BY e.position LIMIT ?
        """
    fileprivate static let insertCopiedEvidence: SQLiteStatement = insertion(
        "INSERT",
        "evidence",
        """
        position, app_number, evidence_id, kind, type, subtype, original_transaction_id, previous, signed_at, \
        received_at, header_id, remainder
        """
    )
    fileprivate static let lastEvidence: SQLiteStatement =
        "SELECT last_evidence FROM purchases WHERE app_id = ? AND original_transaction_id = ?"
    fileprivate static let linkEvidence: SQLiteStatement = """
        INSERT INTO purchases (app_id, original_transaction_id, last_evidence) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET last_evidence = excluded.last_evidence
        """
}

extension SQLiteRowReading {
    func page(
        of table: CopiedTable,
        after key: [ColumnValue]?,
        limit: CopiedPage.Limit
    ) throws(StorageError) -> CopiedPage {
        guard table.name != CopiedTables.evidence.name else { return try evidence(after: key, limit: limit) }
        let pages = key == nil ? SQLiteQuery.firstPages : SQLiteQuery.nextPages
        guard let query = pages[table.name] else { return CopiedPage() }
        var page = CopiedPage()
        try connection.visit(query, (key ?? []) + [.integer(limit.rowsMax)]) { row in
            page.add(try table.values(of: row), limit: limit)
            return !page.isFull
        }
        return page
    }

    /// The rows are in the order of the apps' numbers; an export has them in the order of the apps.
    private func evidence(after key: [ColumnValue]?, limit: CopiedPage.Limit) throws(StorageError) -> CopiedPage {
        var page = CopiedPage()
        var app = ColumnValue.string("")
        if let key, case .number(let last) = key[1] {
            app = key[0]
            let number = try connection.row(SQLiteQuery.appNumber, [app]) { row in try row.integer(0) }
            if let number { try addEvidence(of: number, after: last, to: &page, limit: limit) }
        }
        while !page.isFull {
            let next = try connection.row(SQLiteQuery.appAfter, [app]) { row in
                (number: try row.integer(0), app: ColumnValue.string(try row.text(1)))
            }
            guard let next else { break }
            app = next.app
            try addEvidence(of: next.number, after: 0, to: &page, limit: limit)
        }
        return page
    }

    private func addEvidence(
        of number: Int64,
        after sequence: Int64,
        to page: inout CopiedPage,
        limit: CopiedPage.Limit
    ) throws(StorageError) {
        let values: [ColumnValue] = [
            .number(number), .number(SQLiteEvidence.position(sequence, app: number)),
            .number(SQLiteEvidence.position(.max, app: number)), .integer(limit.rowsMax - page.rows.count),
        ]
        try connection.visit(SQLiteQuery.copiedEvidence, values) { row in
            page.add(try Self.copiedValues(of: row), limit: limit)
            return !page.isFull
        }
    }

    /// The values of a row of evidence. The error of one that cannot be read names it.
    private static func copiedValues(of row: SQLiteRow) throws(StorageError) -> [ColumnValue] {
        do throws(StorageError) {
            return try CopiedTables.evidence.values(of: SQLiteEvidenceRow(row, key: 2))
        } catch {
            guard error.code == .corrupt else { throw error }
            let (app, sequence) = (try row.text(0), try row.integer(1))
            throw StorageError(
                .corrupt,
                "The row of the signed input of app \(app) with sequence number \(sequence) cannot be read, so the "
                    + "export is not finished. Copy the row from a backup (operation.md, \"Inputs that cannot be "
                    + "read\"). perennial rebuild --verify lists all such inputs.",
                isRetryable: false,
                detail: error.detail
            )
        }
    }
}

extension SQLiteRowWriter: CopiedRowWriting {
    func insert(_ rows: [[ColumnValue]], into table: CopiedTable) throws(StorageError) {
        guard table.name != CopiedTables.evidence.name else {
            for row in rows { try insert(evidence: row) }
            return
        }
        guard let insertion = SQLiteQuery.insertions[table.name] else { return }
        for row in rows { try connection.run(insertion, row) }
    }

    /// Adds a signed input and links it to the one before it about the same purchase.
    private func insert(evidence row: [ColumnValue]) throws(StorageError) {
        guard case .string(let app) = row[0], case .number(let sequence) = row[1], case .string(let id) = row[2] else {
            throw .unreadable("the key of evidence")
        }
        let number = try number(of: app)
        var previous = ColumnValue.null
        if row[6] != .null {
            let purchase = [row[0], row[6]]
            previous =
                try connection.row(SQLiteQuery.lastEvidence, purchase) { row in
                    .integer(try row.optionalInteger(0))
                } ?? .null
            try connection.run(SQLiteQuery.linkEvidence, purchase + [row[1]])
        }
        let position = SQLiteEvidence.position(sequence, app: number)
        let values: [ColumnValue] =
            [.number(position), .number(number), .bytes(EvidenceID(id).compactBytes)] + row[3...6] + [previous]
            + row[7...10]
        try connection.run(SQLiteQuery.insertCopiedEvidence, values)
    }

    private func number(of app: String) throws(StorageError) -> Int64 {
        let id = AppID(rawValue: app)
        if let known = connection.appNumbers[id] { return known }
        func stored() throws(StorageError) -> Int64? {
            try connection.row(SQLiteQuery.appNumber, [.string(app)]) { row in try row.integer(0) }
        }
        if try stored() == nil { try connection.run(SQLiteQuery.insertApp, [.string(app)]) }
        let number = try stored() ?? 0
        connection.appNumbers[id] = number
        return number
    }

    func finish() throws(StorageError) {}
}
