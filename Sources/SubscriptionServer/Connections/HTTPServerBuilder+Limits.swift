package import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 with the server's limits; each request runs on the event loop of its connection.
    package static func limited(_ limits: ServerLimits, connections: ConnectionCount) -> HTTPServerBuilder {
        let configuration = HTTP1Channel.Configuration(
            // Evaluated for each connection.
            additionalChannelHandlers: [ConnectionHandler(connections: connections, limits: limits)],
            idleTimeout: .milliseconds(Int64(limits.idleMillisecondsMax)),
            // A typical head, with a key, a validator and proxy headers, is much smaller.
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
