import AsyncHTTPClient
import NIOCore
import NIOHTTP1
package import SubscriptionOperations
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Sends webhooks with AsyncHTTPClient, to checked addresses only.
///
/// The name of a host is looked up, its addresses are checked, and the connection is made to a checked address: the
/// name is not looked up again in between. Redirects are not followed.
package final class WebhookHTTPClient: WebhookTransport {
    /// How long a checked address is used before the name is looked up again.
    private static let usualAddressLifetime = Duration.seconds(30)
    private static let connectTimeout = TimeAmount.seconds(10)
    private static let lookupTimeout = Duration.seconds(5)
    /// After this time a slow look-up is left alone, and the address that was checked last is used.
    private static let patience = Duration.seconds(1)
    /// How long the address that was checked last is used while look-ups are slow, and when the next one begins.
    private static let lastAddressLifetime = Duration.seconds(3_600)
    private static let slowPause = Duration.seconds(5)
    private static let retryAfterMax = 64
    private static let bodyTimeout = Duration.seconds(2)
    /// The most connections to one host; each endpoint has its own, lower limit.
    private static let connectionsMax = 1_024
    /// How long the connections to an earlier address stay open: longer than any request.
    private static let shutdownDelay = Duration.seconds(60)
    /// The most hosts whose connections stay open.
    private static let hostsMax = 4_096

    private struct Host: Hashable {
        let name: String
        let isSecure: Bool
    }

    private struct Known: Sendable {
        let address: NetworkAddress
        let client: HTTPClient
        var checkedAt: ContinuousClock.Instant
        /// Until when the name is not looked up again, because that was slow.
        var pausedUntil: ContinuousClock.Instant?
        /// Whether the last connection to the address failed: then another one is tried.
        var isSuspect = false

        /// Whether the name need not be looked up now.
        func isFresh(for lifetime: Duration) -> Bool {
            let now = ContinuousClock.now
            return now - checkedAt < lifetime || pausedUntil.map { now < $0 } ?? false
        }
    }

    private let resolver: any NameResolver
    private let allowsPrivateAddresses: Bool
    private let addressLifetime: Duration
    private let hosts = Mutex<[Host: Known]>([:])

    /// Makes a client; call ``shutdown()`` at the end.
    ///
    /// - Parameter allowsPrivateAddresses: Whether private and loopback addresses, and HTTP to them, are allowed.
    package convenience init(allowsPrivateAddresses: Bool) {
        self.init(allowsPrivateAddresses: allowsPrivateAddresses, resolver: SystemNameResolver())
    }

    init(
        allowsPrivateAddresses: Bool,
        resolver: any NameResolver,
        addressLifetime: Duration = usualAddressLifetime
    ) {
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.addressLifetime = addressLifetime
        self.resolver = resolver
    }

    /// Closes all connections.
    package func shutdown() async {
        let clients = hosts.withLock { hosts in
            defer { hosts = [:] }
            return hosts.values.map(\.client)
        }
        // A client that is shut down twice has nothing to close.
        for client in clients { try? await client.shutdown() }
    }

    /// Checks the form of an address, looks up its host, and checks what was found.
    ///
    /// - Throws: ``WebhookSendError`` `url_invalid`, `name_not_found`, `address_refused` or `timed_out`.
    package func check(_ url: String) async throws(WebhookSendError) {
        let url = try WebhookURL(url)
        _ = try await checkedAddress(of: url, within: Self.lookupTimeout)
    }

    /// Sends a webhook.
    ///
    /// - Throws: ``WebhookSendError`` as ``check(_:)``, or `connection_failed`, `connection_lost`, `timed_out`.
    package func send(
        _ request: WebhookRequest,
        timeout: Duration
    ) async throws(WebhookSendError) -> WebhookAnswer {
        let url = try WebhookURL(request.url)
        do {
            let client = try await client(for: url)
            return try await exchange(request, to: url, by: client, timeout: timeout)
        } catch {
            let failure = WebhookSendError(failure: error)
            if failure.code == "connection_failed" {
                let host = Host(name: url.host, isSecure: url.isSecure)
                hosts.withLock { $0[host]?.isSuspect = true }
            }
            throw failure
        }
    }

    // MARK: - Addresses

    private func client(for url: WebhookURL) async throws -> HTTPClient {
        let host = Host(name: url.host, isSecure: url.isSecure)
        let known = hosts.withLock { $0[host] }
        if let known, !known.isSuspect, known.isFresh(for: addressLifetime) { return known.client }
        let last = known.flatMap { isUsable($0, for: url) ? $0 : nil }
        let address: NetworkAddress
        do throws(WebhookSendError) {
            let timeout = last == nil ? Self.lookupTimeout : Self.patience
            address = try await checkedAddress(of: url, preferring: known, within: timeout)
        } catch {
            guard error.code == WebhookSendError.timedOut.code, let last else { throw error }
            hosts.withLock { $0[host]?.pausedUntil = .now + Self.slowPause }
            return last.client
        }
        let (client, old) = hosts.withLock { hosts -> (HTTPClient, HTTPClient?) in
            if var current = hosts[host], current.address == address {
                (current.checkedAt, current.pausedUntil, current.isSuspect) = (.now, nil, false)
                hosts[host] = current
                return (current.client, nil)
            }
            let client = Self.makeClient(connecting: url.host, to: address)
            let old = hosts.updateValue(Known(address: address, client: client, checkedAt: .now), forKey: host)
            guard old == nil, hosts.count > Self.hostsMax,
                let oldest = hosts.min(by: { $0.value.checkedAt < $1.value.checkedAt })
            else { return (client, old?.client) }
            hosts[oldest.key] = nil
            return (client, oldest.value.client)
        }
        if let old {
            Task {
                try? await Task.sleep(for: Self.shutdownDelay)
                try? await old.shutdown()
            }
        }
        return client
    }

    /// An address of the host to which a connection may be made, if it is found in time.
    private func checkedAddress(
        of url: WebhookURL,
        preferring known: Known? = nil,
        within timeout: Duration
    ) async throws(WebhookSendError) -> NetworkAddress {
        do throws(WebhookSendError) {
            return try await Self.within(timeout) { try await self.checkedAddress(of: url, preferring: known) }
        } catch {
            guard error.code == WebhookSendError.timedOut.code else { throw error }
            throw WebhookSendError(error.code, "The name \(url.host) was not looked up in time. Check the DNS.")
        }
    }

    private func checkedAddress(
        of url: WebhookURL,
        preferring known: Known?
    ) async throws(WebhookSendError) -> NetworkAddress {
        var addresses = NetworkAddress(url.host).map { [$0] } ?? []
        if addresses.isEmpty { addresses = try await resolver.addresses(of: url.host) }
        try permit(addresses, for: url)
        if let known, addresses.contains(known.address) {
            guard known.isSuspect, addresses.count > 1 else { return known.address }
            addresses.removeAll { $0 == known.address }
        }
        guard let first = addresses.first(where: { $0.bytes.count == 4 }) ?? addresses.first else {
            throw WebhookSendError("name_not_found", "The name \(url.host) has no address.")
        }
        return first
    }

    /// Whether a connection may be made to the address that was checked last, while the name cannot be looked up.
    private func isUsable(_ known: Known, for url: WebhookURL) -> Bool {
        guard !known.isSuspect, ContinuousClock.now - known.checkedAt < Self.lastAddressLifetime else { return false }
        do throws(WebhookSendError) {
            try permit([known.address], for: url)
            return true
        } catch {
            return false
        }
    }

    /// Checks that connections may be made to all addresses of a host.
    private func permit(_ addresses: [NetworkAddress], for url: WebhookURL) throws(WebhookSendError) {
        // One bad address is enough: the next look-up could prefer it.
        if !allowsPrivateAddresses, addresses.contains(where: { !$0.isPublic }) {
            throw WebhookSendError(
                "address_refused",
                """
                \(url.host) has an address that is not public. Set webhooks.allow_private_addresses if \
                webhooks may go to your own network.
                """
            )
        }
        if !url.isSecure, addresses.contains(where: \.isPublic) {
            throw WebhookSendError(
                "address_refused",
                "Webhooks to public addresses need https, because they contain data about customers."
            )
        }
    }

    private static func makeClient(connecting host: String, to address: NetworkAddress) -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = connectTimeout
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsMax
        configuration.dnsOverride = [host: address.description]
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    // MARK: - Exchange

    private func exchange(
        _ request: WebhookRequest,
        to url: WebhookURL,
        by client: HTTPClient,
        timeout: Duration
    ) async throws -> WebhookAnswer {
        var call = HTTPClientRequest(url: url.text)
        call.method = .POST
        call.headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
        call.headers.add(name: "User-Agent", value: "perennial/\(ProgramVersion.current)")
        call.body = .bytes(ByteBuffer(bytes: request.body))
        let response = try await client.execute(call, timeout: .nanoseconds(Int64(timeout / .nanoseconds(1))))
        var answer = WebhookAnswer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After").map { String($0.prefix(Self.retryAfterMax)) }
        )
        // The status decides. Of a body that comes slowly or never ends, only the beginning is read.
        if response.headers.first(name: "Content-Length") != "0", response.status != .noContent {
            answer.body = await Self.beginning(of: response.body)
        }
        return answer
    }

    /// The beginning of a body, as far as it comes within a moment.
    private static func beginning(of body: HTTPClientResponse.Body) async -> [UInt8] {
        let read = ReadBytes()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    for try await part in body where !read.add(part.readableBytesView) { return }
                } catch {
                    // What came before the connection ended is kept.
                }
            }
            group.addTask { try? await Task.sleep(for: bodyTimeout) }
            await group.next()
            group.cancelAll()
        }
        return read.bytes
    }

    private static func within<Value: Sendable>(
        _ timeout: Duration,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(WebhookSendError) -> Value {
        do {
            return try await withThrowingTaskGroup(of: Value?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await operation() }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    return nil
                }
                guard let first = try await group.next(), let value = first else { throw WebhookSendError.timedOut }
                return value
            }
        } catch {
            throw WebhookSendError(failure: error)
        }
    }
}

