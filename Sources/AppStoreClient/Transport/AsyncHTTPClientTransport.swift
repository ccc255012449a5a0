#if Client
    public import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Sends requests with AsyncHTTPClient.
    ///
    /// It either creates an HTTP client, and the creator of the transport calls ``shutdown()`` at the end. Or it uses
    /// an existing one, which stays with its owner:
    ///
    /// ```swift
    /// var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    /// let connectionsMax = AsyncHTTPClientTransport.connectionsMax
    /// configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsMax
    /// let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    /// let transport = AsyncHTTPClientTransport(client: client)
    /// ```
    ///
    /// An existing client must not follow redirects, which `HTTPClient.shared` does: the call would be sent to a
    /// foreign server. A created client does not follow them.
    public struct AsyncHTTPClientTransport: HTTPTransport {
        /// The connection timeout.
        public static let connectTimeoutDefault: Duration = .seconds(10)

        /// The connections to a host, over HTTP/1.1, of a client for many calls at the same time.
        ///
        /// With AsyncHTTPClient's own limit of 8, calls of a slow server wait for a connection until their timeout.
        public static let connectionsMax = 1_000

        /// The maximum duration of a request.
        private static let timeoutMax: Duration = .seconds(86_400)

        private let client: HTTPClient
        private let isOwner: Bool

        /// Uses an HTTP client that the caller owns and shuts down.
        public init(client: HTTPClient) {
            self.client = client
            self.isOwner = false
        }

        /// Creates an HTTP client; call ``shutdown()`` at the end.
        public init(connectTimeout: Duration = AsyncHTTPClientTransport.connectTimeoutDefault) {
            var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
            configuration.timeout.connect = TimeAmount(connectTimeout)
            // The caller decides about a broken connection, because it knows which calls are idempotent.
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connectionsMax
            self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            self.isOwner = true
        }

        /// Closes the connections of a created client; does nothing for an existing one.
        ///
        /// - Throws: Errors of AsyncHTTPClient when it is shut down twice.
        public func shutdown() async throws {
            if isOwner { try await client.shutdown() }
        }

        /// Sends a request and collects the whole answer.
        ///
        /// A request with a body counts as sent from the moment its body is read, whatever the error.
        ///
        /// - Throws: ``HTTPTransportError`` with any of its codes.
        public func send(
            _ request: AppStoreHTTPRequest,
            timeout: Duration,
            bodyBytesMax: Int
        ) async throws(HTTPTransportError) -> AppStoreHTTPResponse {
            let scheme = request.url.prefix { $0 != ":" }.lowercased()
            guard scheme == "http" || scheme == "https" else { throw .notHTTP }
            let timeout = min(timeout, Self.timeoutMax)
            let body = ObservedBody(request.body)
            do {
                return try await withDeadline(timeout) {
                    try await exchange(
                        HTTPClientRequest(request, body: body),
                        timeout: timeout,
                        bodyBytesMax: bodyBytesMax
                    )
                }
            } catch {
                let error = HTTPTransportError(failure: error, bodyBytesMax: bodyBytesMax)
                throw body?.isRead == false ? error.beforeSending : error
            }
        }

        private func exchange(
            _ request: HTTPClientRequest,
            timeout: Duration,
            bodyBytesMax: Int
        ) async throws -> AppStoreHTTPResponse {
            let response = try await client.execute(request, timeout: TimeAmount(timeout))
            let body = try await response.body.collect(upTo: bodyBytesMax)
            // When the task is cancelled, the body ends early; that is not a complete answer.
            try Task.checkCancellation()
            return AppStoreHTTPResponse(
                status: Int(response.status.code),
                headers: HTTPHeaders(response.headers.map { HTTPHeaders.Field($0.name, $0.value) }),
                body: Array(body.readableBytesView)
            )
        }

        /// Ends an operation after a time: AsyncHTTPClient's own deadline covers only the head of an answer.
        private func withDeadline(
            _ timeout: Duration,
            _ operation: @escaping @Sendable () async throws -> AppStoreHTTPResponse
        ) async throws -> AppStoreHTTPResponse {
            try await withThrowingTaskGroup(of: AppStoreHTTPResponse?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await operation() }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    return nil
                }
                guard let first = try await group.next(), let response = first else {
                    throw HTTPTransportError.timeIsUp
                }
                return response
            }
        }
    }

    extension HTTPClientRequest {
        /// The same request for AsyncHTTPClient.
        init(_ request: AppStoreHTTPRequest, body: ObservedBody?) {
            self.init(url: request.url)
            method = HTTPMethod(rawValue: request.method)
            for field in request.headers.fields { headers.add(name: field.name, value: field.value) }
            if let body { self.body = .bytes(body) } else if request.body != nil { self.body = .bytes(ByteBuffer()) }
        }
    }

    extension HTTPTransportError {
        /// The transport error for an error of AsyncHTTPClient or NIO; its text contains only our own text or the
        /// type's name.
        init(failure: any Error, bodyBytesMax: Int) {
            switch failure {
            case let error as HTTPTransportError:
                self = error
            case is CancellationError:
                self = .cancelled
            case is NIOTooManyBytesError:
                self = .tooLarge(bodyBytesMax)
            case let error as HTTPClientError:
                self.init(clientError: error)
            case ChannelError.connectTimeout:
                self = .unreachable
            case let error as IOError where error.errnoCode == ECONNREFUSED:
                self = .unreachable
            default:
                self.init(moduleOf: failure)
            }
        }

        fileprivate static let timeIsUp = HTTPTransportError(
            code: .timedOut,
            message: "No complete answer before the timeout.",
            mayHaveBeenSent: true
        )

        /// The same error of a request whose body was not read.
        fileprivate var beforeSending: HTTPTransportError {
            guard code != .timedOut else { return .noConnectionInTime }
            return HTTPTransportError(code: code, message: message, mayHaveBeenSent: false)
        }

        private static let noConnectionInTime = HTTPTransportError(
            code: .connectionFailed,
            message: "No connection to the server before the timeout; check the base URL and the network.",
            mayHaveBeenSent: false
        )

        fileprivate static let notHTTP = HTTPTransportError(
            code: .requestInvalid,
            message: "The URL is not an HTTP URL; check the base URL.",
            mayHaveBeenSent: false
        )

        private static let unreachable = HTTPTransportError(
            code: .connectionFailed,
            message: "No connection to the server; check the base URL and the network.",
            mayHaveBeenSent: false
        )

        /// The socket and TLS libraries are no dependencies of this target, so their errors are recognized by type
        /// name.
        private init(moduleOf failure: any Error) {
            let type = String(reflecting: type(of: failure))
            if type == "NIOPosix.NIOConnectionError" {
                self = .unreachable
            } else if type.hasPrefix("NIOSSL.") {
                // Usually the handshake; but an established connection may end in the same way.
                let message = "No TLS connection to the server (\(type)); check the base URL and the trusted roots."
                self.init(code: .connectionFailed, message: message, mayHaveBeenSent: true)
            } else {
                let message = "The connection broke before the answer was complete (\(type))."
                self.init(code: .connectionLost, message: message, mayHaveBeenSent: true)
            }
        }

        private init(clientError: HTTPClientError) {
            let reason = clientError.shortDescription
            switch clientError {
            case .cancelled, .requestStreamCancelled:
                self = .cancelled
            case .deadlineExceeded, .readTimeout, .writeTimeout:
                let message = "No complete answer in time (\(reason))."
                self.init(code: .timedOut, message: message, mayHaveBeenSent: true)
            case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout, .socksHandshakeTimeout,
                .httpProxyHandshakeTimeout:
                let message = "No connection to the server in time (\(reason))."
                self.init(code: .connectionFailed, message: message, mayHaveBeenSent: false)
            case .invalidURL, .emptyHost, .emptyScheme, .alreadyShutdown, .missingSocketPath:
                let message =
                    "The request cannot be sent (\(reason)); check the base URL, and that the client is running."
                self.init(code: .requestInvalid, message: message, mayHaveBeenSent: false)
            default:
                let message = "The connection broke before the answer was complete (\(reason))."
                self.init(code: .connectionLost, message: message, mayHaveBeenSent: true)
            }
        }
    }
#endif
