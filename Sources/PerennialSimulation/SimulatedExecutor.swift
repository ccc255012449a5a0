import Dispatch
import PerennialPrimitives
import Synchronization

/// Runs the jobs of a simulation on the thread of its loop, one at a time, in an order that a seed determines.
///
/// Work outside the simulation, such as a commit of a real database, blocks the loop until its result is here. So its
/// duration never changes the order.
final class SimulatedExecutor: TaskExecutor {
    private struct State {
        var ready: [UnownedJob] = []
        /// The jobs that belong to the running work outside, in order of arrival.
        var returning: [UnownedJob] = []
        var isOutside = false
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOutside = state.withLock { state in
            if state.isOutside { state.returning.append(job) } else { state.ready.append(job) }
            return state.isOutside
        }
        if isOutside { arrivals.signal() }
    }

    /// Whether work outside is running.
    var isOutside: Bool { state.withLock { $0.isOutside } }

    /// Runs one job that is ready.
    ///
    /// - Returns: False if none is ready.
    func runOne(choosingWith random: inout SplitMix64) -> Bool {
        if let job = returningJob() {
            job.runSynchronously(on: asUnownedTaskExecutor())
            return true
        }
        let job = state.withLock { state -> UnownedJob? in
            guard !state.ready.isEmpty else { return nil }
            return state.ready.remove(at: Int(random.next() % UInt64(state.ready.count)))
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
        return job != nil
    }

    /// Does work whose result comes from other threads, and lets nothing else run meanwhile.
    func outside<Value, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        state.withLock { state in
            precondition(!state.isOutside, "work outside is not nested")
            state.isOutside = true
        }
        defer { state.withLock { $0.isOutside = false } }
        return try await work()
    }

    /// The next job of the work outside; nil if there is no such work. Waits for it.
    private func returningJob() -> UnownedJob? {
        guard state.withLock({ $0.isOutside }) else { return nil }
        arrivals.wait()
        return state.withLock { $0.returning.removeFirst() }
    }
}
