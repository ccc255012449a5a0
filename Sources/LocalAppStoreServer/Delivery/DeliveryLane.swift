import AppStoreModel
import LocalAppStore
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Delivers notifications one after another, over one connection that stays open as long as it is of use.
///
/// `@unchecked Sendable`: all of its state is touched on its event loop only; the methods for others hop there.
final class DeliveryLane: @unchecked Sendable {
    /// A connection that was idle for longer is not used again: the other side may be closing it.
    private static let idleMax = TimeAmount.seconds(1)

    private struct Work {
        let deliveries: [Delivery]
        let round: DeliveryRound
        let tls: NIOSSLContext?
        let endpoint: DeliveryEndpoint?
        let promise: EventLoopPromise<[DeliveryAnswer]>
        var answers: [DeliveryAnswer] = []
        /// What of the present delivery is to be sent yet.
        var transfers: ArraySlice<DeliveryTransfer> = []
        var body = ByteBuffer()
    }

    private let eventLoop: any EventLoop
    private let limit: TimeAmount

    private var work: Work?
    private var connection: DeliveryConnection?
    private var origin: DeliveryEndpoint.Origin?
    private var idleSince = NIODeadline.now()
    /// When the present exchange has taken too long; absent between two.
    private var deadline: NIODeadline?
    private var isTimerSet = false
    /// Counts the exchanges, so that a connection that opens too late finds nothing to do.
    private var exchange = 0

    /// - Parameter limit: How long an attempt may take.
    init(on eventLoop: any EventLoop, limit: TimeAmount) {
        self.eventLoop = eventLoop
        self.limit = limit
    }

    /// Delivers in order, until the round is over.
    ///
    /// - Returns: The answers; fewer than deliveries when the round was over, or ``abort()`` was called.
    func deliver(
        _ deliveries: [Delivery],
        in round: DeliveryRound,
        tls: NIOSSLContext?
    ) -> EventLoopFuture<[DeliveryAnswer]> {
        let promise = eventLoop.makePromise(of: [DeliveryAnswer].self)
        let work = Work(
            deliveries: deliveries,
            round: round,
            tls: tls,
            endpoint: DeliveryEndpoint(round.url),
            promise: promise
        )
        eventLoop.execute {
            self.work = work
            self.beginNext()
        }
        return promise.futureResult
    }

    /// Breaks off what is under way.
    func abort() {
        eventLoop.execute {
            self.dropConnection()
            self.deadline = nil
            self.finish()
        }
    }

    /// Begins the next delivery that needs the wire; the others are answered at once.
    private func beginNext() {
        while let work, work.answers.count < work.deliveries.count, !work.round.isOver {
            let delivery = work.deliveries[work.answers.count]
            let plan = DeliveryPlan(for: delivery)
            guard work.endpoint != nil, !plan.transfers.isEmpty else {
                self.work?.answers.append(plan.answer ?? DeliveryAnswer(.failure(ExchangeFailure.unusableURL)))
                continue
            }
            self.work?.transfers = plan.transfers[...]
            self.work?.body = ByteBuffer(delivery.body)
            return send()
        }
        finish()
    }

    private func finish() {
        guard let work else { return }
        self.work = nil
        work.promise.succeed(work.answers)
    }

    private func send() {
        guard let work, let transfer = work.transfers.first, let endpoint = work.endpoint else { return }
        exchange += 1
        let now = NIODeadline.now()
        deadline = now + limit
        setTimer(now)
        if let connection, connection.isUsable, origin == endpoint.origin, now < idleSince + Self.idleMax {
            post(transfer, of: work.body, to: endpoint, over: connection)
        } else {
            dropConnection()
            connect(to: endpoint, tls: work.tls, then: transfer)
        }
    }

    private func post(
        _ transfer: DeliveryTransfer,
        of body: ByteBuffer,
        to endpoint: DeliveryEndpoint,
        over connection: DeliveryConnection
    ) {
        let head = HTTPRequestHead(
            version: .http1_1,
            method: .POST,
            uri: endpoint.target,
            headers: [
                "Host": endpoint.authority, "Content-Type": "application/json", "User-Agent": "perennial-store",
            ]
        )
        let number = exchange
        connection.post(transfer, of: body, head) { result in
            guard number == self.exchange, self.deadline != nil else { return }
            self.end(result)
        }
    }

