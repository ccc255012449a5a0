package import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 within the server's limits, each request on the event loop of its connection.
    package static func limited(_ limits: ServerLimits, connections: ConnectionCount) -> HTTPServerBuilder {
        let configuration = HTTP1Channel.Configuration(
            // Evaluated for each connection.
            additionalChannelHandlers: [ConnectionHandler(connections: connections, limits: limits)],
            idleTimeout: .milliseconds(Int64(limits.idleMillisecondsMax)),
            // A head of ours has a key, a validator and what proxies add: a small part of this.
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8 << 10,
                maxHeaderListSize: 32 << 10,
                maxHeaderFieldCount: 100
            )
        )
        return HTTPServerBuilder { responder in
            EventLoopConnections(HTTP1Channel(responder: responder, configuration: configuration))
        }
    }
}
