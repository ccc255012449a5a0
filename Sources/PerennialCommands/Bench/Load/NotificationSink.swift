import NIOCore
import NIOPosix

/// A receiver of notifications that does nothing but answer 200, as fast as it can.
enum NotificationSink {
    /// Runs the receiver and gives its URL.
    static func use<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AnswerOK())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        do {
            let result = try await body("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }
}

/// Answers each request with 200 and an empty body.
///
/// Of a request it reads how long the body is, and then counts bytes: what a receiver costs is not what is measured.
private final class AnswerOK: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let headEnd = Array("\r\n\r\n".utf8)

    private let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    /// What has come of a head that is not whole.
    private var head: [UInt8] = []
    /// The bytes of a body that are still to come.
    private var missing = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0 {
            if missing == 0 { readHead(from: &buffer) }
            guard missing > 0 else { continue }
            let count = min(missing, buffer.readableBytes)
            buffer.moveReaderIndex(forwardBy: count)
            missing -= count
            if missing == 0 { context.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
        }
    }

    private func readHead(from buffer: inout ByteBuffer) {
        while let byte = buffer.readInteger(as: UInt8.self) {
            head.append(byte)
            guard byte == UInt8(ascii: "\n"), head.suffix(Self.headEnd.count).elementsEqual(Self.headEnd) else {
                continue
            }
            let lines = String(decoding: head, as: UTF8.self).lowercased().split(whereSeparator: \.isNewline)
            let length = lines.first { $0.hasPrefix("content-length:") }?.split(separator: " ").last
            missing = length.flatMap { Int($0) } ?? 0
            head.removeAll(keepingCapacity: true)
            return
        }
    }
}
