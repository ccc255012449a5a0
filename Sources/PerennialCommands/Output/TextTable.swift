/// Lines with columns of equal width, for people.
enum TextTable {
    /// The lines of some rows, which have the same number of cells. The last column has no padding.
    static func lines(_ rows: [[String]]) -> [String] {
        let padded = max(0, (rows.first?.count ?? 0) - 1)
        let widths = (0..<padded).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count + 2) }.joined() + (row.last ?? "")
        }
    }
}
