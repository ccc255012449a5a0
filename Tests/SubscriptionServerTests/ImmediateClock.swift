import Synchronization

/// A clock that advances by each sleep at once. A test can run code during a sleep.
final class ImmediateClock: Clock {
    struct Instant: InstantProtocol {
        var elapsed: Duration

        func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
        func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    private struct State {
        var now = Instant(elapsed: .zero)
        var sleeps = 0
        var onSleep: @Sendable (Int) async throws -> Void = { _ in }
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    /// The number of sleeps.
    var sleeps: Int { state.withLock { $0.sleeps } }

    /// Sets the code that runs during each sleep. It receives the number of the sleep.
    func onSleep(_ body: @escaping @Sendable (Int) async throws -> Void) {
        state.withLock { $0.onSleep = body }
    }

    /// Makes every later sleep wait until it is cancelled.
    func blockSleeps() {
        onSleep { _ in
            for await _ in AsyncStream.makeStream(of: Never.self).stream {}
            try Task.checkCancellation()
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (number, body) = state.withLock { state in
            state.sleeps += 1
            return (state.sleeps, state.onSleep)
        }
        try await body(number)
        state.withLock { $0.now = max($0.now, deadline) }
    }
}
