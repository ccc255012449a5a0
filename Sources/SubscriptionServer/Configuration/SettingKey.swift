/// A setting of `perennial serve`: its names, its allowed values, and whether it is secret.
package struct SettingKey: Hashable, Sendable {
    /// The allowed values of a setting.
    package enum Kind: Hashable, Sendable {
        /// Any text; empty if the setting is not used.
        case text
        /// One of several values.
        case choice([String])
        /// A whole number in a range.
        case integer(ClosedRange<Int>)
        /// A Boolean.
        case truth
        /// Any number of texts.
        case list
    }

    /// The path in the file, such as `server.port`.
    package let name: String
    /// The allowed values.
    package let kind: Kind
    /// Whether its value or a part of it is secret.
    package let isSecret: Bool
    /// The command line option, if there is one.
    package let option: String?

    /// Makes a key.
    init(_ name: String, _ kind: Kind, isSecret: Bool = false, option: String? = nil) {
        self.name = name
        self.kind = kind
        self.isSecret = isSecret
        self.option = option
    }

    /// The environment variable.
    package var variable: String {
        "PERENNIAL_" + String(name.uppercased().map { $0 == "." ? "_" : $0 })
    }

    /// The documentation line of the key in the file of defaults.
    package var documentation: String {
        let secret = isSecret ? "Secret. " : ""
        return "\(kind). \(secret)\(option.map { "\($0), " } ?? "")\(variable)"
    }

    /// The parts of the path.
    var components: [String] { name.split(separator: ".").map(String.init) }
}

extension SettingKey.Kind: CustomStringConvertible {
    /// The allowed values, for people.
    package var description: String {
        switch self {
        case .text: "Text"
        case .choice(let values): "One of \(values.joined(separator: ", "))"
        case .integer(let range): "Whole number from \(range.lowerBound) to \(range.upperBound)"
        case .truth: "true or false"
        case .list: "List of texts"
        }
    }
}
