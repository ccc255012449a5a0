import Testing

@testable import LocalAppStoreServer

/// The parts of the developer's URL that a delivery uses.
@Suite struct `Endpoints of deliveries` {
    struct Example: Sendable {
        let url: String
        let isSecure: Bool
        let host: String
        let port: Int
        let authority: String
        let target: String
    }

    @Test(arguments: [
        Example(
            url: "http://127.0.0.1:8080/v1/apple/notifications",
            isSecure: false,
            host: "127.0.0.1",
            port: 8080,
            authority: "127.0.0.1:8080",
            target: "/v1/apple/notifications"
        ),
        Example(
            url: "HTTPS://Example.com",
            isSecure: true,
            host: "Example.com",
            port: 443,
            authority: "Example.com",
            target: "/"
        ),
        Example(
            url: "http://[::1]:9/a?b=c#d",
            isSecure: false,
            host: "::1",
            port: 9,
            authority: "[::1]:9",
            target: "/a?b=c"
        ),
        Example(
            url: "http://user:secret@host?x=/y@z",
            isSecure: false,
            host: "host",
            port: 80,
            authority: "host",
            target: "/?x=/y@z"
        ),
    ])
    func `scheme, host, port and path come from the URL`(example: Example) throws {
        let endpoint = try #require(DeliveryEndpoint(example.url))
        #expect(endpoint.origin.isSecure == example.isSecure)
        #expect(endpoint.origin.host == example.host)
        #expect(endpoint.origin.port == example.port)
        #expect(endpoint.authority == example.authority)
        #expect(endpoint.target == example.target)
    }

    @Test(arguments: ["", "http://", "ftp://host/", "host/path", "http://host:65536/", "http://host:x/", "http://:80/"])
    func `a URL that cannot be called is refused`(url: String) {
        #expect(DeliveryEndpoint(url) == nil)
    }
}
