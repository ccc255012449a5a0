import PerennialCommandSupport

/// An app's keys as a person reads them: one line each under a header.
struct KeyTable {
    /// One key.
    struct Row {
        /// Its kind and last characters.
        let key: String
        /// Who may use it.
        let kind: String
        /// When it was made, in milliseconds since 1970.
        let createdAt: Int64
        /// What it is for.
        let label: String?
    }

    /// The header and the keys.
    let lines: [String]

    init(_ rows: [Row]) {
        let cells =
            [["KEY", "KIND", "CREATED", "LABEL"]]
            + rows.map { row in
                [
                    row.key, row.kind, Instant.text(milliseconds: row.createdAt) ?? "-",
                    row.label.map(TerminalText.harmless) ?? "-",
                ]
            }
        let widths = (0..<3).map { column in cells.map { $0[column].count }.max() ?? 0 }
        lines = cells.map { cells in
            // The last column is as wide as what stands in it.
            zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined() + cells[3]
        }
    }
}
