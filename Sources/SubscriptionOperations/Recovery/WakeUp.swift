/// Wakes a waiting service up when there is work for it.
final class WakeUp: Sendable {
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Ends the wait, or the next one.
    func call() { signal.yield() }

    /// Waits for a call, or until the time has passed. Only one task may wait.
    func wait(atMost duration: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [signals] in
                for await _ in signals { return }
            }
            // A cancelled sleep ends the wait too.
            group.addTask { try? await Task.sleep(for: duration) }
            await group.next()
            group.cancelAll()
        }
    }
}
