import AppStoreClient
import Synchronization

/// A clock that stands still but for sleeping, which passes at once.
final class VirtualClock: ClientClock {
    static let start: Int64 = 1_790_000_000_000

    private struct State {
        var wall: Int64
        var monotonic: Int64 = 50_000
        var sleeps: [Int64] = []
        var isCancelling = false
    }

    private let state: Mutex<State>

    init(wall: Int64 = VirtualClock.start) {
        state = Mutex(State(wall: wall))
    }

    var wallMilliseconds: Int64 { state.withLock { $0.wall } }
    var monotonicMilliseconds: Int64 { state.withLock { $0.monotonic } }

    /// How long was slept, each time.
    var sleeps: [Int64] { state.withLock { $0.sleeps } }

    func advance(milliseconds: Int64) {
        state.withLock {
            $0.wall += milliseconds
            $0.monotonic += milliseconds
        }
    }

    /// Sets the wall clock, as somebody who corrects it does.
    func correct(wall: Int64) {
        state.withLock { $0.wall = wall }
    }

    /// From now on every sleep ends as in a cancelled task.
    func cancelSleeps() {
        state.withLock { $0.isCancelling = true }
    }

    func sleep(milliseconds: Int64) async throws(CancellationError) {
        let isCancelling = state.withLock { state in
            state.sleeps.append(milliseconds)
            if !state.isCancelling {
                state.wall += milliseconds
                state.monotonic += milliseconds
            }
            return state.isCancelling
        }
        if isCancelling { throw CancellationError() }
    }
}
