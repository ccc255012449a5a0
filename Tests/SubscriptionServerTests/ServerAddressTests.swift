import SubscriptionServer
import Testing

/// The listening addresses of a server as URLs.
@Suite struct `The server's address` {
    @Test(arguments: [
        ("127.0.0.1", "http://127.0.0.1:8080"), ("localhost", "http://localhost:8080"), ("::1", "http://[::1]:8080"),
    ])
    func `is a URL with brackets around IPv6`(host: String, url: String) {
        let address = ServerAddress(host: host, port: 8080)
        #expect(address.url == url)
        #expect(address.callbackURL == url)
    }

    @Test(arguments: [("0.0.0.0", "http://127.0.0.1:8080"), ("::", "http://[::1]:8080")])
    func `is the loopback address for a wildcard`(host: String, url: String) {
        #expect(ServerAddress(host: host, port: 8080).callbackURL == url)
    }
}
