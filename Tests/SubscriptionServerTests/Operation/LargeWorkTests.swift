import Dispatch
import Testing

@testable import SubscriptionServer

/// Parsing a receipt of several megabytes takes tens of milliseconds. On an event loop it would block all other
/// connections.
@Suite struct `Processing a large body` {
    /// Runs tasks on one queue, like an event loop, and knows whether the current code runs on it.
    private final class Loop: TaskExecutor {
        private static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "loop")

        init() { queue.setSpecific(key: Self.key, value: true) }

        static var isRunning: Bool { DispatchQueue.getSpecific(key: key) == true }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Whether the work on a body of this size, and the code after it, run on the event loop.
    private func runsOnLoop(bytes: Int) async throws -> (work: Bool, after: Bool) {
        try await withTaskExecutorPreference(Loop()) {
            try #require(Loop.isRunning)
            let work = try await LargeWork.run(bytes: bytes) { Loop.isRunning }
            return (work, Loop.isRunning)
        }
    }

    @Test(arguments: [64 << 10, 6 << 20])
    func `leaves the event loop, and the request continues on it`(bytes: Int) async throws {
        let onLoop = try await runsOnLoop(bytes: bytes)
        #expect(onLoop.work == false)
        #expect(onLoop.after == true)
    }

    @Test(arguments: [0, 1_000, 65_535])
    func `stays on the event loop when the body is small`(bytes: Int) async throws {
        let onLoop = try await runsOnLoop(bytes: bytes)
        #expect(onLoop.work == true)
        #expect(onLoop.after == true)
    }

    @Test func `rethrows an error`() async {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await LargeWork.run(bytes: 6 << 20) { throw Failure() } }
    }
}
