/// A table as both engines make it: they derive its definition and its statements from this.
///
/// A table of an app has the column `app_id` before its other columns, and its key and indexes begin with it. The
/// description leaves it out.
public final class TableDescription: Sendable {
    /// Whose rows a table holds.
    public enum Scope: Sendable {
        /// Each row belongs to an app, which every call names.
        case app
        /// The rows belong to the database.
        case database
    }

    /// The name in the database.
    public let name: String
    /// Whose rows it holds.
    public let scope: Scope
    /// The columns, in the order in which a ``TableRecord`` writes and reads them.
    public let columns: [TableColumn]
    /// The names of the columns of the primary key, in order.
    public let key: [String]
    /// Further indexes.
    public let indexes: [TableIndex]
    /// What a write on PostgreSQL locks before it reads or changes a row.
    public let lock: TableLock
    /// Whether most apps have no row in it; an engine may then ask once per transaction before it looks anything up.
    public let isOftenEmpty: Bool
    /// The schema step that makes the table.
    public let step: Int

    private let positions: [String: Int]

    /// Describes a table.
    ///
    /// - Precondition: The key and the indexes name columns of the table.
    public init(
        _ name: String,
        scope: Scope = .app,
        columns: [TableColumn],
        key: [String],
        indexes: [TableIndex] = [],
        lock: TableLock,
        isOftenEmpty: Bool = false,
        step: Int
    ) {
        self.name = name
        self.scope = scope
        self.columns = columns
        self.key = key
        self.indexes = indexes
        self.lock = lock
        self.isOftenEmpty = isOftenEmpty
        self.step = step
        positions = Dictionary(columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
        for name in key + indexes.flatMap(\.columns) {
            precondition(positions[name] != nil, "the table \(self.name) has no column \(name)")
        }
    }

    /// The position of a column among the columns.
    public func position(of column: String) -> Int? { positions[column] }

    /// The values of some columns of a row, in the order of the names.
    public func values(of names: some Sequence<String>, in row: [ColumnValue]) -> [ColumnValue] {
        names.map { positions[$0].map { row[$0] } ?? .null }
    }
}

/// A column of a table.
public struct TableColumn: Hashable, Sendable {
    /// What a column holds.
    public enum Kind: Hashable, Sendable {
        /// Text, compared by its bytes.
        case text
        /// A whole number of 64 bits; times are milliseconds since 1970.
        case integer
        /// Yes or no.
        case flag
        /// Bytes.
        case bytes
    }

    /// The name in the database.
    public var name: String
    /// What it holds.
    public var kind: Kind
    /// Whether it may be null.
    public var isOptional: Bool
    /// The schema step that added it to the table; nil where it came with the table.
    public var step: Int?
    /// Whether its bytes are compressed already, so that the engine need not try.
    public var isCompressed: Bool

    /// A column of text.
    public static func text(_ name: String, optional: Bool = false, step: Int? = nil) -> TableColumn {
        TableColumn(name: name, kind: .text, isOptional: optional, step: step, isCompressed: false)
    }

    /// A column of whole numbers.
    public static func integer(_ name: String, optional: Bool = false, step: Int? = nil) -> TableColumn {
        TableColumn(name: name, kind: .integer, isOptional: optional, step: step, isCompressed: false)
    }

    /// A column of yes or no.
    public static func flag(_ name: String, optional: Bool = false, step: Int? = nil) -> TableColumn {
        TableColumn(name: name, kind: .flag, isOptional: optional, step: step, isCompressed: false)
    }

    /// A column of bytes.
    public static func bytes(
        _ name: String,
        optional: Bool = false,
        step: Int? = nil,
        compressed: Bool = false
    ) -> TableColumn {
        TableColumn(name: name, kind: .bytes, isOptional: optional, step: step, isCompressed: compressed)
    }
}

/// An index of a table beside its primary key.
public struct TableIndex: Hashable, Sendable {
    /// The name in the database.
    public var name: String
    /// The names of its columns, in order.
    public var columns: [String]
    /// Whether no two rows may have the same values in it.
    public var isUnique: Bool
    /// A column whose nulls are left out of the index.
    public var omitsNullsOf: String?
    /// What a look-up by it locks instead of what the table says.
    public var lock: TableLock?
    /// The schema step that makes it; nil where it comes with the table.
    public var step: Int?

    /// Describes an index.
    public init(
        _ name: String,
        _ columns: [String],
        unique: Bool = false,
        omitsNullsOf: String? = nil,
        lock: TableLock? = nil,
        step: Int? = nil
    ) {
        self.name = name
        self.columns = columns
        isUnique = unique
        self.omitsNullsOf = omitsNullsOf
        self.lock = lock
        self.step = step
    }
}

/// What a write on PostgreSQL holds until its commit, so that what it read is still true then. On SQLite one write runs
/// at a time.
public enum TableLock: Hashable, Sendable {
    /// Nothing: rows are only added, or nobody decides by what was read.
    case none
    /// The app: reads share it, and changes hold it alone. For what changes seldom.
    case app
    /// The app, alone: whoever decides by what is there is the only one. For what is also read seldom by writes.
    case appAlone
    /// The row, by its key. A look-up by anything else locks nothing.
    case row
    /// The customer whom a column names. A look-up by anything else locks nothing.
    case customer(String)
    /// The purchase that a column names. A look-up by anything else locks nothing.
    case purchase(String)
}
