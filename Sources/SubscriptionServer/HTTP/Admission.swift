import Hummingbird
import NIOCore
import SubscriptionOperations
import Synchronization

/// The admission of one request: whether it has a permit, and the received bytes of its body.
package final class Admission: Sendable {
    private struct State {
        var hasPermit = true
        var body: Int?
    }

    private let gate: AdmissionGate
    private let cut: @Sendable () -> Void
    private let state = Mutex(State())

    /// Makes the admission of a request that the gate has admitted.
    ///
    /// - Parameter cut: Closes its connection.
    init(_ gate: AdmissionGate, cut: @escaping @Sendable () -> Void) {
        self.gate = gate
        self.cut = cut
    }

    /// Releases the permit and the bytes of the body.
    func end() {
        let ended = state.withLock { state in
            defer { state = State(hasPermit: false) }
            return state
        }
        if ended.hasPermit { gate.leave() }
        if let body = ended.body { gate.end(body) }
    }

    /// Runs work without the permit, for work that waits for an external service and has its own limits. The bytes of
    /// the body are released too.
    func withoutPermit<Value: Sendable, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if releasePermit() { gate.leave() }
        if let body = state.withLock({ $0.body }) { gate.end(body) }
        defer {
            gate.enterAgain()
            state.withLock { $0.hasPermit = true }
        }
        return try await work()
    }

    /// Releases the permit while the body arrives.
    fileprivate func receive() {
        guard state.withLock({ $0.body == nil }) else { return }
        let number = gate.begin(cut: cut)
        state.withLock { $0.body = number }
        if releasePermit() { gate.leave() }
    }

    fileprivate func received(_ bytes: Int) throws(APIError) {
        guard let body = state.withLock({ $0.body }), gate.add(bytes, to: body) else { throw .overloaded }
    }

    fileprivate func complete() throws(APIError) {
        guard let body = state.withLock({ $0.hasPermit ? nil : $0.body }) else { return }
        guard gate.complete(body) else { throw .overloaded }
        state.withLock { $0.hasPermit = true }
    }

    /// Marks the permit as released and returns whether there was one.
    private func releasePermit() -> Bool {
        state.withLock { state in
            defer { state.hasPermit = false }
            return state.hasPermit
        }
    }
}

/// A body whose bytes count at the gate as they arrive.
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

/// The permit of a request, which is released while it waits for the App Store. Work before and after, such as
/// verification and storage, needs the permit.
struct AdmissionPermit: RequestPermit {
    let admission: Admission?

    func released<Value: Sendable>(
        during work: () async throws(OperationError) -> Value
    ) async throws(OperationError) -> Value {
        guard let admission else { return try await work() }
        return try await admission.withoutPermit(work)
    }
}

extension ServerRequestContext {
    /// The request's permit.
    var permit: AdmissionPermit { AdmissionPermit(admission: admission) }
}
