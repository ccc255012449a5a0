import LocalAppStoreServer
import Synchronization

/// Real time that only the test moves.
final class ManualTime: RealTimeSource {
    private struct Sleeper {
        let id: Int
        let until: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Int64 = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var nextId = 0
    }

    private let state = Mutex(State())

    func milliseconds() -> Int64 { state.withLock(\.now) }

    /// Whether somebody sleeps.
    var isAwaited: Bool { state.withLock { !$0.sleepers.isEmpty } }

    func advance(by milliseconds: Int64) {
        let due = state.withLock { state in
            state.now += milliseconds
            let now = state.now
            defer { state.sleepers.removeAll { $0.until <= now } }
            return state.sleepers.filter { $0.until <= now }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    func sleep(milliseconds: Int64) async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    let sleeper = Sleeper(id: id, until: state.now + milliseconds, continuation: continuation)
                    state.sleepers.append(sleeper)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let position = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: position)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
