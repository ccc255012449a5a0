import Foundation
import PerennialCommandSupport

/// The address of a server, without a slash at its end.
struct HTTPBaseURL: Hashable {
    /// The address as requests begin with it.
    let text: String

    /// Whether requests leave this machine where anybody on their way can read them, bearer token and all.
    let isExposed: Bool

    /// Takes an address.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - setting: Where it stands, for the message.
    /// - Throws: `base_url_invalid` unless it is http or https with a host, and neither user, query nor fragment.
    init(_ text: String, setting: String) throws(CredentialError) {
        guard
            let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else {
            // Before an at sign there may be a password.
            let shown = text.contains("@") ? "has a user or password, or" : "(\(TerminalText.harmless(text)))"
            throw CredentialError(
                code: "base_url_invalid",
                message: "\(setting) \(shown) is no address of a server: give http://host:port"
            )
        }
        // Names may begin with digits too; an address of the loopback network has nothing else.
        let isLoopbackNetwork = host.hasPrefix("127.") && host.allSatisfy { $0.isWholeNumber || $0 == "." }
        let isLoopback = isLoopbackNetwork || ["localhost", "::1", "[::1]"].contains(host.lowercased())
        isExposed = scheme == "http" && !isLoopback
        var text = text[...]
        while text.hasSuffix("/") { text.removeLast() }
        self.text = String(text)
    }
}
