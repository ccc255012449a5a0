import AppStoreModel
import Foundation
import LocalAppStore
import LocalAppStoreServer
import Synchronization
import Testing

/// A running clock in a store with a file.
@Suite struct `The file under a running clock` {
    private static let speed: Int64 = 3_600

    @Test func `a killed store loses at most a second of real time`() async throws {
        try await withDataFile { path in
            let time = SteppedTime()
            let file = try StoreFile(path: path)
            let keys = try StoreKeys.forOneTest()
            try await withStore(realTime: time, keys: keys, keptBy: { $0.kept(in: file, keys: keys) }) { store in
                // Nothing is due for months: only the clock itself changes.
                _ = try await store.put("/_store/clock", ["speed": .integer(Self.speed)])
                let start = time.milliseconds()
                var savings: Set<Int64> = []
                for await pause in time.pauses.prefix(40) {
                    // The store sleeps, so everything is written.
                    let saved = try await readClock(of: path)
                    let behind = time.milliseconds() - start - (saved - RunningStore.start) / Self.speed
                    // Until the next write it may sleep once more, and be killed just before it wakes.
                    #expect(behind + pause <= 1_000)
                    savings.insert(saved)
                    time.goOn()
                }
                #expect(savings.count >= 8)
            }
        }
    }

    /// The time in a copy of the file.
    private func readClock(of path: String) async throws -> Int64 {
        let copy = path + ".copy"
        try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: copy))
        return try #require(try StoreFile(path: copy).load()).store.now
    }
}

/// Real time that stops during sleeps, until the test advances it to the end of the pause.
private final class SteppedTime: RealTimeSource {
    /// The length of each pause, when it starts.
    let pauses: AsyncStream<Int64>
    private let announcePause: AsyncStream<Int64>.Continuation
    private let permits: AsyncStream<Void>
    private let permit: AsyncStream<Void>.Continuation
    private let now = Atomic<Int64>(0)

    init() {
        (pauses, announcePause) = AsyncStream.makeStream(of: Int64.self)
        (permits, permit) = AsyncStream.makeStream(of: Void.self)
    }

    func milliseconds() -> Int64 { now.load(ordering: .sequentiallyConsistent) }

    func sleep(milliseconds: Int64) async throws {
        announcePause.yield(milliseconds)
        guard await permits.first(where: { _ in true }) != nil else { throw CancellationError() }
        now.add(milliseconds, ordering: .sequentiallyConsistent)
    }

    func goOn() { permit.yield() }
}
