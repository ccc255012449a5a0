import Configuration
import Foundation
import Yams

/// A configuration file: its values, their lines, and the unknown settings in it.
struct ConfigurationFile {
    /// The maximum size of a configuration file.
    static let bytesMax = 1 << 20
    /// The section of `perennial api`, which is read separately.
    private static let foreignSections: Set<String> = ["api"]

    /// The name of the file in messages.
    let name: String
    /// The values; nil if there are none.
    let snapshot: (any ConfigSnapshot)?
    /// The problems with its keys.
    private(set) var problems: [ConfigurationProblem] = []
    private var lines: [String: Int] = [:]

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationProblem`` `config_unreadable`, `config_malformed`.
    init(path: String) throws(ConfigurationProblem) {
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            data = try handle.read(upToCount: Self.bytesMax + 1) ?? Data()
            try handle.close()
        } catch {
            throw ConfigurationProblem(
                code: .unreadable,
                key: nil,
                location: path,
                message: "the file cannot be read: check the path, and that the user of this program may read it"
            )
        }
        guard data.count <= Self.bytesMax else {
            throw ConfigurationProblem(
                code: .malformed,
                key: nil,
                location: path,
                message: "the file is longer than \(Self.bytesMax) bytes: this is not a configuration"
            )
        }
        try self.init(bytes: data, name: path)
    }

    /// Reads a file's bytes.
    ///
    /// - Throws: ``ConfigurationProblem`` `config_malformed`.
    init(bytes: Data, name: String) throws(ConfigurationProblem) {
        self.name = name
        do {
            guard let text = String(data: bytes, encoding: .utf8) else {
                throw Self.malformed(name, "it is not UTF-8")
            }
            guard let root = try Yams.compose(yaml: text), root.null == nil else {
                snapshot = nil
                return
            }
            guard case .mapping(let mapping) = root else { throw Self.malformed(name, "it has no sections") }
            var found = Keys(file: name)
            found.add(mapping, below: [])
            lines = found.lines
            problems = found.problems
            do {
                snapshot = try YAMLSnapshot(data: bytes.bytes, providerName: name, parsingOptions: .default)
            } catch {
                // Problems were found before or are reported now.
                guard !found.problems.isEmpty else { throw error }
                snapshot = nil
            }
        } catch let problem as ConfigurationProblem {
            throw problem
        } catch let error as YamlError {
            throw Self.malformed(name, error.place.map { "line \($0.line): \($0.problem)" } ?? "it is not YAML")
        } catch {
            throw Self.malformed(name, "a list contains a value that is neither a text nor a number")
        }
    }

    /// The file and the line of a setting.
    func location(of key: String) -> String {
        lines[key].map { "\(name):\($0)" } ?? name
    }

    private static func malformed(_ name: String, _ reason: String) -> ConfigurationProblem {
        ConfigurationProblem(
            code: .malformed,
            key: nil,
            location: name,
            message: "\(reason). perennial config defaults prints a file of the right form"
        )
    }

    /// Checks the keys of all sections.
    private struct Keys {
        private static let sections = Set(
            SettingKey.all.flatMap { key in
                key.components.indices.dropFirst().map { key.components[..<$0].joined(separator: ".") }
            }
        )

        let file: String
        var lines: [String: Int] = [:]
        var problems: [ConfigurationProblem] = []

        init(file: String) {
            self.file = file
        }

        mutating func add(_ mapping: Node.Mapping, below path: [String]) {
            for (keyNode, value) in mapping {
                let parts = path + [keyNode.scalar?.string ?? "?"]
                let name = parts.joined(separator: ".")
                if path.isEmpty, foreignSections.contains(name) { continue }
                let line = keyNode.mark?.line ?? 1
                lines[name] = line
                if let key = SettingKey.all.first(where: { $0.name == name }) {
                    if value.mapping != nil {
                        report(.valueInvalid, name, line, "is not a section; allowed: \(key.kind)")
                    }
                } else if !Self.sections.contains(name) {
                    report(.keyUnknown, name, line, SettingKey.suggestion(for: name, below: path))
                } else if let inner = value.mapping {
                    add(inner, below: parts)
                } else if value.null == nil {
                    report(.valueInvalid, name, line, "is a section: its settings must be below it, indented")
                }
            }
        }

        private mutating func report(
            _ code: ConfigurationProblem.Code,
            _ name: String,
            _ line: Int,
            _ message: String
        ) {
            problems.append(ConfigurationProblem(code: code, key: name, location: "\(file):\(line)", message: message))
        }
    }
}

extension YamlError {
    /// The line and the parser's message, without the surrounding lines, which may contain a secret; nil if the text is
    /// not YAML at all.
    var place: (line: Int, problem: String)? {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            (line: mark.line, problem: problem)
        case .duplicatedKeysInMapping(let keys, let context):
            (line: context.mark.line, problem: "\(keys.sorted().joined(separator: ", ")) occurs twice in this section")
        default: nil
        }
    }
}
