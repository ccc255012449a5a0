import AppStoreModel
import SubscriptionServer

/// Reads a file of subscribers: a line of names and separated values, or a JSON object on each line.
///
/// Values are separated by commas, or by semicolons or tabs if the line of names has no comma. Memory does not grow
/// with the file. A bad row does not affect the others.
struct SubscriberReader {
    /// Why no row of the file can be read.
    struct ColumnsMissing: Error {
        /// The names that were found.
        let names: [String]
        /// The options whose columns were not found, with the names that they give.
        var absent: [String] = []
    }

    /// Several columns have the name of one that is read, so it is not known which one counts.
    struct ColumnRepeated: Error {
        let name: String
    }

    /// The line that must have the names of the columns cannot be read.
    struct NamesUnreadable: Error {
        let line: Int
        let problem: CSVReader.Problem
    }

    private struct Header {
        /// The names in their order.
        let names: [String]
        /// Which ones are used.
        let columns: SubscriberColumns
        /// Whether this program wrote the file, with ``CSVLine``.
        let hasApostrophes: Bool
    }

    private enum Form {
        /// The bytes so far do not tell.
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
    /// The first line of a CSV file.
    private var header: Header?

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
    /// - Throws: ``ColumnsMissing``, ``ColumnRepeated``, ``NamesUnreadable``; what the body throws.
    mutating func read(_ piece: some Collection<UInt8>, _ body: (SubscriberRow) throws -> Void) throws {
        if case .unknown(let before) = form {
            let bytes = before + piece
            guard let known = knownForm(of: bytes, isWhole: bytes.count > purchaseForm.rowBytesMax) else {
                form = .unknown(bytes)
                return
            }
            form = known
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

    /// The form of a file that begins with some bytes; nil if they do not tell and more may follow.
    private func knownForm(of bytes: [UInt8], isWhole: Bool) -> Form? {
        let rows = bytes.drop { Self.bytesBeforeRows.contains($0) }
        if rows.first == UInt8(ascii: "{") { return .lines(NDJSON()) }
        let line = CSVReader.firstLine(of: rows)
        guard line.isComplete || isWhole else { return nil }
        return .csv(CSVReader(separator: line.separator, recordBytesMax: purchaseForm.rowBytesMax))
    }

    /// Passes the last row, if the file does not end with a line end.
    ///
    /// - Throws: ``ColumnsMissing``, ``ColumnRepeated``, ``NamesUnreadable``; what the body throws.
    mutating func finish(_ body: (SubscriberRow) throws -> Void) throws {
        if case .unknown(let bytes) = form, let known = knownForm(of: bytes, isWhole: true) {
            form = known
            try read(bytes, body)
        }
        switch form {
        case .unknown: break
        case .csv(var reader):
            var header = header
            try reader.finish { try take($0, &header, body) }
            self.header = header
            if header == nil { throw ColumnsMissing(names: []) }
        case .lines(var lines): try finish(&lines, body)
        }
    }

    // MARK: Comma-separated values

    private func take(
        _ record: CSVReader.Record,
        _ header: inout Header?,
        _ body: (SubscriberRow) throws -> Void
    ) throws {
        let fields: [String]
        switch record.content {
        case .success(let found): fields = found
        case .failure(let problem):
            guard header != nil else { throw NamesUnreadable(line: record.line, problem: problem) }
            let bad = SubscriberProblem(code: problem.rawValue, message: problem.message)
            return try body(SubscriberRow(line: record.line, content: .bad(bad)))
        }
        guard let header else {
            let names = fields.map(Self.name)
            let distinct = Set(names)
            guard let columns = columns(among: distinct) else {
                throw ColumnsMissing(names: names, absent: absent(among: distinct))
            }
            if let name = columns.read.first(where: { read in names.count(where: { $0 == read }) > 1 }) {
                throw ColumnRepeated(name: name)
            }
            let hasApostrophes = ExportedFile.hasApostrophes(distinct)
            header = Header(names: names, columns: columns, hasApostrophes: hasApostrophes)
            return
        }
        guard fields.count == header.names.count else {
            let bad = SubscriberProblem(
                code: "field_count_wrong",
                message:
                    "The row has \(fields.count) fields instead of \(header.names.count). Check its separators and its "
                    + "quotation marks."
            )
            return try body(SubscriberRow(line: record.line, content: .bad(bad)))
        }
        let content = header.columns.content { name in
            guard let index = header.names.firstIndex(of: name) else { return nil }
            // White space in a file of this program is part of the text.
            return header.hasApostrophes ? CSVLine.text(in: fields[index]) : Self.trimmed(fields[index])
        }
        try body(SubscriberRow(line: record.line, content: content))
    }

    private func columns(among names: Set<String>) -> SubscriberColumns? {
        SubscriberColumns(
            among: names,
            user: userColumn.map(Self.name),
            purchase: purchaseColumn.map(Self.name),
            form: purchaseForm
        )
    }

    /// The options whose columns are not among the names of a file, each with the name that it gives.
    private func absent(among names: Set<String>) -> [String] {
        [("--user-column", userColumn), (purchaseForm.option, purchaseColumn)].compactMap { (option, name) -> String? in
            guard let name, !names.contains(Self.name(name)) else { return nil }
            return "\(option) \(name.prefix(40))"
        }
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
                    message:
                        "The line is not a JSON object of at most \(purchaseForm.rowBytesMax) bytes. Write each row as "
                        + "one object on one line."
                )
            )
        }
        let values = Self.values(of: object)
        let names = Set(values.keys)
        guard let columns = columns(among: names) else {
            if case .transactionID = purchaseForm, ExportedFile.isPurchaseWithoutCustomer(names) { return .skipped }
            let absent = absent(among: names)
            let given = absent.isEmpty ? "" : " It has no member for \(absent.joined(separator: " or "))."
            return .bad(
                SubscriberProblem(
                    code: "columns_missing",
                    message:
                        "The object has no user or no \(purchaseForm.noun).\(given) Name its members with "
                        + "--user-column and \(purchaseForm.option)."
                )
            )
        }
        return columns.content { name in
            switch values[name] {
            case .string(let text)?: text
            case .integer(let number)?: String(number)
            default: nil
            }
        }
    }

    /// The members by their names in lower case. If there are several, the one that is written so counts.
    private static func values(of object: JSONObject) -> [String: JSONValue] {
        var values: [String: JSONValue] = [:]
        for member in object.members {
            let name = Self.name(member.key)
            if values[name] == nil || member.key == name { values[name] = member.value }
        }
        return values
    }
}
