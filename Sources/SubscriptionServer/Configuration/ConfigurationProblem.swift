/// What is wrong with a configuration: where, and what would be right.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable reasons.
    package enum Code: String, Sendable {
        /// The file cannot be read.
        case unreadable = "config_unreadable"
        /// The file is no YAML of sections and values.
        case malformed = "config_malformed"
        /// There is no such setting.
        case keyUnknown = "config_key_unknown"
        /// A value is not what the setting may be.
        case valueInvalid = "config_value_invalid"
    }

    /// The stable reason.
    package let code: Code
    /// The setting, or what was taken for one; nil where it is the whole file.
    package let key: String?
    /// Where it stands: a file and line, an environment variable, or an option.
    package let place: String
    /// What is wrong and what would be right. A secret value is not repeated.
    package let message: String

    /// Code, key, place and message.
    package var description: String {
        "\(code.rawValue): \(key.map { "\($0) (\(place))" } ?? place): \(message)"
    }
}
