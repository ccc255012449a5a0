import LocalAppStore
import NIOCore
import NIOHTTP1

/// Why an exchange failed, for causes without a library error.
enum ExchangeFailure: Error {
    /// The deadline was exceeded.
    case timedOut
    /// The other side closed the connection without an answer.
    case closedEarly
    /// The URL cannot be called.
    case unusableURL
}

/// One connection to the developer's server for sequential requests; confined to its event loop.
///
/// An answer counts once it is complete. Its body is read up to a limit, so that the connection can be reused. A longer
/// body closes the connection, as does an answer that arrives before the request is complete.
final class DeliveryConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// The maximum number of answer bytes that are read.
    private static let answerBytesMax = 65_536

    private struct Exchange {
        let finish: (Result<Int, any Error>) -> Void
        var status: Int?
        var isKeptAlive = true
        var answerBytes = 0
        var isWhole = false
    }

    private var context: ChannelHandlerContext?
    private var exchange: Exchange?
    /// Counts the requests, so that events of an earlier request are recognized.
    private var number = 0

    /// Whether the connection can be reused.
    var isUsable: Bool { context != nil && exchange == nil }

    /// Sends a request and returns its status, or the error.
    func post(
        _ transfer: DeliveryTransfer,
        of body: ByteBuffer,
        _ head: HTTPRequestHead,
        finish: @escaping (Result<Int, any Error>) -> Void
    ) {
        guard let context else { return finish(.failure(ExchangeFailure.closedEarly)) }
        number += 1
        exchange = Exchange(finish: finish)
        var head = head
        var body = body
        if transfer == .truncated { body = body.getSlice(at: body.readerIndex, length: body.readableBytes / 2) ?? body }
        head.headers.add(name: "Content-Length", value: String(body.readableBytes))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        switch transfer {
        case .whole, .truncated: finishRequest(with: body, context)
        case .slow(let milliseconds):
            let number = number
            writeHalf(of: &body, context)
            context.flush()
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) { [rest = body] in
                guard self.number == number, self.exchange != nil, let context = self.context else { return }
                self.finishRequest(with: rest, context)
            }
        case .broken:
            writeHalf(of: &body, context)
            let flushed = context.eventLoop.makePromise(of: Void.self)
            flushed.futureResult.assumeIsolated().whenComplete { _ in self.end(.failure(ConnectionClosed())) }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: flushed)
        }
    }

    /// Aborts the current exchange, if any, and closes the connection.
    func end(_ result: Result<Int, any Error>) {
        let ended = exchange
        exchange = nil
        let open = context
        context = nil
        open?.close(promise: nil)
        ended?.finish(result)
    }

    private func writeHalf(of body: inout ByteBuffer, _ context: ChannelHandlerContext) {
        guard let half = body.readSlice(length: body.readableBytes / 2) else { return }
        context.write(wrapOutboundOut(.body(.byteBuffer(half))), promise: nil)
    }

    private func finishRequest(with body: ByteBuffer, _ context: ChannelHandlerContext) {
        exchange?.isWhole = true
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            exchange?.status = Int(head.status.code)
            exchange?.isKeptAlive = head.isKeepAlive
        case .body(let part):
            exchange?.answerBytes += part.readableBytes
            guard let exchange, exchange.answerBytes > Self.answerBytesMax, let status = exchange.status else { return }
            end(.success(status))
        case .end:
            guard let exchange, let status = exchange.status else { return }
            guard exchange.isKeptAlive, exchange.isWhole else { return end(.success(status)) }
            self.exchange = nil
            exchange.finish(.success(status))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(exchange?.status.map { .success($0) } ?? .failure(ExchangeFailure.closedEarly))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(exchange?.status.map { .success($0) } ?? .failure(error))
    }
}
