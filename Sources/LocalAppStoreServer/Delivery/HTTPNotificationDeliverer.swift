import AppStoreModel
import AsyncHTTPClient
import HTTPTypes
import LocalAppStore
import NIOCore
import NIOHTTP1

/// Delivers over HTTP with a deadline for each attempt.
///
/// The client must not follow redirects: an answer of 3xx is no success.
struct HTTPNotificationDeliverer: NotificationDeliverer {
    /// Bytes of an answer that are read, so that the connection can serve the next attempt; the rest closes it.
    private static let answerBytesMax = 65_536

    /// Shared by everything that the store sends; its owner shuts it down.
    let client: HTTPClient

    /// How long an attempt may take in real time.
    let deadline: Duration

    /// How a body goes over the wire.
    enum Transfer: Sendable {
        case whole([UInt8])
        /// With a pause in the middle.
        case slow([UInt8], Duration)
        /// With a broken connection in the middle.
        case broken([UInt8])
    }

    @concurrent func deliver(_ delivery: Delivery) async throws(CancellationError) -> DeliveryAnswer {
        try await send(.whole(delivery.body.json), to: delivery.url)
    }

    /// Posts a body and says how that went.
    func send(_ transfer: Transfer, to url: String) async throws(CancellationError) -> DeliveryAnswer {
        do {
            let response = try await client.execute(transfer.request(to: url), timeout: TimeAmount(deadline))
            // The status decides; reading the rest only keeps the connection open for the next attempt.
            _ = try? await response.body.collect(upTo: Self.answerBytesMax)
            return DeliveryAnswer(httpStatus: Int(response.status.code))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return DeliveryAnswer(SendAttemptResult(failure: error))
        }
    }
}

extension HTTPNotificationDeliverer.Transfer {
    /// The request that posts it.
    func request(to url: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "perennial-store")
        request.body = body
        return request
    }

    private var body: HTTPClientRequest.Body {
        switch self {
        case .whole(let bytes): .bytes(ByteBuffer(bytes: bytes))
        case .slow(let bytes, let pause):
            .stream(HalvedBody(bytes: bytes, pause: pause), length: .known(Int64(bytes.count)))
        case .broken(let bytes):
            .stream(HalvedBody(bytes: bytes, pause: nil), length: .known(Int64(bytes.count)))
        }
    }
}

/// A body that comes in two halves, with a pause between them; without a pause it breaks off there.
private struct HalvedBody: AsyncSequence, Sendable {
    struct BrokenOff: Error {}

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var halves: [ByteBuffer]
        fileprivate let pause: Duration?
        private var isFirst = true

        fileprivate init(halves: [ByteBuffer], pause: Duration?) {
            self.halves = halves
            self.pause = pause
        }

        mutating func next() async throws -> ByteBuffer? {
            guard !halves.isEmpty else { return nil }
            if !isFirst {
                guard let pause else { throw BrokenOff() }
                try await Task.sleep(for: pause)
            }
            isFirst = false
            return halves.removeFirst()
        }
    }

    let bytes: [UInt8]
    let pause: Duration?

    func makeAsyncIterator() -> Iterator {
        let middle = bytes.count / 2
        let halves = [bytes.prefix(middle), bytes.dropFirst(middle)].map { ByteBuffer(bytes: $0) }
        return Iterator(halves: halves, pause: pause)
    }
}

extension SendAttemptResult {
    /// Apple's word for a failed attempt.
    ///
    /// - Source: App Store Server API, `sendAttemptResult`.
    init(failure: any Error) {
        switch failure {
        case let error as HTTPClientError: self.init(clientError: error)
        case is HTTPParserError: self = .invalidResponse
        case ChannelError.connectTimeout: self = .timedOut
        case is ChannelError, is IOError, is SocketAddressError, is HalvedBody.BrokenOff: self = .socketIssue
        default: self.init(moduleOf: failure)
        }
    }

    /// The libraries for sockets and TLS are no dependencies of this target: their errors are told by the module.
    private init(moduleOf failure: any Error) {
        switch String(reflecting: type(of: failure)).prefix(while: { $0 != "." }) {
        case "NIOPosix": self = .socketIssue
        case "NIOSSL": self = .tlsIssue
        default: self = .other
        }
    }

    private init(clientError: HTTPClientError) {
        switch clientError {
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .getConnectionFromPoolTimeout:
            self = .timedOut
        case .tlsHandshakeTimeout, .uncleanShutdown: self = .tlsIssue
        case .remoteConnectionClosed: self = .prematureClose
        default: self = .other
        }
    }
}