/// The first bytes of a body.
private final class ReadBytes: Sendable {
    private let read = Mutex<[UInt8]>([])

    var bytes: [UInt8] { read.withLock { $0 } }

    /// Adds bytes, and returns whether more are wanted.
    func add(_ bytes: some Collection<UInt8>) -> Bool {
        read.withLock { read in
            read += bytes.prefix(WebhookAnswer.bodyBytesMax - read.count)
            return read.count < WebhookAnswer.bodyBytesMax
        }
    }
}

extension WebhookSendError {
    fileprivate static let timedOut = WebhookSendError(
        "timed_out",
        "The endpoint did not answer in time (webhooks.timeout_ms). Answer at once, and do slow work afterwards."
    )

    /// The error for an error of AsyncHTTPClient or NIO; its text has no text of the receiver.
    fileprivate init(failure: any Error) {
        switch failure {
        case let error as WebhookSendError: self = error
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout: self = .timedOut
        case is CancellationError: self.init("interrupted", "The server stopped before there was an answer.")
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            self.init("connection_failed", "No connection to the endpoint. Check its address, and that it runs.")
        case let error as HTTPClientError where error == .invalidURL:
            self.init("url_invalid", "The address cannot be called. Give the endpoint another one.")
        case let error as HTTPClientError where error == .connectTimeout:
            self.init("connection_failed", "No connection to the endpoint in time.")
        case let error as HTTPClientError:
            self.init("connection_lost", "The connection ended before there was an answer (\(error.shortDescription)).")
        default:
            let type = String(reflecting: type(of: failure))
            let isLost = type.hasPrefix("NIOCore.IOError") || type.hasPrefix("NIOHTTP1.")
            self.init(
                isLost ? "connection_lost" : "connection_failed",
                isLost
                    ? "The connection ended before there was an answer (\(type))."
                    : "No connection to the endpoint (\(type)). Check the address, the port and the certificate."
            )
        }
    }
}
