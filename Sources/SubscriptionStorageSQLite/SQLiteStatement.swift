import GRDB
import GRDBSQLite
import SubscriptionStorage

/// The text of a statement. Each is one object, by whose identity its prepared form is found again.
package final class SQLiteStatement: ExpressibleByStringInterpolation, Sendable {
    /// What SQLite is told.
    package let text: String

    /// Wraps a text.
    package init(stringLiteral text: String) {
        self.text = text
    }
}

/// A statement that SQLite has prepared: values are bound and rows are read by its own interface, without GRDB's values
/// in between.
struct SQLitePrepared {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Runs the statement; the row is valid only inside the body.
    ///
    /// - Parameter body: Called for each row; false ends it.
    /// - Throws: `DatabaseError`; ``StorageError`` for what cannot be bound; what the body throws.
    func run(_ values: [ColumnValue], _ body: (SQLiteRow) throws -> Bool) throws {
        defer {
            // What it says was said by the step. What is bound is not looked at again before other values are.
            _ = sqlite3_reset(pointer)
        }
        guard Int(sqlite3_bind_parameter_count(pointer)) == values.count else {
            throw StorageError(
                .failed,
                "A statement has other parameters than values. This is a defect of this program: report it.",
                isRetryable: false
            )
        }
        // Texts and bytes lie in one piece of memory while the statement runs: SQLite would copy each to its own.
        let size = values.reduce(0) { $0 + $1.byteCount }
        try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
            var free = memory[...]
            for place in values.indices { try bind(values[place], at: Int32(place + 1), in: &free) }
            while true {
                let code = sqlite3_step(pointer)
                switch code {
                case SQLITE_ROW: guard try body(SQLiteRow(pointer)) else { return }
                case SQLITE_DONE: return
                default: throw failure(code)
                }
            }
        }
    }

    private func bind(
        _ value: ColumnValue,
        at place: Int32,
        in free: inout Slice<UnsafeMutableRawBufferPointer>
    ) throws {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(pointer, place)
        case .number(let number): code = sqlite3_bind_int64(pointer, place, number)
        case .truth(let truth): code = sqlite3_bind_int64(pointer, place, truth ? 1 : 0)
        case .string(var text):
            code = try text.withUTF8 { try bind(text: UnsafeRawBufferPointer($0), at: place, in: &free) }
        case .blob(let bytes): code = bytes.withUnsafeBytes { bind(bytes: $0, at: place, in: &free) }
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// SQLite's interface for text ends at a zero byte: such text is refused rather than cut.
    private func bind(
        text: UnsafeRawBufferPointer,
        at place: Int32,
        in free: inout Slice<UnsafeMutableRawBufferPointer>
    ) throws -> Int32 {
        guard text.offset(of: 0) == nil else { throw StorageError.zeroCharacter }
        guard let copy = copied(text, to: &free) else { return sqlite3_bind_text(pointer, place, "", 0, Self.copied) }
        let characters = copy.assumingMemoryBound(to: CChar.self)
        return sqlite3_bind_text(pointer, place, characters, Int32(text.count), Self.lasting)
    }

    private func bind(
        bytes: UnsafeRawBufferPointer,
        at place: Int32,
        in free: inout Slice<UnsafeMutableRawBufferPointer>
    ) -> Int32 {
        // No bytes are bytes all the same, not a null.
        guard let copy = copied(bytes, to: &free) else { return sqlite3_bind_zeroblob(pointer, place, 0) }
        return sqlite3_bind_blob64(pointer, place, copy, UInt64(bytes.count), Self.lasting)
    }

    /// Copies bytes to the beginning of free memory, which is less after; nil for no bytes.
    private func copied(
        _ bytes: UnsafeRawBufferPointer,
        to free: inout Slice<UnsafeMutableRawBufferPointer>
    ) -> UnsafeRawPointer? {
        guard !bytes.isEmpty else { return nil }
        let copy = UnsafeMutableRawBufferPointer(rebasing: free.prefix(bytes.count))
        copy.copyMemory(from: bytes)
        free = free.dropFirst(bytes.count)
        return copy.baseAddress.map { UnsafeRawPointer($0) }
    }

    /// Tells SQLite to take a copy of what is bound.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Tells SQLite that what is bound lasts for as long as the statement runs.
    private static var lasting: sqlite3_destructor_type? { nil }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_errmsg(sqlite3_db_handle(pointer)).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
}

extension ColumnValue {
    /// How many bytes its text has, or how many bytes it is.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .number, .truth: 0
        case .string(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

/// A row of a statement that is being run.
struct SQLiteRow: ColumnReading {
    private let pointer: OpaquePointer

    fileprivate init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    func optionalText(_ column: Int) throws(StorageError) -> String? {
        let column = Int32(column)
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT:
            // First the text, then its length: SQLite may change its form for the first.
            guard let base = sqlite3_column_text(pointer, column) else { return "" }
            let bytes = UnsafeBufferPointer(start: base, count: Int(sqlite3_column_bytes(pointer, column)))
            return String(decoding: bytes, as: UTF8.self)
        default: throw .unreadable("column \(column) is no text")
        }
    }

    func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
        let column = Int32(column)
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: return nil
        case SQLITE_INTEGER: return sqlite3_column_int64(pointer, column)
        default: throw .unreadable("column \(column) is no integer")
        }
    }

    func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]? {
        let column = Int32(column)
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            guard let base = sqlite3_column_blob(pointer, column) else { return [] }
            return Array(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(pointer, column))))
        default: throw .unreadable("column \(column) is no bytes")
        }
    }

    func optionalFlag(_ column: Int) throws(StorageError) -> Bool? { try optionalInteger(column).map { $0 != 0 } }
}
