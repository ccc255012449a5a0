/// The address of a server as URLs.
package struct ServerAddress: Sendable {
    /// The address to listen on, as configured.
    private let host: String
    /// The port in use.
    private let port: Int

    /// Makes an address from the configured host and the port in use.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The address for people; an IPv6 address is in brackets.
    package var url: String { "http://\(bracketed(host)):\(port)" }

    /// The address for a program on this machine: a wildcard is replaced by loopback.
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
