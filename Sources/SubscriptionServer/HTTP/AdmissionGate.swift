import Synchronization

/// Counts the requests that are under way, and the bytes of their bodies that have arrived.
///
/// A body counts as it arrives, and its request has a place among those under way once it is whole: a client that
/// declares much and sends little holds next to nothing. Where the bytes are used up, the body that has most of them
/// and has been arriving for longer than ``patience`` is cut off.
package final class AdmissionGate: Sendable {
    /// How long a body may be arriving before it makes room for others.
    static let patience = Duration.seconds(1)

    private struct Body {
        var bytes = 0
        var isWhole = false
        let since: ContinuousClock.Instant
        /// Ends the connection that the body comes by.
        let cut: @Sendable () -> Void
    }

    private struct State {
        var requests = 0
        var bytes = 0
        var lastBody = 0
        var bodies: [Int: Body] = [:]
    }

    private let requestsMax: Int
    private let bytesMax: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    /// Nothing is under way.
    ///
    /// - Parameters:
    ///   - requestsMax: How many requests may be under way.
    ///   - bytesMax: How many bytes their bodies may have together.
    ///   - now: The clock by which bodies arrive.
    package init(
        requestsMax: Int,
        bytesMax: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.requestsMax = requestsMax
        self.bytesMax = bytesMax
        self.now = now
    }

    /// Bytes of bodies that have arrived and are not answered yet.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// Requests that are under way.
    package var requests: Int { state.withLock { $0.requests } }

    /// Takes a place among the requests under way; what is let in must leave.
    ///
    /// - Returns: Whether there was one.
    func enter() -> Bool {
        state.withLock { state in
            guard state.requests < requestsMax else { return false }
            state.requests += 1
            return true
        }
    }

    /// Takes a place whether there is one or not: for what was let in before.
    func enterAgain() { state.withLock { $0.requests += 1 } }

    func leave() { state.withLock { $0.requests -= 1 } }

    /// A body begins to arrive.
    ///
    /// - Parameter cut: Ends its connection.
    /// - Returns: Its number, which must be given back with ``end(_:)``.
    func begin(cut: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastBody += 1
            state.bodies[state.lastBody] = Body(since: now(), cut: cut)
            return state.lastBody
        }
    }

    /// Some of a body has arrived.
    ///
    /// - Returns: Whether there is room for it. A body that is the only one always has room.
    func add(_ bytes: Int, to number: Int) -> Bool {
        let (fits, cut) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            guard let own = state.bodies[number]?.bytes else { return (false, []) }
            var cut: [@Sendable () -> Void] = []
            while state.bytes > own, bytes > bytesMax - state.bytes {
                guard let slow = slowest(of: state.bodies, but: number) else { return (false, cut) }
                cut.append(slow.body.cut)
                state.bytes -= slow.body.bytes
                state.bodies[slow.number] = nil
            }
            state.bodies[number]?.bytes += bytes
            state.bytes += bytes
            return (true, cut)
        }
        for end in cut { end() }
        return fits
    }

    /// A body is whole; its bytes count until its request is answered.
    ///
    /// - Returns: Whether there is a place for its request, which it has then.
    func complete(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.bodies[number] != nil, state.requests < requestsMax else { return false }
            state.bodies[number]?.isWhole = true
            state.requests += 1
            return true
        }
    }

    /// The request of a body was answered, or the body will not become whole.
    func end(_ number: Int) {
        state.withLock { state in
            guard let body = state.bodies.removeValue(forKey: number) else { return }
            state.bytes -= body.bytes
        }
    }

    /// The body that frees most of those which have been arriving for long.
    private func slowest(of bodies: [Int: Body], but number: Int) -> (number: Int, body: Body)? {
        let limit = now() - Self.patience
        let slow = bodies.filter {
            !$0.value.isWhole && $0.value.bytes > 0 && $0.value.since < limit && $0.key != number
        }
        return slow.max { $0.value.bytes < $1.value.bytes }.map { ($0.key, $0.value) }
    }
}
