import Hummingbird
import NIOCore
import SubscriptionOperations
import Synchronization

/// One request at the gate: whether it has a place among those under way, and what has arrived of its body.
package final class Admission: Sendable {
    private struct State {
        var hasPlace = true
        var body: Int?
    }

    private let gate: AdmissionGate
    private let cut: @Sendable () -> Void
    private let state = Mutex(State())

    /// A request that the gate has let in.
    ///
    /// - Parameter cut: Ends its connection.
    init(_ gate: AdmissionGate, cut: @escaping @Sendable () -> Void) {
        self.gate = gate
        self.cut = cut
    }

    /// Gives everything back.
    func end() {
        let held = state.withLock { state in
            defer { state = State(hasPlace: false) }
            return state
        }
        if held.hasPlace { gate.leave() }
        if let body = held.body { gate.end(body) }
    }

    /// Does what waits for somebody else and has bounds of its own, without a place among the requests under way. The
    /// bytes of the body do not count any more either.
    func withoutPlace<Value: Sendable, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if takePlace() { gate.leave() }
        if let body = state.withLock({ $0.body }) { gate.end(body) }
        defer {
            gate.enterAgain()
            state.withLock { $0.hasPlace = true }
        }
        return try await work()
    }

    /// The body is waited for: the request gives its place back until it is whole.
    fileprivate func receive() {
        guard state.withLock({ $0.body == nil }) else { return }
        let number = gate.begin(cut: cut)
        state.withLock { $0.body = number }
        if takePlace() { gate.leave() }
    }

    fileprivate func received(_ bytes: Int) throws(APIError) {
        guard let body = state.withLock({ $0.body }), gate.add(bytes, to: body) else { throw .overloaded }
    }

    fileprivate func complete() throws(APIError) {
        guard let body = state.withLock({ $0.hasPlace ? nil : $0.body }) else { return }
        guard gate.complete(body) else { throw .overloaded }
        state.withLock { $0.hasPlace = true }
    }

    /// Whether it had a place, which it has no longer.
    private func takePlace() -> Bool {
        state.withLock { state in
            defer { state.hasPlace = false }
            return state.hasPlace
        }
    }
}

/// A body that counts at the gate as it arrives.
struct AdmittedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let admission: Admission

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), admission: admission)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let admission: Admission

        @concurrent mutating func next() async throws -> ByteBuffer? {
            admission.receive()
            guard let part = try await base.next() else {
                try admission.complete()
                return nil
            }
            try admission.received(part.readableBytes)
            return part
        }
    }
}

/// The place of a request, which it gives back while it waits for the App Store. What it does before and after, such as
/// to verify and to store, counts.
struct AdmissionPermit: RequestPermit {
    let admission: Admission?

    func released<Value: Sendable>(
        during work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        guard let admission else { return try await work() }
        return try await admission.withoutPlace(work)
    }
}

extension ServerRequestContext {
    /// The request's place among those under way.
    var permit: AdmissionPermit { AdmissionPermit(admission: admission) }
}
