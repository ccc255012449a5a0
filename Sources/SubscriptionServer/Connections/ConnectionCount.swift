import Foundation
import NIOCore
import Synchronization

/// Counts the open connections, in all and from each address.
package final class ConnectionCount: Sendable {
    private struct State {
        var open = 0
        var refused = 0
        var byAddress: [ClientAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// None.
    package init() {}

    /// How many connections are open.
    package var current: Int { state.withLock { $0.open } }

    /// How many connections were closed at once, because their address had as many as it may have.
    package var refused: Int { state.withLock { $0.refused } }

    /// Counts one more connection.
    ///
    /// - Parameters:
    ///   - address: Where it comes from; nil where that is not known.
    ///   - max: How many one address may have; 0 for any number.
    /// - Returns: Whether there is room for it; it is not counted otherwise.
    func open(from address: ClientAddress?, max: Int) -> Bool {
        state.withLock { state in
            if let address {
                let held = state.byAddress[address, default: 0]
                guard max == 0 || held < max else {
                    state.refused += 1
                    return false
                }
                state.byAddress[address] = held + 1
            }
            state.open += 1
            return true
        }
    }

    /// Takes a connection back that was counted.
    func close(from address: ClientAddress?) {
        state.withLock { state in
            state.open -= 1
            guard let address, let held = state.byAddress[address] else { return }
            state.byAddress[address] = held > 1 ? held - 1 : nil
        }
    }
}

/// Where a connection comes from, as far as one party has it: an IPv4 address, or the first half of an IPv6 address.
///
/// An IPv6 network of 64 bits is what one customer of a provider has.
struct ClientAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The address of the other end.
    ///
    /// - Returns: nil for loopback, a socket in the file system, and where the address is not known: a proxy on this
    ///   machine has one address for all of its clients.
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
