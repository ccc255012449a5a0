public import SubscriptionCore

/// A row that is read by the places of its columns. A value of another type than was written is an error, never a trap.
///
/// What is built on it can be inlined: each engine compiles it for its own rows, of which a notification reads hundreds
/// of columns.
public protocol ColumnReading {
    /// The text in a column; nil for a null.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt`, as all of them.
    func optionalText(_ column: Int) throws(StorageError) -> String?

    /// The whole number in a column; nil for a null.
    func optionalInteger(_ column: Int) throws(StorageError) -> Int64?

    /// The bytes in a column; nil for a null.
    func optionalBytes(_ column: Int) throws(StorageError) -> [UInt8]?

    /// The yes or no in a column; nil for a null.
    func optionalFlag(_ column: Int) throws(StorageError) -> Bool?
}

extension ColumnReading {
    /// An identifier, where there is one.
    @inlinable public func optionalIdentifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID? {
        try optionalText(column).map(ID.init(rawValue:))
    }

    /// Milliseconds since 1970, where there are some.
    @inlinable public func optionalTime(_ column: Int) throws(StorageError) -> Timestamp? {
        try optionalInteger(column).map(Timestamp.init(milliseconds:))
    }

    /// A count, where there is one.
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
    /// Text that must be there.
    @inlinable public func text(_ column: Int) throws(StorageError) -> String {
        try present(optionalText(column), column)
    }

    /// A whole number that must be there.
    @inlinable public func integer(_ column: Int) throws(StorageError) -> Int64 {
        try present(optionalInteger(column), column)
    }

    /// Bytes that must be there.
    @inlinable public func bytes(_ column: Int) throws(StorageError) -> [UInt8] {
        try present(optionalBytes(column), column)
    }

    /// Milliseconds since 1970 that must be there.
    @inlinable public func time(_ column: Int) throws(StorageError) -> Timestamp {
        try present(optionalTime(column), column)
    }

    /// A count that must be there.
    @inlinable public func count(_ column: Int) throws(StorageError) -> Int {
        try present(optionalCount(column), column)
    }

    /// A yes or no that must be there.
    @inlinable public func flag(_ column: Int) throws(StorageError) -> Bool {
        try present(optionalFlag(column), column)
    }

    /// An identifier that must be there.
    @inlinable public func identifier<ID: TextIdentifier>(_ column: Int) throws(StorageError) -> ID {
        try present(optionalIdentifier(column), column)
    }

    /// A value of a closed set that must be there.
    @inlinable public func choice<Choice: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Choice {
        try present(optionalChoice(column), column)
    }

    /// What is read, where it is there.
    @inlinable public func present<Value>(_ value: Value?, _ column: Int) throws(StorageError) -> Value {
        guard let value else { throw .unreadable("column \(column) is absent") }
        return value
    }
}

extension StorageError {
    /// A stored value that does not read back as what was written.
    @usableFromInline package static func unreadable(_ what: String) -> StorageError {
        StorageError(
            .corrupt,
            "A stored value cannot be read back. Restore the database from a backup.",
            isRetryable: false,
            detail: what
        )
    }

    /// Text that no engine keeps: it would be cut at the character.
    package static let zeroCharacter = StorageError(
        .failed,
        "Text with a zero character cannot be stored.",
        isRetryable: false
    )
}
