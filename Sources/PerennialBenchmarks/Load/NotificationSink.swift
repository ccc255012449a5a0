import NIOCore
import NIOPosix

/// A receiver of notifications that only answers 200, as fast as possible.
enum NotificationSink {
    /// Runs the receiver and returns its URL.
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
/// It reads only the length of a request's body and then counts bytes, because the cost of the receiver is not
/// measured.
private final class AnswerOK: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let lengthName = Array("content-length:".utf8)

    private let answer = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    /// The received part of a header line.
    private var line: [UInt8] = []
    /// The remaining bytes of a body, or those announced by a header line.
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

    /// Reads up to the empty line after the headers, or to the end of the bytes.
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

    /// Reads the length of the body if a line contains it.
    private func readLength() {
        let isLength = line.count > Self.lengthName.count && zip(line, Self.lengthName).allSatisfy { $0 | 0x20 == $1 }
        guard isLength else { return }
        missing = 0
        for byte in line[Self.lengthName.count...] where byte != UInt8(ascii: " ") {
            missing = missing * 10 + Int(byte) - Int(UInt8(ascii: "0"))
        }
    }
}
