/// What a request needs of the URL that notifications go to.
struct DeliveryEndpoint: Hashable, Sendable {
    /// Whom a connection leads to.
    struct Origin: Hashable, Sendable {
        let isSecure: Bool
        /// A name or an address, without the brackets of the latter.
        let host: String
        let port: Int
    }

    let origin: Origin
    /// The URL's host and port as the `Host` header names them.
    let authority: String
    /// Path and query.
    let target: String

    /// Takes a URL apart; `nil` when it is none that can be called.
    init?(_ url: String) {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let isSecure = parts[0].lowercased() == "https"
        guard isSecure || parts[0].lowercased() == "http" else { return nil }
        let rest = parts[1].prefix { $0 != "#" }
        let named = rest.prefix { !"/?".contains($0) }
        let target = rest[named.endIndex...]
        // A user's name is no part of the host.
        let authority = named.split(separator: "@", omittingEmptySubsequences: false).last ?? named
        let host = authority.first == "[" ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        let portText = authority[host.endIndex...].drop { $0 == "]" }
        guard !host.isEmpty, let port = Self.port(portText, isSecure: isSecure) else { return nil }
        origin = Origin(isSecure: isSecure, host: String(host), port: port)
        self.authority = String(authority)
        self.target = target.first == "/" ? String(target) : "/\(target)"
    }

    /// The port that follows a host, or the scheme's own.
    private static func port(_ text: Substring, isSecure: Bool) -> Int? {
        guard !text.isEmpty, text != ":" else { return isSecure ? 443 : 80 }
        guard text.first == ":", let port = UInt16(text.dropFirst()) else { return nil }
        return Int(port)
    }
}
