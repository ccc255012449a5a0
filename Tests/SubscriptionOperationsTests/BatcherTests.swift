import Synchronization
import Testing

@testable import SubscriptionOperations

/// Work of many callers in shared batches.
@Suite struct `The write batcher` {
    /// The processed batches, and the number of concurrent workers.
    private final class Journal: Sendable {
        struct Entries { var batches: [[Int]] = []; var busy = 0; var busyMax = 0 }
        let entries = Mutex(Entries())

        func begin(_ batch: [Int]) {
            entries.withLock {
                $0.batches.append(batch)
                $0.busy += 1
                $0.busyMax = max($0.busyMax, $0.busy)
            }
        }

        func end() { entries.withLock { $0.busy -= 1 } }
    }

    /// Blocks a batch until it is opened.
    private final class Gate: Sendable {
        private let (steps, step) = AsyncStream.makeStream(of: Void.self)

        func open() { step.finish() }

        func pass() async { for await _ in steps {} }
    }

    @Test func `collects inputs during a batch into the next one, and returns each caller's output`() async throws {
        let (journal, gate) = (Journal(), Gate())
        let batcher = Batcher<Int, String>(workersMax: 1, sizeMax: 4, waitingMax: 100) { batch in
            journal.begin(batch)
            if batch == [0] { await gate.pass() }
            journal.end()
            return batch.map { "\($0)!" }
        }
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            defer { gate.open() }
            group.addTask { (0, try await batcher.run(0)) }
            try await until { journal.entries.withLock { !$0.batches.isEmpty } }
            for input in 1...10 {
                group.addTask { (input, try await batcher.run(input)) }
                try await until { batcher.waitingCount >= input }
            }
            gate.open()
            for try await (input, output) in group { #expect(output == "\(input)!") }
        }
        #expect(journal.entries.withLock(\.batches) == [[0], [1, 2, 3, 4], [5, 6, 7, 8], [9, 10]])
    }

    @Test func `rejects inputs when the queue is full, and processes the others`() async throws {
        let (journal, gate) = (Journal(), Gate())
        let batcher = Batcher<Int, Int>(workersMax: 1, sizeMax: 8, waitingMax: 2) { batch in
            journal.begin(batch)
            await gate.pass()
            return batch
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            defer { gate.open() }
            for input in 0..<3 {
                group.addTask { try await batcher.run(input) }
                try await until {
                    journal.entries.withLock { !$0.batches.isEmpty } && batcher.waitingCount >= input
                }
            }
            await #expect(throws: Batcher<Int, Int>.Overloaded.self) { try await batcher.run(3) }
            gate.open()
            var served: [Int] = []
            for try await output in group { served.append(output) }
            #expect(served.sorted() == [0, 1, 2])
        }
        #expect(try await batcher.run(4) == 4)
    }

    @Test(arguments: [1, 2, 5])
    func `processes every input once, within the limit of workers`(workersMax: Int) async throws {
        let journal = Journal()
        let batcher = Batcher<Int, Int>(workersMax: workersMax, sizeMax: 7, waitingMax: 10_000) { batch in
            journal.begin(batch)
            for _ in 0..<batch.count { await Task.yield() }
            journal.end()
            return batch.map { $0 * 2 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<50 {
                group.addTask {
                    for number in 0..<40 {
                        let input = caller * 40 + number
                        let output = try await batcher.run(input)
                        #expect(output == input * 2)
                    }
                }
            }
            try await group.waitForAll()
        }
        let entries = journal.entries.withLock { $0 }
        #expect(entries.batches.joined().sorted() == Array(0..<2_000))
        #expect(entries.batches.allSatisfy { (1...7).contains($0.count) })
        #expect(entries.busyMax <= workersMax && entries.busy == 0)
        #expect(batcher.waitingCount == 0)
    }
}

extension Batcher {
    /// Returns the output for an input after its batch.
    ///
    /// - Throws: ``Overloaded`` if the queue is full. The input is not processed.
    func run(_ input: Input) async throws(Overloaded) -> Output {
        let output: Output? = await withCheckedContinuation { continuation in
            do throws(Overloaded) {
                try take(input) { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: nil)
            }
        }
        guard let output else { throw Overloaded() }
        return output
    }
}
