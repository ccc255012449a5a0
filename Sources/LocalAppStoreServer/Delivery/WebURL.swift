/// The URL of a server that the store calls: the developer's server, or a follower.
///
/// Only `http` and `https` with a host. A local tool calls the servers that its user names, but only web servers.
struct WebURL: Hashable, Sendable {
    /// The original URL with its scheme in lower case.
    let text: String

    /// Checks a URL.
    ///
    /// - Parameter path: The path of the body member, for the error.
    /// - Throws: `url_invalid`.
    init(_ text: String, path: String) throws(StoreCallError) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let rest = text.dropFirst(scheme.count)
        let host = rest.dropFirst(3).prefix { !"/?#".contains($0) }
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard ["http", "https"].contains(scheme), rest.hasPrefix("://"), !host.isEmpty, isPrintable else {
            throw .unprocessable(
                "url_invalid",
                "\(path) must be an absolute http or https URL, such as http://127.0.0.1:8080/v1/apple/notifications",
                path: path
            )
        }
        self.text = scheme + rest
    }
}
