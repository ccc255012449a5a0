import Synchronization

/// Batches the inputs of many callers: what arrives while all workers are busy becomes the next batch.
///
/// No caller waits for a batch to fill. If a worker is free, it starts at once and takes all inputs that arrived until
/// then. Batches grow under load.
final class Batcher<Input: Sendable, Output: Sendable>: Sendable {
    /// The queue is full.
    struct Overloaded: Error {}

    private struct Entry: Sendable {
        let input: Input
        /// Called once, by a worker.
        let done: @Sendable (Output) -> Void
    }

    private struct State {
        /// In order of arrival.
        var waiting: [Entry] = []
        var workers = 0
        /// The number of workers that were started and have not taken a batch yet.
        var starting = 0
    }

    private let workersMax: Int
    private let sizeMax: Int
    private let waitingMax: Int
    private let work: @Sendable ([Input]) async -> [Output]
    private let state = Mutex(State())

    /// Makes a batcher.
    ///
    /// - Parameters:
    ///   - workersMax: The maximum number of concurrent batches.
    ///   - sizeMax: The maximum number of inputs in a batch.
    ///   - waitingMax: The maximum number of waiting inputs.
    ///   - work: Returns an output for each input, in the same order.
    init(
        workersMax: Int,
        sizeMax: Int,
        waitingMax: Int,
        work: @escaping @Sendable ([Input]) async -> [Output]
    ) {
        precondition(workersMax > 0 && sizeMax > 0, "workersMax and sizeMax must be positive")
        self.workersMax = workersMax
        self.sizeMax = sizeMax
        self.waitingMax = waitingMax
        self.work = work
    }

    /// The number of inputs that wait for a worker.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Queues an input and calls `done` with its output after its batch.
    ///
    /// - Parameter done: Called once, on the worker: it must return quickly.
    /// - Throws: ``Overloaded``; then the input is dropped and `done` is not called.
    func take(_ input: Input, then done: @escaping @Sendable (Output) -> Void) throws(Overloaded) {
        let isWorkerWanted = state.withLock { state -> Bool? in
            let isWorkerFree = state.workers < workersMax
            guard isWorkerFree || state.waiting.count - state.starting < waitingMax else { return nil }
            state.waiting.append(Entry(input: input, done: done))
            if isWorkerFree {
                state.workers += 1
                state.starting += 1
            }
            return isWorkerFree
        }
        guard let isWorkerWanted else { throw Overloaded() }
        // An unstructured task: cancelling the first caller must not cancel the work of the others.
        if isWorkerWanted { Task(executorPreference: ProcessSurroundings.backgroundExecutor) { await self.serve() } }
    }

    /// Processes batches until no input waits.
    private func serve() async {
        state.withLock { $0.starting -= 1 }
        while let batch = next() {
            let outputs = await work(batch.map(\.input))
            precondition(outputs.count == batch.count, "an output is missing")
            for (entry, output) in zip(batch, outputs) { entry.done(output) }
        }
    }

    /// The next batch; nil if no input waits: then the worker ends.
    private func next() -> [Entry]? {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(sizeMax))
            state.waiting.removeFirst(batch.count)
            if batch.isEmpty { state.workers -= 1 }
            return batch.isEmpty ? nil : batch
        }
    }
}
