import NIOPosix
import SubscriptionOperations

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Finds the addresses of a host.
protocol NameResolver: Sendable {
    /// The addresses of a name, in the system's order of preference.
    ///
    /// - Throws: ``WebhookSendError`` `name_not_found`.
    func addresses(of host: String) async throws(WebhookSendError) -> [NetworkAddress]
}

/// Asks the system: the hosts file and the domain name system.
struct SystemNameResolver: NameResolver {
    /// Look-ups block a thread, and a slow one must not hold up all others.
    private static let threads: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 8)
        pool.start()
        return pool
    }()

    func addresses(of host: String) async throws(WebhookSendError) -> [NetworkAddress] {
        let found: [NetworkAddress]
        do {
            found = try await Self.threads.runIfActive { Self.lookUp(host) }
        } catch {
            throw WebhookSendError("name_not_found", "The name \(host) was not looked up, because the server stops.")
        }
        guard !found.isEmpty else {
            throw WebhookSendError("name_not_found", "The name \(host) has no address. Check the URL and the DNS.")
        }
        return found
    }

    private static func lookUp(_ host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [NetworkAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr.flatMap(NetworkAddress.init), !found.contains(address) {
                found.append(address)
            }
            next = entry.ai_next
        }
        return found
    }
}

extension NetworkAddress {
    fileprivate init?(_ address: UnsafeMutablePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
            self.init(bytes: bytes)
        case AF_INET6:
            let bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
            self.init(bytes: bytes)
        default: return nil
        }
    }
}
