/// Where a server listens, as URLs.
package struct ServerAddress: Sendable {
    /// The address to listen on, as configured.
    private let host: String
    /// The port in use.
    private let port: Int

    /// Makes an address of what was configured and the port that is in use.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The address for people; one of IPv6 is in brackets.
    package var url: String { "http://\(bracketed(host)):\(port)" }

    /// The address for a program on this machine: a wildcard is no place to call.
    package var callbackURL: String {
        switch host {
        case "0.0.0.0": "http://127.0.0.1:\(port)"
        case "::": "http://[::1]:\(port)"
        default: url
        }
    }

    private func bracketed(_ host: String) -> String {
        host.contains(":") ? "[\(host)]" : host
    }
}
