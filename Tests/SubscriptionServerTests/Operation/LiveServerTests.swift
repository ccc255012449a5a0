import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import SubscriptionCore
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// What a client sees on a bare connection: bytes as they come, and the end.
private final class BareClient: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let state = Mutex((text: "", isClosed: false))

    var text: String { state.withLock { $0.text } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = String(buffer: unwrapInboundIn(data))
        state.withLock { $0.text += part }
    }

    func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.isClosed = true } }

    /// Connects and sends a text.
    static func send(_ text: String, to port: Int) async throws -> (client: BareClient, channel: any Channel) {
        let client = BareClient()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(client) }
            .connect(host: "127.0.0.1", port: port).get()
        try await channel.writeAndFlush(ByteBuffer(string: text))
        return (client, channel)
    }
}

/// An engine whose writes wait until they are let through.
private final class SlowDatabase: SubscriptionDatabase {
    private let base = InMemoryDatabase()
    private let state = Mutex((isHeld: false, writes: 0))

    var writes: Int { state.withLock { $0.writes } }

    func hold() { state.withLock { $0.isHeld = true } }

    func letGo() { state.withLock { $0.isHeld = false } }

    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        try await base.read(body)
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result {
        state.withLock { $0.writes += 1 }
        while state.withLock({ $0.isHeld }) { await Task.yield() }
        return try await base.write(body)
    }

    func close() async throws(StorageError) { try await base.close() }
}

/// The server on a port, with clients that are slow, rude or gone.
@Suite(.timeLimit(.minutes(2))) struct `A server on a port` {
    /// Runs a fixture's server; the body may stop it itself.
    private func withPort(
        _ server: ServerFixture,
        _ body: @escaping @Sendable (_ port: Int, _ stop: @escaping @Sendable () async -> Void) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = server.application(logger: logger) { port.yield($0) }
        let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await port in ports {
                do {
                    try await body(port) { await group.triggerGracefulShutdown() }
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private static func until(_ condition: () throws -> Bool) async throws {
        while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func `a body that does not arrive in time ends with its connection`() async throws {
        let server = try await ServerFixture(limits: ServerLimits(bodyMillisecondsMax: 1_000))
        try await withPort(server) { port, _ in
            let head = "POST /v1/apple/notifications HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"
            let (client, _) = try await BareClient.send(head, to: port)
            try await Self.until { client.isClosed }
            #expect(try await server.heldNotifications().isEmpty)
        }
    }

    @Test func `a head that is too large is refused, and the connection ends`() async throws {
        let server = try await ServerFixture()
        try await withPort(server) { port, _ in
            let field = String(repeating: "x", count: 40 << 10)
            let (client, _) = try await BareClient.send("GET /healthz HTTP/1.1\r\nA: \(field)\r\n\r\n", to: port)
            try await Self.until { client.isClosed }
            #expect(client.text.isEmpty || client.text.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test func `a reader of the feed who hangs up gives the place back at once`() async throws {
        let server = try await ServerFixture()
        try await withPort(server) { port, _ in
            let request =
                "GET /v1/events?wait=30 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ServerFixture.secret)\r\n\r\n"
            let start = ContinuousClock.now
            let (_, channel) = try await BareClient.send(request, to: port)
            try await Self.until { server.waitingForEvents == 1 }
            try await channel.close()
            try await Self.until { server.waitingForEvents == 0 }
            #expect(ContinuousClock.now - start < .seconds(20))
        }
    }

    @Test func `a shutdown answers what was accepted, and what is held was told`() async throws {
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
        try await withPort(server) { port, stop in
            database.hold()
            let before = database.writes
            for payload in payloads {
                let body = #"{"signedPayload":"\#(payload)"}"#
                let length = "Content-Length: \(body.utf8.count)"
                let head = "POST /v1/apple/notifications HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n"
                let (client, _) = try await BareClient.send(head + body, to: port)
                clients.withLock { $0.append(client) }
            }
            try await Self.until { database.writes > before && server.requestsInProgress == payloads.count }
            async let stopped: Void = stop()
            try await Task.sleep(for: .milliseconds(50))
            #expect(clients.withLock { $0.allSatisfy { $0.text.isEmpty } })
            database.letGo()
            await stopped
            try await Self.until { clients.withLock { $0.allSatisfy { $0.isClosed } } }
        }
        #expect(clients.withLock { $0.allSatisfy { $0.text.hasPrefix("HTTP/1.1 200") } })
        #expect(try await server.heldNotifications().count == payloads.count)
        #expect(try await server.events().count >= payloads.count)
    }
}
