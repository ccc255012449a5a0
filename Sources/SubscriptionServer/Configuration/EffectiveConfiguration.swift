import Configuration
import Foundation

/// What `perennial serve` is started with: the command line over the environment over the file over the defaults.
package struct EffectiveConfiguration: Sendable {
    /// The file that is read where none is named, if it is there.
    package static let usualFile = "perennial.yaml"
    /// The variable that names the file.
    package static let fileVariable = "PERENNIAL_CONFIG"
    /// The file of defaults, as text.
    package static var defaults: String { String(decoding: PackageResources.defaults_yaml, as: UTF8.self) }

    /// Every setting with its value and where that comes from; of a wrong one the value below it.
    package private(set) var settings: [EffectiveSetting] = []
    /// Everything that is wrong, at once.
    package private(set) var problems: [ConfigurationProblem] = []
    /// What looks like a mistake and is none.
    package private(set) var warnings: [String] = []
    /// The configuration for the server; use it only where there are no problems.
    package private(set) var server = ServerConfiguration()
    /// How the log is written.
    package private(set) var log = LogSettings()
    /// The file that was read; nil where there is none.
    package private(set) var file: String?

    /// Reads all sources.
    ///
    /// - Parameters:
    ///   - commandLine: What the options say.
    ///   - environment: The environment's variables; only ours are looked at.
    ///   - file: The file that the command line names.
    package init(commandLine: [SettingKey: SettingValue], environment: [String: String], file: String?) {
        var sources = [Source(commandLine: commandLine), Source(environment: environment)]
        let named = file ?? environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        do throws(ConfigurationProblem) {
            if let path = named ?? (FileManager.default.fileExists(atPath: Self.usualFile) ? Self.usualFile : nil) {
                let file = try ConfigurationFile(path: path)
                self.file = path
                problems += file.problems
                sources.append(Source(file: file, place: file.place))
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

    /// Takes the first source's value, and looks at those of the others as well: a mistake is told before it matters.
    private mutating func resolve(_ key: SettingKey, in sources: [Source]) {
        var isFound = false
        for source in sources {
            switch source.value(of: key) {
            case .none: continue
            case .success(let value)?:
                if !isFound {
                    settings.append(EffectiveSetting(key: key, value: value, origin: source.place(key.name)))
                }
                isFound = true
            case .failure(let problem)?: problems.append(problem)
            }
        }
    }

    /// Kubernetes sets variables such as PERENNIAL_PORT=tcp://… for a service named perennial: those mean nothing here.
    private mutating func warn(about name: String, _ value: String) {
        guard name != Self.fileVariable, !value.hasPrefix("tcp://"), !name.hasPrefix("PERENNIAL_API_") else { return }
        guard !SettingKey.all.contains(where: { $0.variable == name }) else { return }
        guard let meant = SettingKey.variableMeant(by: name) else { return }
        warnings.append("\(name) sets nothing. Did you mean \(meant)?")
    }
}

/// Where values come from.
private struct Source {
    private let snapshot: (any ConfigSnapshot)?
    let place: (String) -> String

    init(commandLine values: [SettingKey: SettingValue]) {
        let pairs = values.map { key, value in
            (AbsoluteConfigKey(key.components), ConfigValue(value.content, isSecret: key.isSecret))
        }
        snapshot = InMemoryProvider(name: "command line", values: Dictionary(uniqueKeysWithValues: pairs)).snapshot()
        let options = Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.name, $0.option) })
        place = { name in (options[name] ?? nil) ?? "command line" }
    }

    init(environment: [String: String]) {
        let own = environment.filter { $0.key.hasPrefix("PERENNIAL_") }
        snapshot = EnvironmentVariablesProvider(environmentVariables: own).prefixKeys(with: "perennial").snapshot()
        let variables = Dictionary(uniqueKeysWithValues: SettingKey.all.map { ($0.name, $0.variable) })
        place = { name in variables[name] ?? name }
    }

    init(file: ConfigurationFile, place: @escaping (String) -> String) {
        snapshot = file.snapshot
        self.place = place
    }

    /// The value, what is wrong with it, or nil where the source says nothing.
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
            place: place(key.name),
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
        case (.choice(let words), .string(let text)): words.contains(text) ? .text(text) : nil
        case (.integer(let range), .int(let number)): range.contains(number) ? .integer(number) : nil
        case (.truth, .bool(let truth)): .truth(truth)
        case (.list, .stringArray(let texts)): .list(texts.filter { !$0.isEmpty })
        default: nil
        }
    }
}
