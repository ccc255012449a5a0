import Configuration
import Foundation

/// The configuration of `perennial serve`: the command line overrides the environment, the file and the defaults.
package struct EffectiveConfiguration: Sendable {
    /// The file that is read by default if it exists.
    package static let usualFile = "perennial.yaml"
    /// The environment variable with the path of the file.
    package static let fileVariable = "PERENNIAL_CONFIG"
    /// The file of defaults, as text.
    package static var defaults: String { String(decoding: PackageResources.defaults_yaml, as: UTF8.self) }

    /// Every setting with its value and origin. An invalid value is replaced by the one of the next source.
    package private(set) var settings: [EffectiveSetting] = []
    /// All problems.
    package private(set) var problems: [ConfigurationProblem] = []
    /// Possible mistakes that are not errors.
    package private(set) var warnings: [String] = []
    /// The configuration of the server; use it only if there are no problems.
    package private(set) var server = ServerConfiguration()
    /// The settings of the log.
    package private(set) var log = LogSettings()
    /// The file that was read; nil if there is none.
    package private(set) var file: String?

    /// Reads all sources.
    ///
    /// - Parameters:
    ///   - commandLine: The values of the options.
    ///   - environment: The environment variables; only those of this program are used.
    ///   - file: The file from the command line.
    package init(commandLine: [SettingKey: SettingValue], environment: [String: String], file: String?) {
        var sources = [Source(commandLine: commandLine), Source(environment: environment)]
        let named = file ?? environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        do throws(ConfigurationProblem) {
            if let path = named ?? (FileManager.default.fileExists(atPath: Self.usualFile) ? Self.usualFile : nil) {
                let file = try ConfigurationFile(path: path)
                self.file = path
                problems += file.problems
                sources.append(Source(file: file, location: file.location))
            }
        } catch {
            problems.append(error)
        }
        do throws(ConfigurationProblem) {
            let bytes = Data(PackageResources.defaults_yaml)
            sources.append(Source(file: try ConfigurationFile(bytes: bytes, name: "defaults")) { _ in "default" })
        } catch {
            problems.append(error)
        }
        for key in SettingKey.all { resolve(key, in: sources) }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) { warn(about: name, value) }
        var reading = ServerSettings(settings)
        server = reading.server()
        log = reading.log()
        problems += reading.problems
        warnings += reading.warnings
    }

    /// Uses the value of the first source and also checks the others, so that mistakes in them are reported too.
    private mutating func resolve(_ key: SettingKey, in sources: [Source]) {
        var isFound = false
        for source in sources {
            switch source.value(of: key) {
            case .none: continue
            case .success(let value)?:
                if !isFound {
                    settings.append(EffectiveSetting(key: key, value: value, origin: source.location(key.name)))
                }
                isFound = true
            case .failure(let problem)?: problems.append(problem)
            }
        }
    }

    /// Kubernetes sets variables such as PERENNIAL_PORT=tcp://… for a service named perennial; they are ignored.
    private mutating func warn(about name: String, _ value: String) {
        guard name != Self.fileVariable, !value.hasPrefix("tcp://"), !name.hasPrefix("PERENNIAL_API_") else { return }
        guard !SettingKey.all.contains(where: { $0.variable == name }) else { return }
        guard let meant = SettingKey.variableMeant(by: name) else { return }
        warnings.append("\(name) sets nothing. Did you mean \(meant)?")
    }
}

/// A source of values.
private struct Source {
    private let snapshot: (any ConfigSnapshot)?
    let location: (String) -> String

    init(commandLine values: [SettingKey: SettingValue]) {
        let pairs = values.map { key, value in
            (AbsoluteConfigKey(key.components), ConfigValue(value.content, isSecret: key.isSecret))
        }
        snapshot = InMemoryProvider(name: "command line", values: Dictionary(uniqueKeysWithValues: pairs)).snapshot()
        let options = Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.name, $0.option) })
        location = { name in (options[name] ?? nil) ?? "command line" }
    }

    init(environment: [String: String]) {
        let own = environment.filter { $0.key.hasPrefix("PERENNIAL_") }
        snapshot = EnvironmentVariablesProvider(environmentVariables: own).prefixKeys(with: "perennial").snapshot()
        let variables = Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.name, $0.variable) })
        location = { name in variables[name] ?? name }
    }

    init(file: ConfigurationFile, location: @escaping (String) -> String) {
        snapshot = file.snapshot
        self.location = location
    }

    /// The value, its problem, or nil if the source does not set it.
    func value(of key: SettingKey) -> Result<SettingValue, ConfigurationProblem>? {
        guard let snapshot else { return nil }
        do {
            let found = try snapshot.value(forKey: AbsoluteConfigKey(key.components), type: key.kind.type)
            guard let content = found.value?.content else { return nil }
            guard let value = key.kind.value(of: content) else { return .failure(problem(key, in: snapshot)) }
            return .success(value)
        } catch {
            return .failure(problem(key, in: snapshot))
        }
    }

    private func problem(_ key: SettingKey, in snapshot: any ConfigSnapshot) -> ConfigurationProblem {
        var given = "the value"
        if !key.isSecret, let text = try? snapshot.value(forKey: AbsoluteConfigKey(key.components), type: .string),
            case .string(let shown)? = text.value?.content
        {
            given = "\"\(shown)\""
        }
        return ConfigurationProblem(
            code: .valueInvalid,
            key: key.name,
            location: location(key.name),
            message: "\(given) is not allowed. Allowed: \(key.kind)"
        )
    }
}

extension SettingValue {
    fileprivate var content: ConfigContent {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .int(number)
        case .truth(let truth): .bool(truth)
        case .list(let texts): .stringArray(texts)
        }
    }
}

extension SettingKey.Kind {
    fileprivate var type: ConfigType {
        switch self {
        case .text, .choice: .string
        case .integer: .int
        case .truth: .bool
        case .list: .stringArray
        }
    }

    fileprivate func value(of content: ConfigContent) -> SettingValue? {
        switch (self, content) {
        case (.text, .string(let text)): text.utf8.contains(0) ? nil : .text(text)
        case (.choice(let values), .string(let text)): values.contains(text) ? .text(text) : nil
        case (.integer(let range), .int(let number)): range.contains(number) ? .integer(number) : nil
        case (.truth, .bool(let truth)): .truth(truth)
        case (.list, .stringArray(let texts)): .list(texts.filter { !$0.isEmpty })
        default: nil
        }
    }
}