    /// Ends an exchange: the next transfer of the same delivery, or the next delivery, follows.
    private func end(_ result: Result<Int, any Error>) {
        deadline = nil
        idleSince = .now()
        guard var work else { return }
        work.transfers.removeFirst()
        guard work.transfers.isEmpty else {
            self.work = work
            return send()
        }
        let plan = DeliveryPlan(for: work.deliveries[work.answers.count])
        work.answers.append(plan.answer ?? DeliveryAnswer(result))
        self.work = work
        beginNext()
    }

    private func dropConnection() {
        let dropped = connection
        connection = nil
        dropped?.end(.failure(ExchangeFailure.closedEarly))
    }
}

extension DeliveryLane {
    private func connect(to endpoint: DeliveryEndpoint, tls: NIOSSLContext?, then transfer: DeliveryTransfer) {
        let number = exchange
        ClientBootstrap(group: eventLoop)
            .connectTimeout(limit)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if endpoint.origin.isSecure, let tls {
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: endpoint.origin.serverName)
                        )
                    }
                    try pipeline.addHandler(HTTPRequestEncoder())
                    try pipeline.addHandler(
                        ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes))
                    )
                    try pipeline.addHandler(DeliveryConnection())
                }
            }
            .connect(host: endpoint.origin.host, port: endpoint.origin.port)
            .assumeIsolated()
            .whenComplete { result in
                self.connected(result, number, endpoint, transfer)
            }
    }

    private func connected(
        _ result: Result<any Channel, any Error>,
        _ number: Int,
        _ endpoint: DeliveryEndpoint,
        _ transfer: DeliveryTransfer
    ) {
        let isAwaited = number == exchange && deadline != nil
        do {
            let channel = try result.get()
            guard isAwaited, let body = work?.body else { return channel.close(promise: nil) }
            let connection = try channel.pipeline.syncOperations.handler(type: DeliveryConnection.self)
            self.connection = connection
            origin = endpoint.origin
            post(transfer, of: body, to: endpoint, over: connection)
        } catch {
            if isAwaited { end(.failure(error)) }
        }
    }

    /// One timer for all exchanges: it looks whether the present one is late, and when to look again.
    private func setTimer(_ now: NIODeadline) {
        guard !isTimerSet, let deadline else { return }
        isTimerSet = true
        eventLoop.assumeIsolated().scheduleTask(in: deadline - now) {
            self.isTimerSet = false
            guard let deadline = self.deadline else { return }
            let now = NIODeadline.now()
            guard deadline <= now else { return self.setTimer(now) }
            if let connection = self.connection, !connection.isUsable {
                self.connection = nil
                connection.end(.failure(ExchangeFailure.timedOut))
            } else {
                self.end(.failure(ExchangeFailure.timedOut))
            }
        }
    }
}

extension DeliveryEndpoint.Origin {
    /// The name that a certificate is to have; absent for an address, which is compared with the certificate's
    /// addresses.
    fileprivate var serverName: String? {
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        return isAddress ? nil : host
    }
}

extension DeliveryAnswer {
    fileprivate init(_ result: Result<Int, any Error>) {
        switch result {
        case .success(let status): self.init(httpStatus: status)
        case .failure(let error): self.init(SendAttemptResult(failure: error))
        }
    }
}

extension ByteBuffer {
    /// The body of a notification's request.
    fileprivate init(_ body: NotificationBody) {
        switch body {
        case .version1(let json): self.init(bytes: json)
        case .version2(let signedPayload):
            // A JWS has no character that JSON would write in another way.
            self.init()
            reserveCapacity(signedPayload.utf8.count + 32)
            writeString("{\"signedPayload\":\"")
            writeString(signedPayload)
            writeString("\"}")
        }
    }
}
