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

    private static let lengthName = Array("content-length:".utf8)

    private let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    /// What has come of a line of the head.
    private var line: [UInt8] = []
    /// The bytes of a body that are still to come, or that a line of the head has promised.
    private var missing = 0
    private var isInBody = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0 {
            if !isInBody { readHead(from: &buffer) }
            guard isInBody else { return }
            let count = min(missing, buffer.readableBytes)
            buffer.moveReaderIndex(forwardBy: count)
            missing -= count
            guard missing == 0 else { return }
            isInBody = false
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }

    /// Reads up to the empty line that ends the head, or as far as the bytes go.
    private func readHead(from buffer: inout ByteBuffer) {
        buffer.readWithUnsafeReadableBytes { bytes in
            for (position, byte) in bytes.enumerated() where byte != UInt8(ascii: "\r") {
                guard byte == UInt8(ascii: "\n") else {
                    line.append(byte)
                    continue
                }
                isInBody = line.isEmpty
                if isInBody { return position + 1 }
                readLength()
                line.removeAll(keepingCapacity: true)
            }
            return bytes.count
        }
    }

    /// Takes the length of the body from a line, if it is the one that tells it.
    private func readLength() {
        let isLength = line.count > Self.lengthName.count && zip(line, Self.lengthName).allSatisfy { $0 | 0x20 == $1 }
        guard isLength else { return }
        missing = 0
        for byte in line[Self.lengthName.count...] where byte != UInt8(ascii: " ") {
            missing = missing * 10 + Int(byte) - Int(UInt8(ascii: "0"))
        }
    }
}
