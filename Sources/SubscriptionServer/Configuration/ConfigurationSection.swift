package import Foundation
import Yams

/// A section of the configuration file that another command reads: what the server's settings leave alone.
package struct ConfigurationSection: Sendable {
    /// What stands in the section, in the file's order; the value is nil where it is no text and no number.
    package let values: [(key: String, value: String?)]

    /// Reads a section; where the file has none, it is empty.
    ///
    /// - Parameters:
    ///   - section: Its name, such as `api`.
    ///   - bytes: The file: YAML, of which JSON is a part.
    ///   - name: How messages name the file.
    /// - Throws: ``ConfigurationProblem`` `config_malformed`.
    package init(_ section: String, in bytes: Data, name: String) throws(ConfigurationProblem) {
        guard let text = String(data: bytes, encoding: .utf8) else { throw Self.malformed(name, "it is not UTF-8") }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch {
            throw Self.malformed(name, "it is neither YAML nor JSON")
        }
        guard let root, root.null == nil else {
            values = []
            return
        }
        guard let sections = root.mapping else { throw Self.malformed(name, "it has no sections") }
        guard let found = sections[Node(section)], found.null == nil else {
            values = []
            return
        }
        guard let mapping = found.mapping else { throw Self.malformed(name, "\(section) is no section") }
        values = mapping.map { key, value in
            (key: key.scalar?.string ?? "?", value: value.null == nil ? value.scalar?.string : nil)
        }
    }

    private static func malformed(_ name: String, _ reason: String) -> ConfigurationProblem {
        ConfigurationProblem(code: .malformed, key: nil, place: name, message: reason)
    }
}
