/// The parts of the notification URL that a request needs.
struct DeliveryEndpoint: Hashable, Sendable {
    /// The remote side of a connection.
    struct Origin: Hashable, Sendable {
        let isSecure: Bool
        /// A name or an address; an IPv6 address has no brackets.
        let host: String
        let port: Int
    }

    let origin: Origin
    /// The URL's host and port, in the form of the `Host` header.
    let authority: String
    /// Path and query.
    let target: String

    /// Parses a URL; `nil` if it cannot be called.
    init?(_ url: String) {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let isSecure = parts[0].lowercased() == "https"
        guard isSecure || parts[0].lowercased() == "http" else { return nil }
        let rest = parts[1].prefix { $0 != "#" }
        let named = rest.prefix { !"/?".contains($0) }
        let target = rest[named.endIndex...]
        // The user name is not part of the host.
        let authority = named.split(separator: "@", omittingEmptySubsequences: false).last ?? named
        let host = authority.first == "[" ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        let portText = authority[host.endIndex...].drop { $0 == "]" }
        guard !host.isEmpty, let port = Self.port(portText, isSecure: isSecure) else { return nil }
        origin = Origin(isSecure: isSecure, host: String(host), port: port)
        self.authority = String(authority)
        self.target = target.first == "/" ? String(target) : "/\(target)"
    }

    /// The port after the host, or the default port of the scheme.
    private static func port(_ text: Substring, isSecure: Bool) -> Int? {
        guard !text.isEmpty, text != ":" else { return isSecure ? 443 : 80 }
        guard text.first == ":", let port = UInt16(text.dropFirst()) else { return nil }
        return Int(port)
    }
}
