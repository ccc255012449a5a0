import AppStoreModel
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension SendAttemptResult {
    /// Apple's name of a failed attempt.
    ///
    /// - Source: App Store Server API, `sendAttemptResult`.
    init(failure: any Error) {
        switch failure {
        case let failure as ExchangeFailure: self.init(exchange: failure)
        case let error as HTTPClientError: self.init(clientError: error)
        case is HTTPParserError, is NIOHTTPDecoderError: self = .invalidResponse
        case ChannelError.connectTimeout: self = .timedOut
        case let error as NIOConnectionError: self = error.isTimeout ? .timedOut : .socketIssue
        case is ChannelError, is IOError, is SocketAddressError, is ConnectionClosed: self = .socketIssue
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = .tlsIssue
        default: self.init(moduleOf: failure)
        }
    }

    /// Some libraries do not expose their error types, so the module name decides.
    private init(moduleOf failure: any Error) {
        switch String(reflecting: type(of: failure)).prefix(while: { $0 != "." }) {
        case "NIOPosix": self = .socketIssue
        case "NIOSSL": self = .tlsIssue
        default: self = .other
        }
    }

    private init(exchange: ExchangeFailure) {
        switch exchange {
        case .timedOut: self = .timedOut
        case .closedEarly: self = .prematureClose
        case .unusableURL: self = .other
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

extension NIOConnectionError {
    /// Whether the connection to every address of the host timed out.
    fileprivate var isTimeout: Bool {
        !connectionErrors.isEmpty
            && connectionErrors.allSatisfy { failure in
                guard case ChannelError.connectTimeout = failure.error else { return false }
                return true
            }
    }
}
