import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import Testing

/// A client on a plain TCP connection. It records the received bytes and the end of the connection.
final class BareClient: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let state = Mutex((text: "", isClosed: false))

    var text: String { state.withLock { $0.text } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = String(buffer: unwrapInboundIn(data))
        state.withLock { $0.text += part }
    }

    func channelInactive(context: ChannelHandlerContext) { state.withLock { $0.isClosed = true } }

    /// Connects, and sends the text unless it is empty.
    static func send(_ text: String, to port: Int) async throws -> (client: BareClient, channel: any Channel) {
        let client = BareClient()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(client) }
            .connect(host: "127.0.0.1", port: port).get()
        // A server that closes early may do so before the whole text is written. The client sees the end then.
        if !text.isEmpty { try? await channel.writeAndFlush(ByteBuffer(string: text)) }
        return (client, channel)
    }

    /// Whether a port refuses connections.
    static func isRefused(by port: Int) async -> Bool {
        guard let (_, channel) = try? await send("", to: port) else { return true }
        try? await channel.close()
        return false
    }

    /// A complete notification request.
    static func notification(_ signedPayload: String) -> String {
        let body = #"{"signedPayload":"\#(signedPayload)"}"#
        return "POST /v1/apple/notifications HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body
    }
}

extension ServerFixture {
    /// Runs the server on a free port. The body may stop it.
    func withPort(
        _ body: @escaping @Sendable (_ port: Int, _ stop: @escaping @Sendable () async -> Void) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = application(logger: logger) { port.yield($0) }
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

    /// Waits for an effect of another task, thread or process, for at most three minutes.
    ///
    /// It is the only function of this target that waits in real time.
    static func until(_ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(180)
        while try await !condition() {
            try #require(ContinuousClock.now < deadline, "what the test waits for did not happen in three minutes")
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
