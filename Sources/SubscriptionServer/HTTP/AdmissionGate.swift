import Synchronization

/// Limits the number of concurrent requests and the received bytes of their bodies.
///
/// The bytes of a body count as they arrive, and its request gets a permit once the body is complete. So a client that
/// declares a large body and sends little uses almost nothing. If the bytes are used up, the largest body that has been
/// arriving for longer than ``patience`` is aborted.
package final class AdmissionGate: Sendable {
    /// How long a body may arrive before it can be aborted for others.
    static let patience = Duration.seconds(1)

    private struct Body {
        var bytes = 0
        var isWhole = false
        let since: ContinuousClock.Instant
        /// Closes the connection of the body.
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

    /// Makes a gate without requests.
    ///
    /// - Parameters:
    ///   - requestsMax: The maximum number of concurrent requests.
    ///   - bytesMax: The maximum number of bytes of their bodies in total.
    ///   - now: The clock for arriving bodies.
    package init(
        requestsMax: Int,
        bytesMax: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.requestsMax = requestsMax
        self.bytesMax = bytesMax
        self.now = now
    }

    /// The received bytes of unanswered requests.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// The number of concurrent requests.
    package var requests: Int { state.withLock { $0.requests } }

    /// Acquires a permit, which must be released with `leave()`.
    ///
    /// - Returns: Whether a permit was free.
    func enter() -> Bool {
        state.withLock { state in
            guard state.requests < requestsMax else { return false }
            state.requests += 1
            return true
        }
    }

    /// Acquires a permit even above the limit, for a request that was admitted before.
    func enterAgain() { state.withLock { $0.requests += 1 } }

    func leave() { state.withLock { $0.requests -= 1 } }

    /// Registers a body that begins to arrive.
    ///
    /// - Parameter cut: Closes its connection.
    /// - Returns: Its number, which must be passed to ``end(_:)``.
    func begin(cut: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.lastBody += 1
            state.bodies[state.lastBody] = Body(since: now(), cut: cut)
            return state.lastBody
        }
    }

    /// Adds received bytes of a body.
    ///
    /// - Returns: Whether they are within the limit. A single body is always within the limit.
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

    /// Marks a body as complete; its bytes count until its request is answered.
    ///
    /// - Returns: Whether its request got a permit.
    func complete(_ number: Int) -> Bool {
        state.withLock { state in
            guard state.bodies[number] != nil, state.requests < requestsMax else { return false }
            state.bodies[number]?.isWhole = true
            state.requests += 1
            return true
        }
    }

    /// Removes a body whose request was answered or that will not be completed.
    func end(_ number: Int) {
        state.withLock { state in
            guard let body = state.bodies.removeValue(forKey: number) else { return }
            state.bytes -= body.bytes
        }
    }

    /// The largest of the bodies that have been arriving for longer than ``patience``.
    private func slowest(of bodies: [Int: Body], but number: Int) -> (number: Int, body: Body)? {
        let limit = now() - Self.patience
        let slow = bodies.filter {
            !$0.value.isWhole && $0.value.bytes > 0 && $0.value.since < limit && $0.key != number
        }
        return slow.max { $0.value.bytes < $1.value.bytes }.map { ($0.key, $0.value) }
    }
}
