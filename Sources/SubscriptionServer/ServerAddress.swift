/// Where the server listens, as URLs.
struct ServerAddress: Sendable {
    /// The address to listen on, as configured.
    let host: String
    /// The port in use.
    let port: Int

    /// The address for people.
    var url: String { "http://\(bracketed(host)):\(port)" }

    /// The address for a program on this machine: a wildcard is no place to call.
    var callbackURL: String {
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
