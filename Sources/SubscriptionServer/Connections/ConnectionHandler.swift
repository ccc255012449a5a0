import NIOCore
import NIOHTTPTypes
import Synchronization

/// Watches one connection: how many there are, whether the client has gone, and that a body arrives in time and no more
/// of it than any route takes.
///
/// A client that closes only its sending side counts as gone too: what waits for news is then answered at once, with what
/// there is.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// Beyond what the largest route takes: the rest of a refused body is thrown away up to here, then the line is cut.
    static let bodyBytesMax = 8 << 20

    private let connections: ConnectionCount
    private let bodyTimeMax: TimeAmount
    private let gone = Mutex(false)
    // The rest is touched on the connection's event loop only, which is why the class may be sent.
    private var deadline: Scheduled<Void>?
    private var bodyBytes = 0
    private var isReceiving = false
    private var isCounted = false

    init(connections: ConnectionCount, bodyTimeMax: TimeAmount) {
        self.connections = connections
        self.bodyTimeMax = bodyTimeMax
    }

    /// Whether the other end has closed the connection.
    var isGone: Bool { gone.withLock { $0 } }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open() }
    }

    func channelActive(context: ChannelHandlerContext) {
        open()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReceiving = true
            bodyBytes = 0
        case .body(let part):
            bodyBytes += part.readableBytes
            if bodyBytes > Self.bodyBytesMax { return context.close(promise: nil) }
        case .end:
            isReceiving = false
            deadline?.cancel()
            deadline = nil
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive whole, in one read: they never need a timer.
        if isReceiving, deadline == nil {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: bodyTimeMax) {
                context.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { gone.withLock { $0 = true } }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        close()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        gone.withLock { $0 = true }
        context.fireErrorCaught(error)
    }

    private func open() {
        guard !isCounted else { return }
        isCounted = true
        connections.add(1)
    }

    private func close() {
        gone.withLock { $0 = true }
        deadline?.cancel()
        deadline = nil
        guard isCounted else { return }
        isCounted = false
        connections.add(-1)
    }
}

/// How many connections are open.
package final class ConnectionCount: Sendable {
    private let count = Mutex(0)

    /// None.
    package init() {}

    /// How many connections are open.
    package var current: Int { count.withLock { $0 } }

    fileprivate func add(_ change: Int) { count.withLock { $0 += change } }
}

extension ServerRequestContext {
    /// What watches the request's connection; nil where there is none, as in tests without a port.
    func connection() async -> ConnectionHandler? {
        try? await channel.pipeline.handler(type: ConnectionHandler.self).get()
    }
}
