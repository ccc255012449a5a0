extension SettingKey {
    /// What to say about a key of a file that is none.
    static func suggestion(for name: String, below section: [String]) -> String {
        let near = all.map(\.name).min { distance($0, name) < distance($1, name) }
        let hint = near.flatMap { distance($0, name) <= 3 ? "Did you mean \($0)? " : nil } ?? ""
        let prefix = section.map { "\($0)." }.joined()
        let siblings = all.map(\.name).filter { $0.hasPrefix(prefix) }
        return "there is no such setting. \(hint)There are: \(siblings.joined(separator: ", "))"
    }

    /// The variable that was meant by one that sets nothing, if it looks like one of ours.
    static func variableMeant(by name: String) -> String? {
        let prefix = "PERENNIAL_"
        guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
        let rest = name.dropFirst(prefix.count)
        let variables = all.map(\.variable)
        if let part = variables.first(where: { $0.hasSuffix("_\(rest)") || $0.hasPrefix("\(name)_") }) { return part }
        return variables.first { distance($0, name) <= 2 }
    }

    /// How many letters are to be changed, added or left out.
    private static func distance(_ left: String, _ right: String) -> Int {
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
