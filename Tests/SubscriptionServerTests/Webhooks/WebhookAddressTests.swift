import Logging
import ServiceLifecycle
import SubscriptionOperations
import Synchronization
import Testing

@testable import SubscriptionServer

/// Which addresses webhooks go to.
@Suite struct `Addresses of webhooks` {
    /// Answers each look-up with the next list of addresses.
    private final class ScriptedNames: NameResolver {
        private let answers: Mutex<[[String]]>
        let asked = Mutex<[String]>([])

        init(_ answers: [[String]]) { self.answers = Mutex(answers) }

        func addresses(of host: String) async throws(WebhookSendError) -> [NetworkAddress] {
            asked.withLock { $0.append(host) }
            let next = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? [] }
            return next.compactMap(NetworkAddress.init)
        }
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "192.167.0.1", "198.20.0.1", "223.255.255.255",
        "2001:4860:4860::8888", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ]) func `may be public`(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1",
        "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
        "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1",
        "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001::1",
        "2001:db8::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "ff02::1", "100::1", "5f00::1",
    ]) func `may not be private, special or reserved`(text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test func `are refused if one address of a name is private`() async throws {
        let names = ScriptedNames([["8.8.8.8", "10.0.0.1"]])
        let client = WebhookHTTPClient(allowsPrivateAddresses: false, resolver: names)
        await #expect(throws: WebhookSendError.self) { try await client.check("https://example.com/") }
        await client.shutdown()
    }

    @Test func `may be plain HTTP only if they are private, and private ones are allowed`() async throws {
        let client = WebhookHTTPClient(allowsPrivateAddresses: true, resolver: ScriptedNames([["8.8.8.8"]]))
        await #expect(throws: WebhookSendError.self) { try await client.check("http://example.com/") }
        try await client.check("https://example.com/")
        try await client.check("http://127.0.0.1:9/")
        await client.shutdown()
    }

    /// The system knows no such name, so a request that arrives went to the checked address. A capital letter in the
    /// name must not lead to another look-up.
    @Test(arguments: ["receiver.invalid", "Receiver.INVALID"]) func `are those that were checked`(
        host: String
    ) async throws {
        let server = try await ServerFixture()
        let names = ScriptedNames([["127.0.0.1"]])
        let client = WebhookHTTPClient(allowsPrivateAddresses: true, resolver: names)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = server.application(logger: .init(label: "test"), onPort: { port.yield($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                let request = WebhookRequest(url: "http://\(host):\(port)/healthz", headers: [], body: [])
                let answer = try await client.send(request, timeout: .seconds(5))
                #expect(answer.status == 405)
                break
            }
            group.cancelAll()
        }
        #expect(names.asked.withLock(\.self) == ["receiver.invalid"])
        await client.shutdown()
    }

    /// The name leads to a private address at the second look-up: it is refused, and nothing is sent.
    @Test func `are checked again when the name is looked up again`() async throws {
        let names = ScriptedNames([["8.8.8.8"], ["127.0.0.1"]])
        let client = WebhookHTTPClient(allowsPrivateAddresses: false, resolver: names)
        try await client.check("https://example.com/")
        let request = WebhookRequest(url: "https://example.com/", headers: [], body: [])
        let error = await #expect(throws: WebhookSendError.self) {
            try await client.send(request, timeout: .seconds(5))
        }
        #expect(error?.code == "address_refused")
        await client.shutdown()
    }
}
