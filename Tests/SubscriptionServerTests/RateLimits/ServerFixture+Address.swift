import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import SubscriptionServer
import Synchronization

extension ServerFixture {
    /// Sends a request on a connection from an address, without a port.
    func send(
        from address: String,
        _ method: HTTPRequest.Method,
        _ path: String,
        key: String? = secret,
        headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> Answer {
        var fields = headers
        if let key { fields[.authorization] = "Bearer \(key)" }
        if let body { fields[.contentLength] = "\(body.utf8.count)" }
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 40_000)
        let request = Request(
            head: HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: fields),
            body: RequestBody(buffer: ByteBuffer(string: body ?? ""))
        )
        let responder = buildRouter(services: services, clock: nil, logger: logger).buildResponder()
        let context = ServerRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let collector = Collector()
        try await response.body.write(collector)
        return Answer(status: response.status.code, headers: response.headers, bytes: collector.bytes)
    }

    /// Posts a notification from an address.
    func notify(_ signedPayload: String, from address: String) async throws -> Answer {
        let body = #"{"signedPayload":"\#(signedPayload)"}"#
        return try await send(from: address, .post, "/v1/apple/notifications", key: nil, body: body)
    }

    private final class Collector: ResponseBodyWriter {
        private let collected = Mutex<[UInt8]>([])

        var bytes: [UInt8] { collected.withLock { $0 } }

        func write(_ buffer: ByteBuffer) { collected.withLock { $0 += Array(buffer: buffer) } }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }
}

extension Answer {
    /// The value of a header that may have no valid name.
    func header(_ name: HTTPField.Name?) -> String? { name.flatMap { headers[$0] } }

    /// `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.
    var rateLimit: [String?] {
        [header(.rateLimitLimit), header(.rateLimitRemaining), header(.rateLimitReset)]
    }
}
