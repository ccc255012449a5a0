/// A problem in a configuration: its location, and what is allowed.
package struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The stable reasons.
    package enum Code: String, Sendable {
        /// The file cannot be read.
        case unreadable = "config_unreadable"
        /// The file is not YAML with sections and values.
        case malformed = "config_malformed"
        /// There is no such setting.
        case keyUnknown = "config_key_unknown"
        /// The value is not allowed for the setting.
        case valueInvalid = "config_value_invalid"
    }

    /// The stable reason.
    package let code: Code
    /// The setting, or the unknown name; nil for the whole file.
    package let key: String?
    /// The location: a file and line, an environment variable, or an option.
    package let location: String
    /// What is wrong and what is allowed. A secret value is not repeated.
    package let message: String

    /// Code, key, location and message.
    package var description: String {
        "\(code.rawValue): \(key.map { "\($0) (\(location))" } ?? location): \(message)"
    }
}
