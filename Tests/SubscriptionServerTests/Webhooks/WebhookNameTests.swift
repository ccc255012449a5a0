import Foundation
import Logging
import ServiceLifecycle
import SubscriptionOperations
import Synchronization
import Testing

@testable import SubscriptionServer

/// Look-ups of names that are slow, or never end.
@Suite struct `Names of webhook receivers` {
    /// A domain name system whose answers for some hosts are held back.
    private final class Names: Sendable {
        private let condition = NSCondition()
        private let state = Mutex((isReleased: false, asked: [String]()))

        var asked: [String] { state.withLock { $0.asked } }

        func lookUp(_ host: String) -> [NetworkAddress] {
            state.withLock { $0.asked.append(host) }
            if host.hasPrefix("slow") {
                condition.lock()
                while !state.withLock({ $0.isReleased }) { condition.wait() }
                condition.unlock()
            }
            return NetworkAddress("8.8.8.8").map { [$0] } ?? []
        }

        func release() {
            condition.lock()
            state.withLock { $0.isReleased = true }
            condition.broadcast()
            condition.unlock()
        }
    }

    @Test func `are looked up once for all that ask at the same time`() async throws {
        let names = Names()
        let resolver = SystemNameResolver(by: names.lookUp)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await resolver.addresses(of: "slow.example").count } }
            try await ServerFixture.until { resolver.waitingCount(of: "slow.example") == 20 }
            names.release()
            for try await count in group { #expect(count == 1) }
        }
        #expect(names.asked == ["slow.example"])
    }

    @Test func `that hang hold up neither their callers nor other hosts`() async throws {
        let names = Names()
        defer { names.release() }
        let resolver = SystemNameResolver(by: names.lookUp)
        _ = try await resolver.addresses(of: "known.example")
        let callers = (0..<SystemNameResolver.threadsForNewHosts + 10).map { number in
            Task { try await resolver.addresses(of: "slow\(number).example") }
        }
        try await ServerFixture.until { names.asked.count == 1 + SystemNameResolver.threadsForNewHosts }
        // A host that was found before is found again.
        #expect(try await resolver.addresses(of: "known.example").count == 1)
        for caller in callers {
            caller.cancel()
            let error = await #expect(throws: WebhookSendError.self) { try await caller.value }
            #expect(error?.code == "interrupted")
        }
        // Those that had no thread were dropped with their callers, and a new host goes on once a thread is free.
        names.release()
        #expect(try await resolver.addresses(of: "new.example").count == 1)
        #expect(names.asked.count == 3 + SystemNameResolver.threadsForNewHosts)
    }

    /// Answers the first look-up, and never the later ones.
    private final class OnceAnsweredNames: NameResolver {
        private let first: String
        let asked = Mutex(0)

        init(_ first: String) { self.first = first }

        func addresses(of host: String) async throws(WebhookSendError) -> [NetworkAddress] {
            let isFirst = asked.withLock { asked in
                asked += 1
                return asked == 1
            }
            if isFirst, let address = NetworkAddress(first) { return [address] }
            try? await Task.sleep(for: .seconds(86_400))
            throw WebhookSendError("interrupted", "Cancelled.")
        }
    }

    @Test func `keep the address that was checked last while the look-up is slow`() async throws {
        let server = try await ServerFixture()
        let names = OnceAnsweredNames("127.0.0.1")
        let client = WebhookHTTPClient(allowsPrivateAddresses: true, resolver: names, addressLifetime: .zero)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = server.application(logger: .init(label: "test"), onPort: { port.yield($0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            for await port in ports {
                let request = WebhookRequest(url: "http://receiver.invalid:\(port)/healthz", headers: [], body: [])
                var start = ContinuousClock.now
                for number in 0..<3 {
                    if number == 1 { start = .now }
                    let answer = try await client.send(request, timeout: .seconds(60))
                    #expect(answer.status == 405)
                }
                // The second look-up was slow, and the third one waits for five seconds.
                let (asked, passed) = (names.asked.withLock(\.self), ContinuousClock.now - start)
                #expect(asked == 2 || passed >= .seconds(5))
                break
            }
            group.cancelAll()
        }
        await client.shutdown()
    }

    /// Gives its answers in turn, and the last one from then on.
    private final class ChangingNames: NameResolver {
        private let answers: Mutex<[[String]]>

        init(_ answers: [[String]]) { self.answers = Mutex(answers) }

        func addresses(of host: String) async throws(WebhookSendError) -> [NetworkAddress] {
            let texts = answers.withLock { answers in
                answers.count > 1 ? answers.removeFirst() : answers.first ?? []
            }
            return texts.compactMap { NetworkAddress($0) }
        }
    }

    @Test(arguments: ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fd00::1"])
    func `that become private between the check and the request are not called`(address: String) async throws {
        let names = ChangingNames([["8.8.8.8"], [address]])
        let client = WebhookHTTPClient(allowsPrivateAddresses: false, resolver: names, addressLifetime: .zero)
        try await client.check("https://example.com/")
        let request = WebhookRequest(url: "https://example.com/", headers: [], body: [])
        let error = await #expect(throws: WebhookSendError.self) {
            try await client.send(request, timeout: .seconds(60))
        }
        #expect(error?.code == "address_refused")
        await client.shutdown()
    }

    @Test(arguments: [["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["2606:4700::1111", "8.8.8.8", "fe80::1"]])
    func `with one private address among public ones are refused`(addresses: [String]) async throws {
        let client = WebhookHTTPClient(allowsPrivateAddresses: false, resolver: ChangingNames([addresses]))
        let error = await #expect(throws: WebhookSendError.self) { try await client.check("https://example.com/") }
        #expect(error?.code == "address_refused")
        await client.shutdown()
    }

    /// A host with an escape is another one for the system than for the reader of the address.
    @Test(arguments: [
        "https://8.8.8.8%00.localhost/", "https://%38.8.8.8/", "https://127.0.0.1%00.example.com/",
        "http://127.0.0.%32/", "https://[fe80::1%25eth0]/",
    ])
    func `with an escape are refused`(url: String) {
        let error = #expect(throws: WebhookSendError.self) { try WebhookURL(url) }
        #expect(error?.code == "url_invalid")
    }

    @Test func `that were never checked are not called`() async throws {
        let client = WebhookHTTPClient(allowsPrivateAddresses: false, resolver: OnceAnsweredNames("unreadable"))
        let error = await #expect(throws: WebhookSendError.self) { try await client.check("https://example.com/") }
        #expect(error?.code == "timed_out")
        #expect(error?.message.contains("looked up") == true)
        await client.shutdown()
    }
}
