import Foundation
import NIOCore
import Synchronization

/// Counts the open connections, in total and for each address.
package final class ConnectionCount: Sendable {
    private struct State {
        var open = 0
        var refused = 0
        var byAddress: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// Makes an empty count.
    package init() {}

    /// The number of open connections.
    package var current: Int { state.withLock { $0.open } }

    /// The number of connections that were closed at once because their address was at its limit.
    package var refused: Int { state.withLock { $0.refused } }

    /// Counts one more connection.
    ///
    /// - Parameters:
    ///   - address: The client address; nil if unknown.
    ///   - max: The maximum for one address; 0 for no limit.
    /// - Returns: Whether it is within the limit; otherwise it is not counted.
    func open(from address: ClientAddress?, max: Int) -> Bool {
        state.withLock { state in
            if let address {
                let count = state.byAddress[address, default: 0]
                guard max == 0 || count < max else {
                    state.refused += 1
                    return false
                }
                state.byAddress[address] = count + 1
            }
            state.open += 1
            return true
        }
    }

    /// Removes a counted connection.
    func close(from address: ClientAddress?) {
        state.withLock { state in
            state.open -= 1
            guard let address, let count = state.byAddress[address] else { return }
            state.byAddress[address] = count > 1 ? count - 1 : nil
        }
    }
}

/// The address of a client: an IPv4 address, or the first half of an IPv6 address.
///
/// A provider assigns at least a /64 network to each customer.
struct ClientAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The remote address.
    ///
    /// - Returns: nil for loopback, because a proxy on this machine has one address for all its clients; for Unix
    ///   sockets; and for unknown addresses.
    init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address)?:
            let bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
            self.init(version4: bytes)
        case .v6(let address)?:
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            if bytes.starts(with: mapped) {
                self.init(version4: Array(bytes.dropFirst(mapped.count)))
            } else {
                guard bytes != [UInt8](repeating: 0, count: 15) + [1] else { return nil }
                self.init(bytes: Array(bytes.prefix(8)))
            }
        default: return nil
        }
    }

    private init?(version4 bytes: [UInt8]) {
        guard bytes.first != 127 else { return nil }
        self.init(bytes: bytes)
    }
}
