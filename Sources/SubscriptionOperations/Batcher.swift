import Synchronization

/// Does the same work for many callers together: what arrives while the workers are busy is one batch when one is free.
///
/// Nobody waits for a batch to fill. A caller who finds a worker free is served at once, alone; under load batches grow
/// by themselves. The callers are the workers: whoever is first in a batch does its work, and then hands on.
final class Batcher<Input: Sendable, Output: Sendable>: Sendable {
    /// So many wait already that one more would wait too long.
    struct Overloaded: Error {}

    private struct Entry: Sendable {
        let input: Input
        let continuation: CheckedContinuation<Turn, Never>
    }

    private enum Turn: Sendable {
        case done(Output)
        /// To do the work for oneself and for those who came after.
        case work(others: [Entry])
        case refused
    }

    private struct State {
        /// In order of arrival; empty unless all workers are busy.
        var waiting: [Entry] = []
        var workers = 0
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

    /// The output for an input, once a batch with it was done.
    ///
    /// - Throws: ``Overloaded``; nothing was done for the input then.
    func run(_ input: Input) async throws(Overloaded) -> Output {
        switch await turn(of: input) {
        case .done(let output): return output
        case .refused: throw Overloaded()
        case .work(let others):
            let batch = [input] + others.map(\.input)
            // A task of its own: the work is everybody's, and does not end with the caller who happens to be first.
            let outputs = await Task { [work] in await work(batch) }.value
            precondition(outputs.count == batch.count, "an output is missing")
            for (entry, output) in zip(others, outputs.dropFirst()) {
                entry.continuation.resume(returning: .done(output))
            }
            handOn()
            return outputs[0]
        }
    }

    private func turn(of input: Input) async -> Turn {
        await withCheckedContinuation { continuation in
            let turn = state.withLock { state -> Turn? in
                if state.workers < workersMax {
                    state.workers += 1
                    return .work(others: [])
                }
                guard state.waiting.count < waitingMax else { return .refused }
                state.waiting.append(Entry(input: input, continuation: continuation))
                return nil
            }
            if let turn { continuation.resume(returning: turn) }
        }
    }

    /// Makes the first of those who wait the next worker, with the others up to a batch's size.
    private func handOn() {
        let batch = state.withLock { state -> ArraySlice<Entry> in
            let batch = state.waiting.prefix(sizeMax)
            state.waiting.removeFirst(batch.count)
            if batch.isEmpty { state.workers -= 1 }
            return batch
        }
        batch.first?.continuation.resume(returning: .work(others: Array(batch.dropFirst())))
    }
}
