/// Formats names, labels and numbers for Prometheus.
enum MetricText {
    /// A name of letters, digits and underscores.
    static func name(_ label: String) -> String {
        String(label.unicodeScalars.map { isPlain($0) ? Character($0) : "_" })
    }

    /// `name="value"` pairs, in order of name.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.sorted { $0.0 < $1.0 }.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    /// The labels in braces; empty without labels.
    static func braced(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    /// Whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return String(whole) }
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return String(value)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    private static func isPlain(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
