import GRDB
import GRDBSQLite
import SubscriptionStorage

/// The text of a statement. Its object identity is the key of its prepared statement.
package final class SQLiteStatement: ExpressibleByStringInterpolation, Sendable {
    /// The SQL.
    package let text: String

    /// Wraps a text.
    package init(stringLiteral text: String) {
        self.text = text
    }
}

/// A prepared statement. It binds values and reads rows with SQLite's C interface, without GRDB's values.
struct SQLitePrepared {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Runs the statement; the row is valid only inside the body.
    ///
    /// - Parameter body: Called for each row; false stops.
    /// - Throws: `DatabaseError`; ``StorageError`` for values that cannot be bound; what the body throws.
    func run(_ values: [ColumnValue], _ body: (SQLiteRow) throws -> Bool) throws {
        defer {
            // The step already reported the error. Bound values are not read again before new ones are bound.
            _ = sqlite3_reset(pointer)
        }
        guard Int(sqlite3_bind_parameter_count(pointer)) == values.count else {
            throw StorageError(
                .failed,
                "A statement has other parameters than values. This is a defect of this program: report it.",
                isRetryable: false
            )
        }
        // All texts and bytes share one allocation while the statement runs; otherwise SQLite would copy each one.
        let size = values.reduce(0) { $0 + $1.byteCount }
        try withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
            var free = memory[...]
            for index in values.indices { try bind(values[index], at: Int32(index + 1), in: &free) }
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
        at index: Int32,
        in free: inout Slice<UnsafeMutableRawBufferPointer>
    ) throws {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(pointer, index)
        case .number(let number): code = sqlite3_bind_int64(pointer, index, number)
        case .truth(let truth): code = sqlite3_bind_int64(pointer, index, truth ? 1 : 0)
        case .string(var text):
            code = try text.withUTF8 { try bind(text: UnsafeRawBufferPointer($0), at: index, in: &free) }
        case .blob(let bytes): code = bytes.withUnsafeBytes { bind(bytes: $0, at: index, in: &free) }
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// SQLite's text interface ends at a zero byte, so such text is refused instead of being truncated.
    private func bind(
        text: UnsafeRawBufferPointer,
        at index: Int32,
        in free: inout Slice<UnsafeMutableRawBufferPointer>
    ) throws -> Int32 {
        guard text.offset(of: 0) == nil else { throw StorageError.zeroCharacter }
        guard let copy = copied(text, to: &free) else { return sqlite3_bind_text(pointer, index, "", 0, Self.copied) }
        let characters = copy.assumingMemoryBound(to: CChar.self)
        return sqlite3_bind_text(pointer, index, characters, Int32(text.count), Self.lasting)
    }

    private func bind(
        bytes: UnsafeRawBufferPointer,
        at index: Int32,
        in free: inout Slice<UnsafeMutableRawBufferPointer>
    ) -> Int32 {
        // An empty blob is not a null.
        guard let copy = copied(bytes, to: &free) else { return sqlite3_bind_zeroblob(pointer, index, 0) }
        return sqlite3_bind_blob64(pointer, index, copy, UInt64(bytes.count), Self.lasting)
    }

    /// Copies bytes to the beginning of `free` and advances it; nil for no bytes.
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

    /// SQLITE_TRANSIENT: SQLite copies the bound value.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// SQLITE_STATIC: the bound value stays valid while the statement runs.
    private static var lasting: sqlite3_destructor_type? { nil }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_errmsg(sqlite3_db_handle(pointer)).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
}

extension ColumnValue {
    /// The number of bytes of a text or blob.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .number, .truth: 0
        case .string(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

/// A row of a running statement.
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
            // Read the text before its length, because SQLite may convert the value for the first call.
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
