import NIOCore
import NIOHTTPTypes
import Synchronization

/// Monitors one connection: counts it, detects a disconnected client, and enforces the time limit, the minimum rate and
/// the maximum size of a body.
///
/// A client that closes only its sending side also counts as disconnected: a waiting request is then answered at once.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// The maximum body size, larger than any route accepts: the rest of a refused body is read up to this size, then
    /// the connection is closed.
    static let bodyBytesMax = 8 << 20
    /// The interval for checking the rate of a body.
    static let rateWindow = TimeAmount.seconds(5)

    private let connections: ConnectionCount
    private let limits: ServerLimits
    private let gone = Mutex(false)
    // The remaining properties are used only on the connection's event loop, so the class is `@unchecked Sendable`.
    private var timer: Scheduled<Void>?
    /// The remaining time for the body.
    private var timeLeft = TimeAmount.zero
    private var windowBytes = 0
    private var bodyBytes = 0
    private var isReceiving = false
    private var isCounted = false
    private var address: ClientAddress?

    init(connections: ConnectionCount, limits: ServerLimits) {
        self.connections = connections
        self.limits = limits
    }

    /// Whether the client has closed the connection.
    var isGone: Bool { gone.withLock { $0 } }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReceiving = true
            bodyBytes = 0
        case .body(let part):
            bodyBytes += part.readableBytes
            windowBytes += part.readableBytes
            if bodyBytes > Self.bodyBytesMax { return context.close(promise: nil) }
        case .end:
            isReceiving = false
            stopTimer()
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive in one read and need no timer.
        if isReceiving, timer == nil {
            timeLeft = .milliseconds(Int64(limits.bodyMillisecondsMax))
            startTimer(context)
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

    private func open(_ context: ChannelHandlerContext) {
        guard !isCounted, !isGone else { return }
        let address = ClientAddress(context.channel.remoteAddress)
        guard connections.open(from: address, max: limits.connectionsPerAddressMax) else {
            gone.withLock { $0 = true }
            return context.close(promise: nil)
        }
        self.address = address
        isCounted = true
    }

    private func close() {
        gone.withLock { $0 = true }
        stopTimer()
        guard isCounted else { return }
        isCounted = false
        connections.close(from: address)
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        let window = min(Self.rateWindow, timeLeft)
        windowBytes = 0
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: window) { [self] in
            timeLeft = timeLeft - window
            guard timeLeft > .zero, isFastEnough(in: window) else { return context.close(promise: nil) }
            startTimer(context)
        }
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    /// Whether the body arrived at the minimum rate in this time.
    private func isFastEnough(in window: TimeAmount) -> Bool {
        let (seconds, rest) = window.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let rate = Int64(limits.bodyBytesPerSecondMin)
        return Int64(windowBytes) >= rate * seconds + rate * (rest / 1_000_000) / 1_000
    }
}

extension ServerRequestContext {
    /// The handler of the request's connection; nil if there is none, as in tests without a port.
    func connection() async -> ConnectionHandler? {
        try? await channel.pipeline.handler(type: ConnectionHandler.self).get()
    }
}
