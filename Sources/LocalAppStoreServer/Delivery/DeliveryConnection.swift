import LocalAppStore
import NIOCore
import NIOHTTP1

/// Why an exchange had no answer, where no library says so.
enum ExchangeFailure: Error {
    /// The deadline was over.
    case timedOut
    /// The other side closed the connection instead of an answer.
    case closedEarly
    /// The URL is none that can be called.
    case unusableURL
}

/// One connection to the developer's server, for one request after another; lives on its event loop.
///
/// An answer counts as soon as it is whole. Its body is read so that the connection can serve the next request, up to a
/// bound; a longer one closes the connection, and so does an answer that comes before the request is whole.
final class DeliveryConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// Bytes of an answer that are read.
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
    /// Counts the requests, so that what was left of an earlier one is known.
    private var number = 0

    /// Whether another request may go over it.
    var isUsable: Bool { context != nil && exchange == nil }

    /// Sends a request and tells its status, or what went wrong.
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
            flushed.futureResult.assumeIsolated().whenComplete { _ in self.end(.failure(BrokenOff())) }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: flushed)
        }
    }

    /// Ends the exchange that is under way, if there is one, and the connection with it.
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
