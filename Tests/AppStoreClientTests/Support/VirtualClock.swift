import AppStoreClient
import Synchronization

/// A clock that moves only by sleeps, which return at once. A deadline waits until other tasks have slept this long.
final class VirtualClock: ClientClock {
    static let start: Int64 = 1_790_000_000_000

    private struct State {
        var wall: Int64
        var monotonic: Int64 = 50_000
        var sleeps: [Int64] = []
        var isCancelling = false
        var duringNextSleep: (@Sendable () async -> Void)?
        var deadlines: [Deadline] = []
        var deadlineCount = 0
        var deadlinesPass = false
        var cancelledDeadlines: Set<Int> = []

        mutating func advance(_ milliseconds: Int64) -> [Deadline] {
            wall += milliseconds
            monotonic += milliseconds
            let over = deadlines.filter { $0.time <= monotonic }
            deadlines.removeAll { $0.time <= monotonic }
            return over
        }
    }

    private struct Deadline {
        let number: Int
        let time: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    let isRealTime: Bool
    private let state: Mutex<State>

    init(wall: Int64 = VirtualClock.start, isRealTime: Bool = true) {
        self.isRealTime = isRealTime
        state = Mutex(State(wall: wall))
    }

    var wallMilliseconds: Int64 { state.withLock { $0.wall } }
    var monotonicMilliseconds: Int64 { state.withLock { $0.monotonic } }

    /// The duration of each sleep.
    var sleeps: [Int64] { state.withLock { $0.sleeps } }

    func advance(milliseconds: Int64) {
        let over = state.withLock { $0.advance(milliseconds) }
        for deadline in over { deadline.continuation.resume() }
    }

    /// Sets the wall clock, as a correction does.
    func correct(wall: Int64) {
        state.withLock { $0.wall = wall }
    }

    /// From now on every sleep ends as in a cancelled task.
    func cancelSleeps() {
        state.withLock { $0.isCancelling = true }
    }

    /// Runs concurrently with the next sleep, before its end.
    func duringNextSleep(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.duringNextSleep = action }
    }

    /// From now on all deadlines expire at once: current and future ones.
    func letDeadlinesPass() {
        let time = state.withLock { state in
            state.deadlinesPass = true
            return state.deadlines.map(\.time).max() ?? state.monotonic
        }
        advance(milliseconds: time - monotonicMilliseconds)
    }

    func sleep(milliseconds: Int64) async throws(CancellationError) {
        let (isCancelling, action) = state.withLock { state in
            state.sleeps.append(milliseconds)
            defer { state.duringNextSleep = nil }
            return (state.isCancelling, state.duringNextSleep)
        }
        if isCancelling { throw CancellationError() }
        await action?()
        advance(milliseconds: milliseconds)
    }

    func waitForDeadline(milliseconds: Int64) async throws(CancellationError) {
        let number = state.withLock { state in
            state.deadlineCount += 1
            return state.deadlineCount
        }
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait(milliseconds, number, continuation)
                }
            } onCancel: {
                cancelDeadline(number)
            }
        } catch {
            throw CancellationError()
        }
    }

    private func wait(_ milliseconds: Int64, _ number: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isCancelled, isOver) = state.withLock { state in
            if state.cancelledDeadlines.remove(number) != nil { return (true, true) }
            guard !state.deadlinesPass else { return (false, true) }
            let time = state.monotonic + milliseconds
            state.deadlines.append(Deadline(number: number, time: time, continuation: continuation))
            return (false, false)
        }
        if isCancelled {
            continuation.resume(throwing: CancellationError())
        } else if isOver {
            advance(milliseconds: milliseconds)
            continuation.resume()
        }
    }

    private func cancelDeadline(_ number: Int) {
        let deadline = state.withLock { state -> Deadline? in
            guard let index = state.deadlines.firstIndex(where: { $0.number == number }) else {
                state.cancelledDeadlines.insert(number)
                return nil
            }
            return state.deadlines.remove(at: index)
        }
        deadline?.continuation.resume(throwing: CancellationError())
    }
}
