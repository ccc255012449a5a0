import Foundation
import GRDB
import SubscriptionStorage

/// A connection inside one transaction: runs statements that are prepared once, and remembers that one failed.
final class SQLiteConnection {
    /// The first error of the engine; a transaction with one is not committed, even if the body swallowed it.
    private(set) var failure: StorageError?
    private let db: Database
    private let encoder: JSONEncoder
    private let decoder = JSONDecoder()

    init(_ db: Database) {
        self.db = db
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// Runs a statement that returns nothing.
    func run(_ query: String, _ values: [DatabaseValue]) throws(StorageError) {
        try attempt {
            let statement = try db.cachedStatement(sql: query)
            try statement.execute(arguments: try arguments(values))
        }
    }

    /// Runs a query and decodes each row by the places of its columns.
    func rows<Value>(
        _ query: String,
        _ values: [DatabaseValue],
        decode: (SQLiteRow) throws -> Value
    ) throws(StorageError) -> [Value] {
        try attempt {
            let statement = try db.cachedStatement(sql: query)
            let cursor = try Row.fetchCursor(statement, arguments: try arguments(values))
            var decoded: [Value] = []
            while let row = try cursor.next() { decoded.append(try decode(SQLiteRow(row))) }
            return decoded
        }
    }

    /// Runs a query of which at most one row is wanted.
    func row<Value>(
        _ query: String,
        _ values: [DatabaseValue],
        decode: (SQLiteRow) throws -> Value
    ) throws(StorageError) -> Value? {
        try attempt {
            let statement = try db.cachedStatement(sql: query)
            let cursor = try Row.fetchCursor(statement, arguments: try arguments(values))
            return try cursor.next().map { try decode(SQLiteRow($0)) }
        }
    }

    /// The value as JSON text, the same for equal values.
    func text(_ value: some Encodable) throws(StorageError) -> String {
        try attempt { String(decoding: try encoder.encode(value), as: UTF8.self) }
    }

    /// The value that ``text(_:)`` wrote.
    func value<Value: Decodable>(_ type: Value.Type, from text: String) throws(StorageError) -> Value {
        do {
            return try decoder.decode(type, from: Data(text.utf8))
        } catch {
            throw .unreadable("\(type): \(error)")
        }
    }

    /// SQLite's interface for text ends at a zero byte: such text is refused rather than cut.
    private func arguments(_ values: [DatabaseValue]) throws -> StatementArguments {
        for value in values {
            if case .string(let text) = value.storage, text.utf8.contains(0) {
                throw StorageError(.failed, "Text with a zero character cannot be stored.", isRetryable: false)
            }
        }
        return StatementArguments(values)
    }

    private func attempt<Value>(_ work: () throws -> Value) throws(StorageError) -> Value {
        do {
            return try work()
        } catch {
            let translated = StorageError(engine: error)
            failure = failure ?? translated
            throw translated
        }
    }
}
