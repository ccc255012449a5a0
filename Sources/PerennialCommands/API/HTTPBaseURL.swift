import Foundation

/// The address of a server, without a slash at its end.
struct HTTPBaseURL: Hashable {
    /// The address as requests begin with it.
    let text: String

    /// Takes an address.
    ///
    /// - Throws: `base_url_invalid` unless it is http or https with a host, and neither user, query nor fragment.
    init(_ text: String) throws(CredentialError) {
        guard
            let parts = URLComponents(string: text),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else {
            throw CredentialError(
                code: "base_url_invalid",
                message: "\(TerminalText.harmless(text)) is no address of a server: give http://host:port"
            )
        }
        var text = text[...]
        while text.hasSuffix("/") { text.removeLast() }
        self.text = String(text)
    }
}
