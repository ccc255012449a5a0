import Synchronization

/// Does the same work for many callers together: what arrives while the workers are busy is one batch when one is free.
///
/// Nobody waits for a batch to fill. Who finds a worker free is served at once, with those who come before the worker
/// has begun; under load batches grow by themselves.
final class Batcher<Input: Sendable, Output: Sendable>: Sendable {
    /// So many wait already that one more would wait too long.
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
        /// How many of the workers were started, and have not taken anything yet.
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
    ///   - workersMax: How many batches may be under way at a time.
    ///   - sizeMax: How many inputs a batch has at most.
    ///   - waitingMax: How many inputs may wait.
    ///   - work: Gives an output for each input, in their order.
    init(
        workersMax: Int,
        sizeMax: Int,
        waitingMax: Int,
        work: @escaping @Sendable ([Input]) async -> [Output]
    ) {
        precondition(workersMax > 0 && sizeMax > 0, "nobody would ever be served")
        self.workersMax = workersMax
        self.sizeMax = sizeMax
        self.waitingMax = waitingMax
        self.work = work
    }

    /// How many inputs wait for a worker.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Takes an input, and calls back with its output once a batch with it was done.
    ///
    /// - Parameter done: Called once, on a worker's time: it must be short.
    /// - Throws: ``Overloaded``; nothing is done for the input then, and `done` is never called.
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
        // A task of its own: the work is everybody's, and does not end with the caller who happens to be first.
        if isWorkerWanted { Task { await serve() } }
    }

    /// Does one batch after the other, until nobody waits.
    private func serve() async {
        state.withLock { $0.starting -= 1 }
        while let batch = next() {
            let outputs = await work(batch.map(\.input))
            precondition(outputs.count == batch.count, "an output is missing")
            for (entry, output) in zip(batch, outputs) { entry.done(output) }
        }
    }

    /// The first of those who wait; nil where nobody does, and the worker ends.
    private func next() -> [Entry]? {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(sizeMax))
            state.waiting.removeFirst(batch.count)
            if batch.isEmpty { state.workers -= 1 }
            return batch.isEmpty ? nil : batch
        }
    }
}
