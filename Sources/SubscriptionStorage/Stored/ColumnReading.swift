public import SubscriptionCore

/// A row that is read by column index. A value of an unexpected type is an error, never a trap.
///
/// The extensions are inlinable, so that each engine specializes them for its rows: a notification reads hundreds of
/// columns.
public protocol ColumnReading {
    /// The text in a column; nil for a null.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`.
    func optionalText(_ column: Int) throws(StorageError) -> String?

    /// The whole number in a column; nil for a null.
    func optionalInteger(_ column: Int) throws(StorageError) -> Int64?

    /// The bytes in a column; nil for a null.
    func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]?

    /// The Boolean in a column; nil for a null.
    func optionalFlag(_ column: Int) throws(StorageError) -> Bool?
}

extension ColumnReading {
    /// An identifier; nil for a null.
    @inlinable public func optionalIdentifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID? {
        try optionalText(column).map(ID.init(rawValue:))
    }

    /// Milliseconds since 1970; nil for a null.
    @inlinable public func optionalTime(_ column: Int) throws(StorageError) -> Timestamp? {
        try optionalInteger(column).map(Timestamp.init(milliseconds:))
    }

    /// A count; nil for a null.
    @inlinable public func optionalCount(_ column: Int) throws(StorageError) -> Int? {
        guard let integer = try optionalInteger(column) else { return nil }
        guard let count = Int(exactly: integer) else { throw .unreadable("column \(column) is too large") }
        return count
    }

    /// A value of a closed set, by its text.
    @inlinable public func optionalChoice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError)
        -> Choice?
    {
        guard let text = try optionalText(column) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw .unreadable("column \(column) has an unknown value") }
        return choice
    }

    /// An amount in two columns, both present or both absent.
    @inlinable public func optionalMoney(_ column: Int) throws(StorageError) -> Money? {
        guard let milliunits = try optionalInteger(column) else { return nil }
        return Money(milliunits: milliunits, currency: try text(column + 1))
    }

    /// An offer in four columns: kind, payment, identifier, period.
    @inlinable public func optionalOffer(_ column: Int) throws(StorageError) -> Offer? {
        guard let kind: Offer.Kind = try optionalChoice(column) else { return nil }
        return Offer(
            kind: kind,
            payment: try optionalChoice(column + 1),
            identifier: try optionalText(column + 2),
            period: try optionalText(column + 3)
        )
    }
}

extension ColumnReading {
    /// Required text.
    @inlinable public func text(_ column: Int) throws(StorageError) -> String {
        try present(optionalText(column), column)
    }

    /// A required whole number.
    @inlinable public func integer(_ column: Int) throws(StorageError) -> Int64 {
        try present(optionalInteger(column), column)
    }

    /// Required bytes.
    @inlinable public func bytes(_ column: Int) throws(StorageError) -> [UInt8] {
        try present(optionalBytes(column), column)
    }

    /// Required milliseconds since 1970.
    @inlinable public func time(_ column: Int) throws(StorageError) -> Timestamp {
        try present(optionalTime(column), column)
    }

    /// A required count.
    @inlinable public func count(_ column: Int) throws(StorageError) -> Int {
        try present(optionalCount(column), column)
    }

    /// A required Boolean.
    @inlinable public func flag(_ column: Int) throws(StorageError) -> Bool {
        try present(optionalFlag(column), column)
    }

    /// A required identifier.
    @inlinable public func identifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID {
        try present(optionalIdentifier(column), column)
    }

    /// A required value of a closed set.
    @inlinable public func choice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Choice {
        try present(optionalChoice(column), column)
    }

    /// Unwraps a required value.
    @inlinable public func present<Value>(_ value: Value?, _ column: Int) throws(StorageError) -> Value {
        guard let value else { throw .unreadable("column \(column) is absent") }
        return value
    }
}

extension StorageError {
    /// An invalid stored value.
    @usableFromInline package static func unreadable(_ what: String) -> StorageError {
        StorageError(
            .corrupt,
            """
            A stored value cannot be read. Run perennial rebuild --verify: what it names, perennial rebuild --apply \
            derives again. If it names nothing, restore the database from a backup.
            """,
            isRetryable: false,
            detail: what
        )
    }

    /// The error of a purchase with an invalid stored value. The detail, for the log, names the purchase.
    @usableFromInline package static func unreadable(
        _ part: String,
        of purchase: OriginalTransactionID,
        _ error: StorageError
    ) -> StorageError {
        guard error.code == .corrupt else { return error }
        return StorageError(
            .corrupt,
            """
            The stored \(part) of a purchase cannot be read. Run perennial rebuild --verify, which names the purchase, \
            and perennial rebuild --apply, which derives it again from the signed inputs.
            """,
            isRetryable: false,
            detail: "\(part) of the purchase \(purchase): \(error.detail ?? error.message)"
        )
    }

    /// The error of a signed input that cannot be read; other errors are returned unchanged.
    package static func unreadableInput(_ error: StorageError) -> StorageError {
        guard error.code == .corrupt else { return error }
        return .unreadableInput(detail: error.detail ?? error.message)
    }

    /// The error of a signed input that cannot be read.
    package static func unreadableInput(detail: String) -> StorageError {
        StorageError(
            .corrupt,
            """
            A signed input cannot be read. Run perennial rebuild --verify, which names it, and copy its row from a \
            backup (operation.md, "Inputs that cannot be read"). Do not restore the whole database.
            """,
            isRetryable: false,
            detail: detail
        )
    }

    /// Text with a zero character, which would end it in both engines.
    package static let zeroCharacter = StorageError(
        .failed,
        "Text with a zero character cannot be stored.",
        isRetryable: false
    )
}
