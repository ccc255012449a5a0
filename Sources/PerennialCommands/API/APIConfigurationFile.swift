import Foundation
import PerennialCommandSupport
import SubscriptionServer

/// Settings in the section `api` of the configuration file: `key_file`, `key_id`, `issuer_id`, `bundle_id`,
/// `environment` and `base_url`.
///
/// Other sections belong to other programs and are ignored.
enum APIConfigurationFile {
    private static let keys = ["key_file", "key_id", "issuer_id", "bundle_id", "environment", "base_url"]

    /// The settings in a file; a relative `key_file` is resolved from its folder.
    ///
    /// - Throws: `config_unreadable`, `config_malformed`, and errors of values.
    static func settings(in file: InputFile) throws(CredentialError) -> APISettings {
        let bytes: [UInt8]
        do {
            bytes = try file.read()
        } catch {
            throw CredentialError(code: "config_unreadable", message: error.message)
        }
        return try settings(
            in: bytes,
            named: file.name,
            folder: URL(fileURLWithPath: file.path).deletingLastPathComponent()
        )
    }

    /// The settings in the content of a file.
    ///
    /// - Parameters:
    ///   - name: The name of the file in messages.
    ///   - folder: The folder of a relative `key_file`.
    /// - Throws: `config_malformed`, and errors of values.
    static func settings(in bytes: [UInt8], named name: String, folder: URL) throws(CredentialError) -> APISettings {
        let section: ConfigurationSection
        do {
            section = try ConfigurationSection("api", in: Data(bytes), name: name)
        } catch {
            throw malformed(name, error.message)
        }
        var values: [String: String] = [:]
        for (key, value) in section.values {
            let shownKey = TerminalText.escaped(key)
            guard keys.contains(key) else {
                throw malformed(name, "api.\(shownKey) is not a setting: use \(keys.joined(separator: ", "))")
            }
            guard let value, !value.isEmpty else { throw malformed(name, "api.\(shownKey) must be a text") }
            values[key] = value
        }
        return try settings(values, folder: folder)
    }

    private static func settings(_ values: [String: String], folder: URL) throws(CredentialError) -> APISettings {
        var settings = APISettings()
        settings.credentials = CredentialSettings(
            keyFile: values["key_file"].map { path in
                InputFile(path: path.hasPrefix("/") ? path : folder.appendingPathComponent(path).path)
            },
            keyId: values["key_id"],
            issuerId: values["issuer_id"],
            bundleId: values["bundle_id"]
        )
        if let text = values["environment"] {
            settings.environment = try APISettings.choice(text, setting: "api.environment")
        }
        if let text = values["base_url"] { settings.target = .server(try HTTPBaseURL(text, setting: "api.base_url")) }
        return settings
    }

    private static func malformed(_ name: String, _ what: String) -> CredentialError {
        CredentialError(code: "config_malformed", message: "\(name) cannot be used: \(what)")
    }
}
