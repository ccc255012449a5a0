/// A URL of a developer that the store calls.
struct OutgoingURL {
    /// In lower case, without `://`.
    let scheme: String
    /// In lower case, without brackets and port.
    let host: String

    /// Parses a URL; `nil` unless it is `http` or `https` with a host and without a user.
    init?(_ url: String) {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        scheme = url.prefix { $0 != ":" }.lowercased()
        let rest = url.dropFirst(scheme.count)
        guard ["http", "https"].contains(scheme), rest.hasPrefix("://") else { return nil }
        let authority = rest.dropFirst(3).prefix { !"/?#".contains($0) }
        let name =
            authority.hasPrefix("[") ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        guard !name.isEmpty, !authority.contains("@") else { return nil }
        host = name.lowercased()
    }

    var isEncrypted: Bool { scheme == "https" }

    /// Whether it refers to this machine.
    var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let isIPv4 = host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return isIPv4 && host.hasPrefix("127.")
    }

    /// Whether it refers to this machine, or has a name without a dot, which exists in a local network only.
    var isNear: Bool { isLoopback || !host.contains { ".:".contains($0) } }
}
