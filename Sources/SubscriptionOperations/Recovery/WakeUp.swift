import Synchronization

/// Wakes a waiting service up when there is work for it.
final class WakeUp: Sendable {
    private struct State {
        /// Whether it was called while nobody waited.
        var isCalled = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: The clock of the waits.
    init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
        self.sleep = sleep
    }

    /// Ends the wait, or the next one.
    func call() {
        let waiting = state.withLock { state in
            state.isCalled = state.waiting == nil
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits for a call, or until the time has passed. Only one task may wait.
    func wait(atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitForCall() }
            // A cancelled sleep ends the wait too.
            group.addTask { try? await self.sleep(duration) }
            await group.next()
            group.cancelAll()
        }
    }

    private func waitForCall() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !state.isCalled, !Task.isCancelled else {
                        state.isCalled = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
    }
}
