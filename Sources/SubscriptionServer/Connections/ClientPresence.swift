import NIOCore
import Synchronization

/// Knows whether the other end of a connection has closed it, so that nobody waits for a client that has gone.
///
/// A client that closes only its sending side counts as gone too: what waits for news is then answered at once, with what
/// there is.
final class ClientPresence: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private let gone = Mutex(false)

    /// Whether the other end has closed the connection.
    var isGone: Bool { gone.withLock { $0 } }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { gone.withLock { $0 = true } }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        gone.withLock { $0 = true }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        gone.withLock { $0 = true }
        context.fireErrorCaught(error)
    }
}

extension ServerRequestContext {
    /// What watches the request's connection; nil where there is none, as in tests without a port.
    func clientPresence() async -> ClientPresence? {
        try? await channel.pipeline.handler(type: ClientPresence.self).get()
    }
}
