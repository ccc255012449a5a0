import Foundation
import PerennialCommandSupport

/// The base URL of a server, without a trailing slash.
struct HTTPBaseURL: Hashable {
    /// The start of request URLs.
    let text: String

    /// Whether requests leave this machine unencrypted, including the bearer token.
    let isExposed: Bool

    /// Checks a base URL.
    ///
    /// - Parameters:
    ///   - text: The URL.
    ///   - setting: The name of the setting, for the message.
    /// - Throws: `base_url_invalid` unless it is http or https with a host, and without user, query or fragment.
    init(_ text: String, setting: String) throws(CredentialError) {
        guard
            let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else {
            // A password may precede an at sign.
            let shown = text.contains("@") ? "contains a user or password, or" : "(\(TerminalText.escaped(text)))"
            throw CredentialError(
                code: "base_url_invalid",
                message: "\(setting) \(shown) is not a server address: give http://host:port"
            )
        }
        // Host names may start with digits too; a loopback address contains only numbers.
        let isLoopbackNetwork = host.hasPrefix("127.") && host.allSatisfy { $0.isWholeNumber || $0 == "." }
        let isLoopback = isLoopbackNetwork || ["localhost", "::1", "[::1]"].contains(host.lowercased())
        isExposed = scheme == "http" && !isLoopback
        var text = text[...]
        while text.hasSuffix("/") { text.removeLast() }
        self.text = String(text)
    }
}
