import Foundation
import NIOCore
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// A database whose writes wait from `block()` to `unblock()`.
private final class SlowDatabase: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let state = Mutex((isBlocked: false, writes: 0))

    var writes: Int { state.withLock { $0.writes } }

    func block() { state.withLock { $0.isBlocked = true } }

    func unblock() { state.withLock { $0.isBlocked = false } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        state.withLock { $0.writes += 1 }
        // A wait that takes too long is an issue of the test.
        try? await ServerFixture.until { state.withLock { !$0.isBlocked } }
        return try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// The server on a port, with slow, misbehaving and disconnected clients.
@Suite(.timeLimit(.minutes(5))) struct `A server on a port` {
    @Test func `closes the connection of a body that does not arrive in time`() async throws {
        let server = try await ServerFixture(limits: ServerLimits(bodyMillisecondsMax: 1_000))
        try await server.withPort { port, _ in
            let head = "POST /v1/apple/notifications HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"
            let (client, _) = try await BareClient.send(head, to: port)
            try await ServerFixture.until { client.isClosed }
            #expect(try await server.storedNotifications().isEmpty)
        }
    }

    @Test func `rejects a head that is too large and closes the connection`() async throws {
        let server = try await ServerFixture()
        try await server.withPort { port, _ in
            let field = String(repeating: "x", count: 40 << 10)
            let (client, _) = try await BareClient.send("GET /healthz HTTP/1.1\r\nA: \(field)\r\n\r\n", to: port)
            try await ServerFixture.until { client.isClosed }
            #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `frees the slot of a feed reader that disconnects`() async throws {
        let server = try await ServerFixture()
        try await server.withPort { port, _ in
            let request =
                "GET /v1/events?wait=30 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ServerFixture.secret)\r\n\r\n"
            let start = ContinuousClock.now
            let (_, channel) = try await BareClient.send(request, to: port)
            try await ServerFixture.until { server.waitingForEvents == 1 }
            try await channel.close()
            try await ServerFixture.until { server.waitingForEvents == 0 }
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }

    @Test func `answers accepted requests during a shutdown, and stores what it acknowledged`() async throws {
        let database = SlowDatabase()
        let server = try await ServerFixture(database: database)
        let payloads = try (0..<12).map { number in
            let id = "20000000000\(10_000 + number)"
            return try server.apple.notification(
                "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1\(10_000 + number)",
                transaction: SignedApple.period(id: id, original: id)
            )
        }
        let clients = Mutex<[BareClient]>([])
        try await server.withPort { port, stop in
            database.block()
            let before = database.writes
            for payload in payloads {
                let (client, _) = try await BareClient.send(BareClient.notification(payload), to: port)
                clients.withLock { $0.append(client) }
            }
            try await ServerFixture.until { database.writes > before && server.requestsInProgress == payloads.count }
            async let stopped: Void = stop()
            // The shutdown has started when new connections are refused.
            try await ServerFixture.until { await BareClient.isRefused(by: port) }
            #expect(clients.withLock { $0.allSatisfy { $0.text.isEmpty } })
            database.unblock()
            await stopped
            try await ServerFixture.until { clients.withLock { $0.allSatisfy { $0.isClosed } } }
        }
        #expect(clients.withLock { $0.allSatisfy { $0.text.hasPrefix("HTTP/1.1 200") } })
        #expect(try await server.storedNotifications().count == payloads.count)
        #expect(try await server.events().count >= payloads.count)
    }

    @Test func `answers notifications as fast with a thousand idle connections and slow bodies`() async throws {
        try Self.allowOpenFiles(4_000)
        // The server closes no connection, however slow the machine is.
        let limits = ServerLimits(
            bodyMillisecondsMax: 600_000,
            bodyBytesPerSecondMin: 0,
            idleMillisecondsMax: 600_000
        )
        let server = try await ServerFixture(limits: limits)
        let payloads = try (0..<300).map { number in
            let id = "20000000000\(10_000 + number)"
            return try server.apple.notification(
                "5b0f7a52-6d0c-4d0e-9f55-0c6f5c1\(10_000 + number)",
                transaction: SignedApple.period(id: id, original: id)
            )
        }
        try await server.withPort { port, _ in
            let before = try await Self.times(of: payloads.prefix(100), to: port)
            var channels: [any Channel] = []
            for _ in 0..<1_000 { channels.append(try await BareClient.send("", to: port).channel) }
            let key = "Authorization: Bearer \(ServerFixture.publishable)\r\n"
            for (path, length, fields) in [
                ("apple/notifications", 256 << 10, ""), ("transactions", 1 << 20, key), ("transactions", 6 << 20, key),
            ] {
                let head = "POST /v1/\(path) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(length)\r\n\r\n{"
                for _ in 0..<64 { channels.append(try await BareClient.send(head, to: port).channel) }
            }
            let times = try await Self.times(of: payloads.dropFirst(100), to: port)
            #expect(try await server.submit(try server.apple.sign(SignedApple.period()), customer: "u_1").status == 200)
            // On a busy machine some answers are slow without the connections too.
            let (slowBefore, slow) = (before[before.count * 99 / 100], times[times.count * 99 / 100])
            let isAsFast = slow <= .milliseconds(100) || slow <= slowBefore * 5 + .milliseconds(50)
            #expect(isAsFast, "99th percentile before: \(slowBefore), now: \(slow)")
            #expect(channels.allSatisfy { $0.isActive })
            for channel in channels { try await channel.close() }
        }
    }

    /// How long the answer to each notification takes, from the shortest time to the longest.
    private static func times(of payloads: ArraySlice<String>, to port: Int) async throws -> [Duration] {
        var times: [Duration] = []
        for payload in payloads {
            let request = BareClient.notification(payload)
            let start = ContinuousClock.now
            let (client, channel) = try await BareClient.send(request, to: port)
            try await ServerFixture.until { client.text.hasSuffix("}") }
            times.append(ContinuousClock.now - start)
            #expect(client.text.hasPrefix("HTTP/1.1 200"))
            try await channel.close()
        }
        return times.sorted()
    }

    /// Raises the limit of open files of the process, if allowed.
    private static func allowOpenFiles(_ count: UInt) throws {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(count)))
        try #require(setrlimit(resource, &limit) == 0 && limit.rlim_cur >= count, "too few files may be open")
    }
}
