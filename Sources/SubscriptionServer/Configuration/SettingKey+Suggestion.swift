extension SettingKey {
    /// The message about an unknown key in a file.
    static func suggestion(for name: String, below section: [String]) -> String {
        let hint = nearest(to: name).map { "Did you mean \($0)? " } ?? ""
        let prefix = section.map { "\($0)." }.joined()
        let siblings = all.map(\.name).filter { $0.hasPrefix(prefix) }
        return "there is no such setting. \(hint)There are: \(siblings.joined(separator: ", "))"
    }

    /// The setting with the most similar name, or the first one with a similar part; nil if there is none.
    private static func nearest(to name: String) -> String? {
        let names = all.map(\.name)
        let near = names.min { EditDistance.between($0, name) < EditDistance.between($1, name) }
        if let near, EditDistance.between(near, name) <= 3 { return near }
        return names.first { $0.split(separator: ".").contains { EditDistance.between(String($0), name) <= 1 } }
    }

    /// The variable that an unknown one may mean, if they are similar.
    static func variableMeant(by name: String) -> String? {
        let prefix = "PERENNIAL_"
        guard name.hasPrefix(prefix), name.utf8.count > prefix.utf8.count else { return nil }
        let rest = name.dropFirst(prefix.count)
        let variables = all.map(\.variable)
        if let part = variables.first(where: { $0.hasSuffix("_\(rest)") || $0.hasPrefix("\(name)_") }) { return part }
        return variables.first { EditDistance.between($0, name) <= 2 }
    }
}
