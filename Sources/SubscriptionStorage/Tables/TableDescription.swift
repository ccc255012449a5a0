/// The description of a table, from which both engines derive its definition and statements.
///
/// A table with the scope `app` has `app_id` as its first column and as the first column of its key and indexes. The
/// description omits it.
public final class TableDescription: Sendable {
    /// The scope of the rows of a table.
    public enum Scope: Sendable {
        /// Each row belongs to an app, which every call has as a parameter.
        case app
        /// The rows belong to the database.
        case database
    }

    /// The name in the database.
    public let name: String
    /// The scope of the rows.
    public let scope: Scope
    /// The columns, in the order of a ``TableRecord``.
    public let columns: [TableColumn]
    /// The names of the columns of the primary key, in order.
    public let key: [String]
    /// Further indexes.
    public let indexes: [TableIndex]
    /// The lock that a write on PostgreSQL takes before it reads or changes a row.
    public let lock: TableLock
    /// Whether the table is empty for most apps; then an engine may check that once per transaction before any look-up.
    public let isOftenEmpty: Bool
    /// The schema step that creates the table.
    public let step: Int

    private let positions: [String: Int]

    /// Describes a table.
    ///
    /// - Precondition: The key and the indexes consist of columns of the table.
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
    /// The type of a column.
    public enum Kind: Hashable, Sendable {
        /// Text, compared by its bytes.
        case text
        /// A whole number of 64 bits; times are milliseconds since 1970.
        case integer
        /// A Boolean.
        case flag
        /// Bytes.
        case bytes
    }

    /// The name in the database.
    public var name: String
    /// The type.
    public var kind: Kind
    /// Whether it may be null.
    public var isOptional: Bool
    /// The schema step that adds it; nil if it is created with the table.
    public var step: Int?
    /// Whether its bytes are already compressed, so that the engine does not compress them.
    public var isCompressed: Bool
    /// Whether it has a key, a password or a digest of one: an export has the rows of the table only on request.
    public var isSecret = false

    /// A column of text.
    public static func text(
        _ name: String,
        optional: Bool = false,
        step: Int? = nil,
        secret: Bool = false
    ) -> TableColumn {
        TableColumn(
            name: name,
            kind: .text,
            isOptional: optional,
            step: step,
            isCompressed: false,
            isSecret: secret
        )
    }

    /// A column of whole numbers.
    public static func integer(_ name: String, optional: Bool = false, step: Int? = nil) -> TableColumn {
        TableColumn(name: name, kind: .integer, isOptional: optional, step: step, isCompressed: false)
    }

    /// A column of Booleans.
    public static func flag(_ name: String, optional: Bool = false, step: Int? = nil) -> TableColumn {
        TableColumn(name: name, kind: .flag, isOptional: optional, step: step, isCompressed: false)
    }

    /// A column of bytes.
    public static func bytes(
        _ name: String,
        optional: Bool = false,
        step: Int? = nil,
        compressed: Bool = false,
        secret: Bool = false
    ) -> TableColumn {
        TableColumn(
            name: name,
            kind: .bytes,
            isOptional: optional,
            step: step,
            isCompressed: compressed,
            isSecret: secret
        )
    }
}

/// A secondary index of a table.
public struct TableIndex: Hashable, Sendable {
    /// The name in the database.
    public var name: String
    /// The names of its columns, in order.
    public var columns: [String]
    /// Whether it is unique.
    public var isUnique: Bool
    /// A column whose nulls are not indexed.
    public var omitsNullsOf: String?
    /// The lock of a look-up by it, instead of the table's lock.
    public var lock: TableLock?
    /// The schema step that creates it; nil if it is created with the table.
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

/// The lock that a write on PostgreSQL holds until its commit, so that its reads stay valid. On SQLite only one write
/// runs at a time.
public enum TableLock: Hashable, Sendable {
    /// No lock: rows are only added, or no decision depends on the read.
    case none
    /// The app: shared for reads, exclusive for changes. For rows that rarely change.
    case app
    /// The app, always exclusive. For rows that writes rarely read.
    case appAlone
    /// The row, by its key; also in a table of the database. Other look-ups lock nothing.
    case row
    /// The customer in a column. Other look-ups lock nothing.
    case customer(String)
    /// The purchase in a column. Other look-ups lock nothing.
    case purchase(String)
}
