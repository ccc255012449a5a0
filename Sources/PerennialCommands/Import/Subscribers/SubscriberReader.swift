import AppStoreModel

/// Reads a file of subscribers: comma-separated values with a line of names, or a JSON object on each line.
///
/// Memory does not grow with the file. A bad row does not affect the others.
struct SubscriberReader {
    /// Why no row of the file can be read.
    struct ColumnsMissing: Error {
        /// The names that were found.
        let names: [String]
    }

    private enum Form {
        /// Only bytes that may precede the first row were read.
        case unknown([UInt8])
        case csv(CSVReader)
        case lines(NDJSON)
    }

    private struct NDJSON {
        var line = 0
        var rest: [UInt8] = []
        var isTooLong = false
    }

    /// A byte order mark and white space.
    private static let bytesBeforeRows: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D]

    private let userColumn: String?
    private let purchaseColumn: String?
    private let purchaseForm: PurchaseForm
    private var form = Form.unknown([])
    /// The names of the first line of a CSV file, and which ones are used.
    private var header: (names: [String], columns: SubscriberColumns)?

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - userColumn: The name of the column with the customer; nil to use a known one.
    ///   - purchaseColumn: The name of the column with the transaction or the receipt; nil to use a known one.
    ///   - form: What that column contains.
    init(userColumn: String? = nil, purchaseColumn: String? = nil, form: PurchaseForm) {
        self.userColumn = userColumn
        self.purchaseColumn = purchaseColumn
        purchaseForm = form
    }

    /// Reads the next piece and passes each complete row to a body.
    ///
    /// - Throws: ``ColumnsMissing``; what the body throws.
    mutating func read(_ piece: some Collection<UInt8>, _ body: (SubscriberRow) throws -> Void) throws {
        if case .unknown(let before) = form {
            let bytes = before + piece
            let first = bytes.first { !Self.bytesBeforeRows.contains($0) }
            guard first != nil || bytes.count > purchaseForm.rowBytesMax else {
                form = .unknown(bytes)
                return
            }
            form =
                first == UInt8(ascii: "{")
                ? .lines(NDJSON()) : .csv(CSVReader(recordBytesMax: purchaseForm.rowBytesMax))
            return try read(bytes, body)
        }
        switch form {
        case .unknown: break
        case .csv(var reader):
            var header = header
            defer {
                form = .csv(reader)
                self.header = header
            }
            try reader.read(piece) { try take($0, &header, body) }
        case .lines(var lines):
            defer { form = .lines(lines) }
            for byte in piece {
                if byte == UInt8(ascii: "\n") {
                    try finish(&lines, body)
                } else if lines.rest.count >= purchaseForm.rowBytesMax {
                    lines.isTooLong = true
                } else {
                    lines.rest.append(byte)
                }
            }
        }
    }

    /// Passes the last row, if the file does not end with a line end.
    ///
    /// - Throws: ``ColumnsMissing``; what the body throws.
    mutating func finish(_ body: (SubscriberRow) throws -> Void) throws {
        switch form {
        case .unknown: throw ColumnsMissing(names: [])
        case .csv(var reader):
            var header = header
            try reader.finish { try take($0, &header, body) }
            self.header = header
        case .lines(var lines): try finish(&lines, body)
        }
    }

    // MARK: Comma-separated values

    private func take(
        _ record: CSVReader.Record,
        _ header: inout (names: [String], columns: SubscriberColumns)?,
        _ body: (SubscriberRow) throws -> Void
    ) throws {
        let fields: [String]
        switch record.content {
        case .success(let found): fields = found
        case .failure(let problem):
            let bad = SubscriberProblem(code: problem.rawValue, message: problem.message)
            return try body(SubscriberRow(line: record.line, content: .bad(bad)))
        }
        guard let header else {
            let names = fields.map(Self.name)
            guard let columns = columns(among: names) else { throw ColumnsMissing(names: names) }
            header = (names, columns)
            return
        }
        guard fields.count == header.names.count else {
            let bad = SubscriberProblem(
                code: "field_count_wrong",
                message:
                    "The row has \(fields.count) fields instead of \(header.names.count). Check its quotation marks."
            )
            return try body(SubscriberRow(line: record.line, content: .bad(bad)))
        }
        let content = header.columns.content { name in
            header.names.firstIndex(of: name).map { Self.trimmed(fields[$0]) }
        }
        try body(SubscriberRow(line: record.line, content: content))
    }

    private func columns(among names: [String]) -> SubscriberColumns? {
        SubscriberColumns(
            among: names,
            user: userColumn.map(Self.name),
            purchase: purchaseColumn.map(Self.name),
            form: purchaseForm
        )
    }

    private static func name(_ text: String) -> String { trimmed(text).lowercased() }

    private static func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard text.utf8.first.map(isSpace) == true || text.utf8.last.map(isSpace) == true else { return text }
        let start = text.utf8.drop(while: isSpace)
        return String(
            decoding: start.prefix(start.count - start.reversed().prefix(while: isSpace).count),
            as: UTF8.self
        )
    }

    // MARK: Lines of JSON

    private mutating func finish(_ lines: inout NDJSON, _ body: (SubscriberRow) throws -> Void) throws {
        lines.line += 1
        defer { lines = NDJSON(line: lines.line) }
        var bytes = lines.rest
        if lines.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty || lines.isTooLong else { return }
        try body(SubscriberRow(line: lines.line, content: content(of: bytes, isTooLong: lines.isTooLong)))
    }

    private func content(of bytes: [UInt8], isTooLong: Bool) -> SubscriberRow.Content {
        guard !isTooLong, let object = try? JSONParser.parseObject(bytes) else {
            return .bad(
                SubscriberProblem(
                    code: "json_malformed",
                    message: "The line is not a JSON object of at most \(purchaseForm.rowBytesMax) bytes."
                )
            )
        }
        guard let columns = columns(among: object.keys) else {
            // A purchase without a customer in our own export.
            if object["app_id"] != nil, object["customer_id"] == nil { return .skipped }
            return .bad(
                SubscriberProblem(
                    code: "columns_missing",
                    message:
                        "The object has no user or no \(purchaseForm.noun). Name its members with --user-column and "
                        + "\(purchaseForm.option)."
                )
            )
        }
        return columns.content { name in
            switch object[name] {
            case .string(let text): text
            case .integer(let number): String(number)
            default: nil
            }
        }
    }
}
