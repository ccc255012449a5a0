import Dispatch
import Testing

@testable import SubscriptionServer

/// A receipt of megabytes takes tens of milliseconds to be parsed: on an event loop every other connection would wait
/// for it.
@Suite struct `Processing a large body` {
    /// Runs tasks on one queue, as an event loop does, which can tell whether it is the one that runs.
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

    /// Where work on so many bytes runs, and what goes on after it, when a request on the loop asks for it.
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
