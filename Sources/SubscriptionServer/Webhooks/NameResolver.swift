import Foundation
import SubscriptionOperations
import Synchronization

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
///
/// A look-up blocks a thread and cannot be stopped. So callers that give up leave it alone, all that ask for a host
/// share one look-up, and hosts that were found before have threads of their own: a few hosts whose look-ups hang hold
/// up no others.
final class SystemNameResolver: NameResolver {
    /// The most look-ups at the same time.
    static let threadsMax = 64
    /// The most look-ups at the same time of hosts that were not found before.
    static let threadsForNewHosts = 48
    /// The most hosts that are remembered.
    private static let foundMax = 8_192

    private struct LookUp {
        /// Those who wait for the result.
        var waiting: [UInt64: AsyncStream<[NetworkAddress]>.Continuation] = [:]
        var isRunning = false
    }

    private struct State {
        var lookUps: [String: LookUp] = [:]
        /// The hosts that wait for a thread, in order.
        var queue: [String] = []
        var running = 0
        /// The hosts that were found before.
        var found: Set<String> = []
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())
    private let lookUp: @Sendable (String) -> [NetworkAddress]

    /// Makes a resolver.
    ///
    /// - Parameter lookUp: Finds the addresses of a host; it may block.
    init(by lookUp: @escaping @Sendable (String) -> [NetworkAddress] = SystemNameResolver.ask) {
        self.lookUp = lookUp
    }

    /// How many callers wait for the addresses of a name.
    func waitingCount(of host: String) -> Int { state.withLock { $0.lookUps[host]?.waiting.count ?? 0 } }

    /// The addresses of a name; a cancelled caller does not wait for them.
    ///
    /// - Throws: ``WebhookSendError`` `name_not_found`, or `interrupted` after a cancellation.
    func addresses(of host: String) async throws(WebhookSendError) -> [NetworkAddress] {
        let (results, result) = AsyncStream.makeStream(of: [NetworkAddress].self)
        let id = state.withLock { state in
            state.nextID += 1
            if state.lookUps[host] == nil { state.queue.append(host) }
            state.lookUps[host, default: LookUp()].waiting[state.nextID] = result
            return state.nextID
        }
        startWaiting()
        var found: [NetworkAddress]?
        for await addresses in results { found = addresses }
        guard let found else {
            leave(host, id)
            throw WebhookSendError("interrupted", "The name \(host) was not looked up in time.")
        }
        guard !found.isEmpty else {
            throw WebhookSendError("name_not_found", "The name \(host) has no address. Check the URL and the DNS.")
        }
        return found
    }

    /// A caller gave up. A look-up that did not begin is dropped with its last caller.
    private func leave(_ host: String, _ id: UInt64) {
        state.withLock { state in
            state.lookUps[host]?.waiting[id] = nil
            guard let lookUp = state.lookUps[host], !lookUp.isRunning, lookUp.waiting.isEmpty else { return }
            state.lookUps[host] = nil
            state.queue.removeAll { $0 == host }
        }
    }

    /// Starts the look-ups for which there is a thread.
    private func startWaiting() {
        while let host = state.withLock({ Self.next(&$0) }) {
            Thread.detachNewThread {
                let addresses = self.lookUp(host)
                let waiting = self.state.withLock { state in
                    state.running -= 1
                    if !addresses.isEmpty {
                        if state.found.count >= Self.foundMax { state.found = [] }
                        state.found.insert(host)
                    }
                    return state.lookUps.removeValue(forKey: host)?.waiting ?? [:]
                }
                for result in waiting.values {
                    result.yield(addresses)
                    result.finish()
                }
                self.startWaiting()
            }
        }
    }

    private static func next(_ state: inout State) -> String? {
        guard state.running < threadsMax else { return nil }
        let index =
            state.running < threadsForNewHosts
            ? state.queue.indices.first : state.queue.firstIndex(where: state.found.contains)
        guard let index else { return nil }
        let host = state.queue.remove(at: index)
        state.lookUps[host]?.isRunning = true
        state.running += 1
        return host
    }

    /// Asks the system, and waits for its answer.
    static func ask(_ host: String) -> [NetworkAddress] {
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
            let socket = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            let isVersionSix = entry.ai_family == AF_INET6
            if isVersionSix || entry.ai_family == AF_INET,
                let address = NetworkAddress(socket: socket, isVersionSix: isVersionSix), !found.contains(address)
            {
                found.append(address)
            }
            next = entry.ai_next
        }
        return found
    }
}
