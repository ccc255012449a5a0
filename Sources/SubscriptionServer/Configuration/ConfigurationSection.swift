package import Foundation
import Yams

/// A section of the configuration file for another command, which the server ignores.
package struct ConfigurationSection: Sendable {
    /// The members of the section in the file's order; the value is nil if it is neither a text nor a number.
    package let values: [(key: String, value: String?)]

    /// Reads a section; it is empty if the file does not contain it.
    ///
    /// - Parameters:
    ///   - section: Its name, such as `api`.
    ///   - bytes: The file, as YAML or JSON.
    ///   - name: The name of the file in messages.
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
        guard let mapping = found.mapping else { throw Self.malformed(name, "\(section) is not a section") }
        values = mapping.map { key, value in
            (key: key.scalar?.string ?? "?", value: value.null == nil ? value.scalar?.string : nil)
        }
    }

    private static func malformed(_ name: String, _ reason: String) -> ConfigurationProblem {
        ConfigurationProblem(code: .malformed, key: nil, location: name, message: reason)
    }
}
