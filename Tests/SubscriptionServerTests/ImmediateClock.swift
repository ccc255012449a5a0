import Synchronization

/// A clock that stands until somebody sleeps: a minute's wait takes no time, and a test says what happens meanwhile.
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
    /// How often somebody slept.
    var sleeps: Int { state.withLock { $0.sleeps } }

    /// Says what happens during a sleep, by its number.
    func onSleep(_ body: @escaping @Sendable (Int) async throws -> Void) {
        state.withLock { $0.onSleep = body }
    }

    /// Lets nobody's sleep end from now on, but by being cancelled.
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
