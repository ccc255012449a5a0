import Foundation
import GRDB
import SubscriptionCore
import SubscriptionStorage

/// A row read by the places of its columns; a value of another type than was written is an error, never a trap.
struct SQLiteRow {
    private let row: Row

    init(_ row: Row) {
        self.row = row
    }

    private func value(_ column: Int) -> DatabaseValue { row[column] }

    func optionalText(_ column: Int) throws(StorageError) -> String? {
        switch value(column).storage {
        case .null: return nil
        case .string(let text): return text
        default: throw .unreadable("column \(column) is no text")
        }
    }

    func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
        switch value(column).storage {
        case .null: return nil
        case .int64(let integer): return integer
        default: throw .unreadable("column \(column) is no integer")
        }
    }

    func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]? {
        switch value(column).storage {
        case .null: return nil
        case .blob(let data): return [UInt8](data)
        default: throw .unreadable("column \(column) is no bytes")
        }
    }

    func optionalIdentifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID? {
        try optionalText(column).map(ID.init(rawValue:))
    }

    func optionalTime(_ column: Int) throws(StorageError) -> Timestamp? {
        try optionalInteger(column).map(Timestamp.init(milliseconds:))
    }

    func optionalCount(_ column: Int) throws(StorageError) -> Int? {
        guard let integer = try optionalInteger(column) else { return nil }
        guard let count = Int(exactly: integer) else { throw .unreadable("column \(column) is too large") }
        return count
    }

    func optionalFlag(_ column: Int) throws(StorageError) -> Bool? {
        try optionalInteger(column).map { $0 != 0 }
    }

    /// A value of a closed set, by its text.
    func optionalChoice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Choice? {
        guard let text = try optionalText(column) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw .unreadable("column \(column) has an unknown value") }
        return choice
    }

    /// An amount in two columns, both present or both absent.
    func optionalMoney(_ column: Int) throws(StorageError) -> Money? {
        guard let milliunits = try optionalInteger(column) else { return nil }
        return Money(milliunits: milliunits, currency: try text(column + 1))
    }

    /// An offer in four columns: kind, payment, identifier, period.
    func optionalOffer(_ column: Int) throws(StorageError) -> Offer? {
        guard let kind: Offer.Kind = try optionalChoice(column) else { return nil }
        return Offer(
            kind: kind,
            payment: try optionalChoice(column + 1),
            identifier: try optionalText(column + 2),
            period: try optionalText(column + 3)
        )
    }
}

extension SQLiteRow {
    func text(_ column: Int) throws(StorageError) -> String { try present(optionalText(column), column) }

    func integer(_ column: Int) throws(StorageError) -> Int64 { try present(optionalInteger(column), column) }

    func bytes(_ column: Int) throws(StorageError) -> [UInt8] { try present(optionalBytes(column), column) }

    func time(_ column: Int) throws(StorageError) -> Timestamp { try present(optionalTime(column), column) }

    func count(_ column: Int) throws(StorageError) -> Int { try present(optionalCount(column), column) }

    func flag(_ column: Int) throws(StorageError) -> Bool { try present(optionalFlag(column), column) }

    func identifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID {
        try present(optionalIdentifier(column), column)
    }

    func choice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Choice {
        try present(optionalChoice(column), column)
    }

    private func present<Value>(_ value: Value?, _ column: Int) throws(StorageError) -> Value {
        guard let value else { throw .unreadable("column \(column) is absent") }
        return value
    }
}

extension DatabaseValue {
    static func text(_ text: String?) -> DatabaseValue { text?.databaseValue ?? .null }

    static func text(_ value: (some RawRepresentable<String>)?) -> DatabaseValue {
        value?.rawValue.databaseValue ?? .null
    }

    static func integer(_ integer: (some BinaryInteger)?) -> DatabaseValue {
        integer.map { Int64($0).databaseValue } ?? .null
    }

    static func time(_ time: Timestamp?) -> DatabaseValue { time?.milliseconds.databaseValue ?? .null }

    static func flag(_ flag: Bool?) -> DatabaseValue { flag.map { ($0 ? 1 : 0).databaseValue } ?? .null }

    static func bytes(_ bytes: some Sequence<UInt8>) -> DatabaseValue { Data(bytes).databaseValue }

    static func money(_ money: Money?) -> [DatabaseValue] { [.integer(money?.milliunits), .text(money?.currency)] }

    static func offer(_ offer: Offer?) -> [DatabaseValue] {
        [.text(offer?.kind), .text(offer?.payment), .text(offer?.identifier), .text(offer?.period)]
    }
}
