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
