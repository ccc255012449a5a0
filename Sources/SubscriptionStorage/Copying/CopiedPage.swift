/// Rows of a table that are read at once.
package struct CopiedPage: Sendable {
    /// Where a page ends. Rows differ in size, so that a number of rows alone does not bound the memory.
    package struct Limit: Hashable, Sendable {
        /// The maximum number of rows.
        package var rowsMax: Int
        /// The size of the texts and byte strings from which no other row is added. A page has at least one row.
        ///
        /// - Units: bytes.
        package var bytesMax: Int

        /// Makes a limit.
        package init(rowsMax: Int, bytesMax: Int = 8 << 20) {
            self.rowsMax = rowsMax
            self.bytesMax = bytesMax
        }

        /// Whether a page of this size ends.
        package func isReached(rows: Int, bytes: Int) -> Bool { rows >= rowsMax || bytes >= bytesMax }
    }

    /// The rows, in the order of the key.
    package private(set) var rows: [[ColumnValue]]
    /// Whether it ended at its limit, so that other rows may follow. Otherwise it is the last page.
    package private(set) var isFull: Bool
    private var bytes = 0

    /// Makes a page.
    package init(rows: [[ColumnValue]] = [], isFull: Bool = false) {
        self.rows = rows
        self.isFull = isFull
    }

    /// Adds a row.
    package mutating func add(_ row: [ColumnValue], limit: Limit) {
        rows.append(row)
        bytes += row.reduce(0) { $0 + $1.contentBytes }
        isFull = limit.isReached(rows: rows.count, bytes: bytes)
    }
}

extension ColumnValue {
    /// The size of a text or a byte string; 0 for other values.
    fileprivate var contentBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .number, .truth: 0
        }
    }
}
