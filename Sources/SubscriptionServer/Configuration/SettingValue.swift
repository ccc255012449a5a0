import Foundation

/// The value of a setting.
package enum SettingValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int)
    /// A Boolean.
    case truth(Bool)
    /// Texts.
    case list([String])
}

/// A setting with its effective value.
package struct EffectiveSetting: Hashable, Sendable {
    /// The setting.
    package let key: SettingKey
    /// Its value, including secrets; show ``shown`` to people.
    package let value: SettingValue
    /// Where the value comes from: `--option`, an environment variable, a file and line, or `default`.
    package let origin: String

    /// The value to show to people, with secrets masked.
    package var shown: SettingValue {
        guard key.isSecret else { return value }
        if case .list(let texts) = value { return .list(texts.map { _ in "***" }) }
        guard case .text(let text) = value, !text.isEmpty else { return value }
        return .text(Self.masked(text))
    }

    /// Masks the password of a database address, and any other text completely.
    private static func masked(_ text: String) -> String {
        if text.hasPrefix("sqlite:") { return text }
        let schemes = ["postgres://", "postgresql://"]
        guard let scheme = schemes.first(where: text.hasPrefix) else { return "***" }
        let rest = text.dropFirst(scheme.count)
        let address = rest.prefix { $0 != "?" }
        // Parameters may contain a password, and a second @ may be part of one.
        let query = rest.count > address.count ? "?***" : ""
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return scheme + address + query
        case 2:
            let user = parts[0].prefix { $0 != ":" }
            let password = user.count < parts[0].count ? ":***" : ""
            return "\(scheme)\(user)\(password)@\(parts[1])\(query)"
        default: return "***"
        }
    }
}

extension EffectiveConfiguration {
    /// The database to show to people: the path of a file, or an address without its password.
    package var shownDatabase: String {
        let sqlite = "sqlite:"
        let shown = settings.first { $0.key == .databaseURL }?.shown.description ?? ""
        guard shown.hasPrefix(sqlite) else { return shown }
        return sqlite + URL(fileURLWithPath: String(shown.dropFirst(sqlite.count))).path
    }
}

extension SettingValue: CustomStringConvertible {
    /// The value in the form of the configuration file.
    package var description: String {
        switch self {
        case .text(let text): text.isEmpty ? "\"\"" : text
        case .integer(let number): "\(number)"
        case .truth(let truth): "\(truth)"
        case .list(let texts): "[\(texts.joined(separator: ", "))]"
        }
    }
}

extension EffectiveSetting: CustomStringConvertible {
    /// Key, shown value and origin.
    package var description: String { "\(key.name): \(shown)  # \(origin)" }
}
