import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import PerennialPrimitives
import Synchronization

/// Receives webhooks on this machine, and checks their signatures.
package final class WebhookReceiver: Sendable {
    /// A webhook that arrived.
    package struct Message: Sendable {
        /// The `webhook-id`.
        package let id: String
        /// The body.
        package let body: [UInt8]
        /// Whether a valid signature came with it.
        package let isGenuine: Bool
    }

    /// The secret of the endpoint, `whsec_…`; nil as long as it is not known.
    private let secret = Mutex<String?>(nil)
    private let answer: @Sendable (Message) -> Int

    private init(_ answer: @escaping @Sendable (Message) -> Int) { self.answer = answer }

    /// Receives webhooks on a port of the loopback interface during a body.
    ///
    /// - Parameters:
    ///   - port: 0 for a free one.
    ///   - answer: Decides the HTTP status of the answer. It must not block.
    ///   - body: Gets the receiver and its address.
    package static func use<Result: Sendable>(
        port: Int = 0,
        answer: @escaping @Sendable (Message) -> Int,
        _ body: (WebhookReceiver, String) async throws -> Result
    ) async throws -> Result {
        let receiver = WebhookReceiver(answer)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(ReceivedRequests(receiver))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        let url = "http://127.0.0.1:\(channel.localAddress?.port ?? port)/"
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try await body(receiver, url))
        } catch {
            outcome = .failure(error)
        }
        try await channel.close()
        return try outcome.get()
    }

    /// Checks signatures with a secret from now on.
    package func verify(with secret: String) { self.secret.withLock { $0 = secret } }

    /// The status of the answer to a request.
    fileprivate func take(_ headers: HTTPHeaders, _ body: [UInt8]) -> Int {
        let id = headers.first(name: "webhook-id") ?? ""
        let isGenuine = secret.withLock(\.self).map { Self.isGenuine(headers, body, by: $0) } ?? false
        return answer(Message(id: id, body: body, isGenuine: isGenuine))
    }

    /// Whether one of the signatures is that of the secret, and not older than five minutes.
    ///
    /// - Source: Standard Webhooks specification, 1.0.
    private static func isGenuine(_ headers: HTTPHeaders, _ body: [UInt8], by secret: String) -> Bool {
        let toleranceSeconds: TimeInterval = 300
        guard secret.hasPrefix("whsec_"), let key = Base64.decode(secret.utf8.dropFirst(6), .standard),
            let id = headers.first(name: "webhook-id"), let timestamp = headers.first(name: "webhook-timestamp"),
            let seconds = TimeInterval(timestamp), abs(Date().timeIntervalSince1970 - seconds) <= toleranceSeconds
        else { return false }
        let signed = Array("\(id).\(timestamp).".utf8) + body
        return headers["webhook-signature"].joined(separator: " ").split(separator: " ").contains { signature in
            guard signature.hasPrefix("v1,"), let code = Base64.decode(signature.utf8.dropFirst(3), .standard) else {
                return false
            }
            let key = SymmetricKey(data: key)
            return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: signed, using: key)
        }
    }
}

/// The requests of one connection.
private final class ReceivedRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let bodyBytesMax = 1 << 20

    private let receiver: WebhookReceiver
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ receiver: WebhookReceiver) { self.receiver = receiver }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let part):
            guard body.count + part.readableBytes <= Self.bodyBytesMax else {
                context.close(promise: nil)
                return
            }
            body += part.readableBytesView
        case .end:
            guard let head else { return }
            let status = HTTPResponseStatus(statusCode: receiver.take(head.headers, body))
            let headers: HTTPHeaders = status == .noContent ? [:] : ["Content-Length": "0"]
            let answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            context.write(wrapOutboundOut(.head(answer)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
