import PerennialCommandSupport

/// The keys of an app as a table: a header, and one line for each key.
struct KeyTable {
    /// One key.
    struct Row {
        /// Its kind and last characters.
        let key: String
        /// Its permitted use.
        let kind: String
        /// When it was created, in milliseconds since 1970.
        let createdAt: Int64
        /// Its purpose.
        let label: String?
    }

    /// The header and the keys.
    let lines: [String]

    init(_ rows: [Row]) {
        let cells =
            [["KEY", "KIND", "CREATED", "LABEL"]]
            + rows.map { row in
                [
                    row.key, row.kind, UTCTime.text(milliseconds: row.createdAt) ?? "-",
                    row.label.map(TerminalText.escaped) ?? "-",
                ]
            }
        let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
        lines = cells.map { cells in
            // The last column has no padding.
            zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined() + cells[3]
        }
    }
}
