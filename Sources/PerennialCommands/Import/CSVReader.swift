/// Reads comma-separated values (RFC 4180) from pieces of a file of any size, one record at a time.
///
/// The pieces may end anywhere, also between the two bytes of a line end or inside a quoted field. The result is the
/// same for every division into pieces. Memory is bounded by the longest allowed record. A bad record never affects the
/// records of other lines: after it, reading continues at the next line end.
///
/// Beyond the RFC: a line may end with LF or CR alone, a byte order mark at the beginning is skipped, empty lines are
/// skipped, and the separator may be another character.
struct CSVReader {
    /// A record, or the reason why there is none.
    struct Record: Hashable, Sendable {
        /// The line on which the record begins; the first line is 1.
        var line: Int
        /// The fields, or the problem.
        var content: Result<[String], Problem>
    }

    /// Why a record cannot be read. The raw value is the stable code.
    enum Problem: String, Error, Hashable, Sendable {
        /// A quotation mark is inside a field without quotation marks, or text follows a closing one.
        case strayQuote = "csv_stray_quote"
        /// The file ends inside quotation marks.
        case unclosedQuote = "csv_unclosed_quote"
        /// The record has more bytes than allowed.
        case tooLong = "csv_record_too_long"
        /// The record contains a zero byte, which no engine can store.
        case zeroByte = "csv_zero_byte"
        /// The record is not UTF-8.
        case notUTF8 = "csv_not_utf8"

        /// What is wrong and what to do.
        var message: String {
            switch self {
            case .strayQuote:
                """
                A quotation mark is in the middle of a field. Put the field in quotation marks, and double those in it.
                """
            case .unclosedQuote: "The file ends inside quotation marks. Add the closing one, or export the file again."
            case .tooLong: "The record is longer than allowed. Check for a missing closing quotation mark."
            case .zeroByte: "The record contains a zero byte. Remove it, or save the file as UTF-8."
            case .notUTF8: "The record is not UTF-8. Save the file as UTF-8."
            }
        }
    }

    private enum Context {
        /// Before the first byte of a field.
        case fieldStart
        case plain
        case quoted
        /// After a quotation mark inside quotation marks: the first of two, or the closing one.
        case afterQuote
        /// In a bad record; its rest is skipped through the line end.
        case skipping
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let quote = UInt8(ascii: "\"")

    private let separator: UInt8
    private let recordBytesMax: Int
    private var context = Context.fieldStart
    /// The bytes of the record's fields, one after another.
    private var bytes: [UInt8] = []
    /// Where each complete field ends in `bytes`.
    private var ends: [Int] = []
    private var problem: Problem?
    private var line = 1
    private var firstLine = 1
    /// Whether the record has any byte, a separator or a quotation mark.
    private var hasBegun = false
    private var lastWasReturn = false
    /// The number of bytes of the byte order mark that were read; nil after the beginning of the file.
    private var markCount: Int? = 0

    /// Makes a reader at the beginning of a file.
    ///
    /// - Parameters:
    ///   - separator: An ASCII character other than a quotation mark or a line end.
    ///   - recordBytesMax: The maximum number of bytes of a record's fields and separators.
    init(separator: Unicode.Scalar = ",", recordBytesMax: Int = 1 << 20) {
        self.separator = UInt8(ascii: separator)
        self.recordBytesMax = recordBytesMax
    }

    /// Reads the next piece and passes each complete record to a body.
    mutating func read(
        _ piece: some Sequence<UInt8>,
        _ body: (Record) throws -> Void
    ) rethrows {
        for byte in piece {
            if let count = markCount {
                if count < Self.mark.count, byte == Self.mark[count] {
                    markCount = count + 1
                    continue
                }
                markCount = nil
                // The beginning of a mark without its end is text.
                if count < Self.mark.count { for known in Self.mark.prefix(count) { try take(known, body) } }
            }
            try take(byte, body)
        }
    }

    /// Passes the last record, if the file does not end with a line end.
    mutating func finish(_ body: (Record) throws -> Void) rethrows {
        if let count = markCount, count < Self.mark.count {
            markCount = nil
            for known in Self.mark.prefix(count) { try take(known, body) }
        }
        if context == .quoted { problem = problem ?? .unclosedQuote }
        try endRecord(body)
    }

    private mutating func take(_ byte: UInt8, _ body: (Record) throws -> Void) rethrows {
        let followsReturn = lastWasReturn
        lastWasReturn = byte == Self.carriageReturn
        let isSecondOfPair = byte == Self.lineFeed && followsReturn
        let isLineEnd = byte == Self.lineFeed || byte == Self.carriageReturn
        if isLineEnd, context != .quoted {
            // The record ended at the carriage return.
            guard !isSecondOfPair else { return }
            line += 1
            try endRecord(body)
            return
        }
        if isLineEnd, !isSecondOfPair { line += 1 }
        if byte == 0 { problem = problem ?? .zeroByte }
        add(byte)
    }

    private mutating func add(_ byte: UInt8) {
        hasBegun = true
        switch (context, byte) {
        case (.fieldStart, Self.quote): context = .quoted
        case (.quoted, Self.quote): context = .afterQuote
        case (.afterQuote, Self.quote):
            context = .quoted
            append(byte)
        case (.fieldStart, separator), (.plain, separator), (.afterQuote, separator):
            ends.append(bytes.count)
            context = .fieldStart
            requireRoom()
        case (.plain, Self.quote), (.afterQuote, _):
            problem = problem ?? .strayQuote
            context = .skipping
        case (.fieldStart, _):
            context = .plain
            append(byte)
        case (.plain, _), (.quoted, _): append(byte)
        case (.skipping, _): break
        }
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        requireRoom()
    }

    private mutating func requireRoom() {
        guard bytes.count + ends.count > recordBytesMax else { return }
        problem = problem ?? .tooLong
        context = .skipping
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    private mutating func endRecord(_ body: (Record) throws -> Void) rethrows {
        let record = hasBegun ? Record(line: firstLine, content: content()) : nil
        context = .fieldStart
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        problem = nil
        hasBegun = false
        firstLine = line
        if let record { try body(record) }
    }

    private func content() -> Result<[String], Problem> {
        if let problem { return .failure(problem) }
        var fields: [String] = []
        var start = 0
        for end in ends + [bytes.count] {
            guard let field = String(validating: bytes[start..<end], as: UTF8.self) else { return .failure(.notUTF8) }
            fields.append(field)
            start = end
        }
        return .success(fields)
    }
}

extension CSVReader {
    /// What the first line of a file says about its separator.
    ///
    /// The separator is a comma. It is a semicolon, or else a tab, if the line has that and no comma. Characters in
    /// quotation marks do not count.
    ///
    /// - Returns: The separator, as far as the bytes tell, and whether they have the end of the line.
    static func firstLine(of bytes: some Sequence<UInt8>) -> (separator: Unicode.Scalar, isComplete: Bool) {
        let separators: [Unicode.Scalar] = [",", ";", "\t"]
        var found: Set<UInt8> = []
        var isQuoted = false
        var isComplete = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            guard !isQuoted else { continue }
            isComplete = byte == lineFeed || byte == carriageReturn
            if isComplete { break }
            found.insert(byte)
        }
        return (separators.first { found.contains(UInt8(ascii: $0)) } ?? ",", isComplete)
    }
}
