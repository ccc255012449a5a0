import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends sequential HTTP requests over persistent connections.
///
/// It must cost little, because it shares the machine with the measured server. It never leaves the event loop, and
/// reads only the status of answers.
struct LoadGenerator: Sendable {
    /// The loopback ports, among which the connections are divided.
    let ports: [Int]
    /// The number of connections.
    let connections: Int
    /// The interval of requests on each connection; without it, the next request follows the answer at once.
    ///
    /// Latency then counts from the due time of a request, so that pauses of the server are included.
    var interval: TimeAmount?

    /// Sends until there are no more requests.
    ///
    /// - Parameter request: Returns a request by connection and number, both from 0; `nil` ends the connection.
    /// - Throws: `BenchmarkError.callRefused` for an unsuccessful answer, `noServer` if a connection closes early.
    func run(_ request: @escaping @Sendable (_ connection: Int, _ number: Int) -> LoadRequest?) async throws
        -> LoadReport
    {
        try await withThrowingTaskGroup(of: LoadReport.self) { group in
            for connection in 0..<connections {
                group.addTask { try await run(connection) { request(connection, $0) } }
            }
            var whole = LoadReport()
            for try await part in group { whole.add(part) }
            return whole
        }
    }

    private func run(
        _ connection: Int,
        _ request: @escaping @Sendable (Int) -> LoadRequest?
    ) async throws -> LoadReport {
        let group = MultiThreadedEventLoopGroup.singleton
        let finished = group.any().makePromise(of: LoadReport.self)
        let interval = interval
        // Connections start at different times: requests at a fixed rate are spread evenly.
        let offset = TimeAmount.nanoseconds((interval?.nanoseconds ?? 0) * Int64(connection) / Int64(connections))
        let channel = try await ClientBootstrap(group: group)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(
                        LoadConnection(interval: interval, offset: offset, finished: finished, request: request)
                    )
                }
            }
            .connect(host: "127.0.0.1", port: ports[connection % ports.count])
            .get()
        let report = try await finished.futureResult.get()
        try await channel.close()
        return report
    }
}

/// A request to a server on this machine.
struct LoadRequest {
    let head: HTTPRequestHead
    let body: ByteBuffer?

    init(_ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: ByteBuffer? = nil) {
        var headers = headers
        headers.add(name: "Host", value: "localhost")
        if let body { headers.add(name: "Content-Length", value: String(body.readableBytes)) }
        head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: headers)
        self.body = body
    }
}

/// The measured answers.
struct LoadReport: Sendable {
    /// The latency of each request, in nanoseconds.
    var latencies: [Int64] = []

    mutating func add(_ other: LoadReport) { latencies += other.latencies }

    /// The latency that this share of all requests did not exceed.
    ///
    /// - Parameter share: Between 0 and 1.
    func milliseconds(atShare share: Double) -> Double {
        guard !latencies.isEmpty else { return 0 }
        let sorted = latencies.sorted()
        return Double(sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]) / 1e6
    }
}

/// One connection: sends, waits for the answer, sends the next.
private final class LoadConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let interval: TimeAmount?
    private let offset: TimeAmount
    private let finished: EventLoopPromise<LoadReport>
    private let request: (Int) -> LoadRequest?
    private var number = 0
    private var due = NIODeadline.now()
    private var report = LoadReport()

    init(
        interval: TimeAmount?,
        offset: TimeAmount,
        finished: EventLoopPromise<LoadReport>,
        request: @escaping (Int) -> LoadRequest?
    ) {
        self.interval = interval
        self.offset = offset
        self.finished = finished
        self.request = request
    }

    func channelActive(context: ChannelHandlerContext) {
        due = .now() + offset
        sendWhenDue(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard 200..<400 ~= head.status.code else {
                return finished.fail(BenchmarkError.callRefused(Int(head.status.code)))
            }
        case .body: break
        case .end:
            report.latencies.append((NIODeadline.now() - due).nanoseconds)
            sendNext(context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { finished.fail(BenchmarkError.noServer) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { finished.fail(error) }

    private func sendNext(_ context: ChannelHandlerContext) {
        guard let interval else {
            due = .now()
            return send(context)
        }
        due = due + interval
        sendWhenDue(context)
    }

    private func sendWhenDue(_ context: ChannelHandlerContext) {
        guard due > .now() else { return send(context) }
        context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.send(context) }
    }

    private func send(_ context: ChannelHandlerContext) {
        guard let request = request(number) else { return finished.succeed(report) }
        number += 1
        context.write(wrapOutboundOut(.head(request.head)), promise: nil)
        if let body = request.body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
