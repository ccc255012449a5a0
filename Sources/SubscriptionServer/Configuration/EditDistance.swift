/// The edit distance of two names, for suggestions.
package enum EditDistance {
    /// The number of letters to change, add or remove.
    package static func between(_ left: String, _ right: String) -> Int {
        let right = Array(right.utf8)
        var row = Array(0...right.count)
        for (line, letter) in left.utf8.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let above = row[column + 1]
                row[column + 1] = min(
                    above + 1,
                    row[column] + 1,
                    diagonal + (letter == right[column] ? 0 : 1)
                )
                diagonal = above
            }
        }
        return row[right.count]
    }
}
