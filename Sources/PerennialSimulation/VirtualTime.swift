import Synchronization

/// The virtual clock of a simulation, and the tasks that wait for a time on it.
final class VirtualTime: Sendable {
    private struct Timer {
        let dueAt: Int64
        let number: Int
        let continuation: UnsafeContinuation<Void, Never>
    }

    private struct State {
        var now: Int64
        /// In order of their times.
        var timers: [Timer] = []
        var started = 0
        /// The timers whose task was cancelled before it began to wait.
        var cancelled: Set<Int> = []

        mutating func insert(_ continuation: UnsafeContinuation<Void, Never>, after milliseconds: Int64, number: Int) {
            let dueAt = now + max(0, milliseconds)
            let index = timers.lastIndex { $0.dueAt <= dueAt }.map { $0 + 1 } ?? 0
            timers.insert(Timer(dueAt: dueAt, number: number, continuation: continuation), at: index)
        }
    }

    private let state: Mutex<State>

    init(_ start: Int64) { state = Mutex(State(now: start)) }

    /// Milliseconds since 1970.
    var now: Int64 { state.withLock { $0.now } }

    /// When the next task continues; nil if none waits.
    var nextDue: Int64? { state.withLock { $0.timers.first?.dueAt } }

    /// Waits, also in a cancelled task.
    func pause(milliseconds: Int64) async {
        await withUnsafeContinuation { continuation in
            state.withLock { state in
                state.started += 1
                state.insert(continuation, after: milliseconds, number: state.started)
            }
        }
    }

    /// Waits until the time or until the task is cancelled.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(milliseconds: Int64) async throws(CancellationError) {
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return true }
                    state.insert(continuation, after: milliseconds, number: number)
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state -> UnsafeContinuation<Void, Never>? in
                guard let index = state.timers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.timers.remove(at: index).continuation
            }
            waiting?.resume()
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        if Task.isCancelled { throw CancellationError() }
    }

    /// Moves the clock and lets every task continue whose time has come.
    func advance(to time: Int64) {
        let due = state.withLock { state in
            state.now = max(state.now, time)
            let due = state.timers.prefix { $0.dueAt <= state.now }
            state.timers.removeFirst(due.count)
            return Array(due)
        }
        for timer in due { timer.continuation.resume() }
    }
}
