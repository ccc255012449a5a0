import AppStoreModel
import AsyncHTTPClient
import HTTPTypes
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

    func deliver(signedPayload: String, to url: String) async throws(CancellationError) -> SendAttemptResult {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.headers.add(name: "User-Agent", value: "perennial-store")
        let body: JSONObject = ["signedPayload": .string(signedPayload)]
        request.body = .bytes(ByteBuffer(bytes: body.serialize()))
        do {
            let response = try await client.execute(request, timeout: TimeAmount(deadline))
            // Apple counts 200 to 206 as taken. The status decides; reading the rest only keeps the connection open for the next attempt.
            _ = try? await response.body.collect(upTo: Self.answerBytesMax)
            return (200...206).contains(response.status.code) ? .success : .unsuccessfulHTTPResponseCode
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return SendAttemptResult(failure: error)
        }
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
        case is ChannelError, is IOError, is SocketAddressError: self = .socketIssue
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
