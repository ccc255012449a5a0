import NIOCore
import NIOPosix

/// Listens for a TLS client, stores its first message and disconnects.
struct ClientHelloListener {
    let port: Int
    private let channel: any Channel
    private let greeting: EventLoopPromise<ClientHello?>

    static func start() async throws -> ClientHelloListener {
        let greeting = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: ClientHello?.self)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(ClientHelloReader(greeting))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return ClientHelloListener(port: port, channel: channel, greeting: greeting)
    }

    /// The first message of the first client; `nil` if it was not a ClientHello.
    ///
    /// Call it after a client has connected: a listener without a client returns `nil`.
    func finish() async throws -> ClientHello? {
        try await channel.close().get()
        greeting.succeed(nil)
        return try await greeting.futureResult.get()
    }
}

/// The first message of a TLS client, RFC 8446, section 4.1.2.
struct ClientHello: Sendable {
    static let tls12: UInt16 = 0x0303
    static let tls13: UInt16 = 0x0304
    private static let supportedVersions: UInt16 = 43

    /// The TLS versions that the client supports, RFC 8446, section 4.2.1.
    var versions: [UInt16]

    /// Parses a handshake record; `nil` while bytes are missing, and for other data.
    init?(_ bytes: ByteBuffer) {
        var record = bytes
        guard record.readInteger(as: UInt8.self) == 22, record.readInteger(as: UInt16.self) != nil,
            var message = record.readLengthPrefixedSlice(as: UInt16.self),
            // The message type, the three bytes of its length, the legacy version, the random bytes.
            message.readInteger(as: UInt8.self) == 1, message.readSlice(length: 3 + 2 + 32) != nil,
            message.readLengthPrefixedSlice(as: UInt8.self) != nil,
            message.readLengthPrefixedSlice(as: UInt16.self) != nil,
            message.readLengthPrefixedSlice(as: UInt8.self) != nil,
            var extensions = message.readLengthPrefixedSlice(as: UInt16.self)
        else { return nil }
        while let type = extensions.readInteger(as: UInt16.self) {
            guard var content = extensions.readLengthPrefixedSlice(as: UInt16.self) else { return nil }
            guard type == Self.supportedVersions else { continue }
            guard var list = content.readLengthPrefixedSlice(as: UInt8.self) else { return nil }
            versions = []
            while let version = list.readInteger(as: UInt16.self) { versions.append(version) }
            return
        }
        return nil
    }
}

private final class ClientHelloReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let greeting: EventLoopPromise<ClientHello?>
    private var received = ByteBuffer()

    init(_ greeting: EventLoopPromise<ClientHello?>) { self.greeting = greeting }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.writeImmutableBuffer(unwrapInboundIn(data))
        guard let hello = ClientHello(received) else { return }
        greeting.succeed(hello)
        context.close(promise: nil)
    }
}
