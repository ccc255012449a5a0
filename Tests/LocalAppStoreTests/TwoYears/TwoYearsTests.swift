import Foundation
import LocalAppStore
import Testing

/// The guard of changes within the store that must change nothing outside: two years of random calls, from a seed,
/// have the answers, payloads, dates, order, deliveries, reports and file that are recorded in `Fixtures/transcripts`.
@Suite struct `Two years of the store` {
    private typealias Played = (transcript: RunTranscript, coverage: TwoYearsCoverage)

    // Unstructured, so that each run is played once, whichever test first needs it.
    private static let tasks: [String: Task<Played, any Error>] = Dictionary(
        uniqueKeysWithValues: TwoYearsRun.all.map { run in (run.name, Task.detached { try TwoYearsDriver.play(run) }) }
    )

    @Test(arguments: TwoYearsRun.all)
    func `every section of a run is as it was recorded`(run: TwoYearsRun) async throws {
        let transcript = try await Self.played(run).transcript
        let fixture = TranscriptFixture(run: run.name)
        if let folder = TranscriptFixture.textFolder { try transcript.write(to: folder.appending(path: run.name)) }
        if TranscriptFixture.isRecording { try fixture.record(transcript) }
        let difference = try fixture.firstDifference(from: transcript)
        #expect(
            difference == nil,
            """
            The first section that differs is \(difference ?? ""). Run this test before and after the change, with \
            PERENNIAL_TRANSCRIPTS set to two folders, and compare these with diff -r. If the difference is intended, \
            record it with PERENNIAL_RECORD_TRANSCRIPTS=1.
            """
        )
    }

    @Test func `a store that was read from its file equals the one that was written`() async throws {
        let areEqual = try await Self.coverage().restartsAreEqual
        #expect(areEqual)
    }

    @Test func `signed data of one record with equal dates are equal`() async throws {
        let conflicts = try await Self.coverage().conflicts
        #expect(conflicts == [])
    }

    @Test func `every action succeeds at least once`() async throws {
        let missing = Set(StoreAction.all.map(\.name)).subtracting(try await Self.coverage().actions)
        #expect(missing.sorted() == [])
    }

    @Test func `every notification that another test causes occurs`() async throws {
        let known = Set(`Coverage of notifications`.scenes.map(\.name))
        let missing = known.subtracting(try await Self.coverage().notifications)
        #expect(missing.sorted() == [])
    }

    @Test func `every kind of fault occurs`() async throws {
        let missing = TwoYearsCoverage.allFaults.subtracting(try await Self.coverage().faults)
        #expect(missing.sorted() == [])
    }

    @Test func `every function that changes the store is an action, or is called between them`() throws {
        let between: Set<String> = ["advance", "dueDeliveries", "fault", "admit", "recordAttempt", "setSigner", "step"]
        let known = between.union(StoreAction.all.map(\.function))
        #expect(try Self.changingFunctions().subtracting(known).sorted() == [])
        #expect(Set(StoreAction.all.map(\.name)).count == StoreAction.all.count, "Names of actions are unique.")
    }

    private static func played(_ run: TwoYearsRun) async throws -> Played {
        guard let task = tasks[run.name] else { throw NothingToActOn() }
        return try await task.value
    }

    private static func coverage() async throws -> TwoYearsCoverage {
        var all = TwoYearsCoverage()
        for run in TwoYearsRun.all { all.formUnion(try await played(run).coverage) }
        return all
    }

    /// The names of the public functions that change the store, from its sources.
    private static func changingFunctions() throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/LocalAppStore").standardizedFileURL
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var names: Set<String> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let source = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(source.matches(of: /public mutating func (\w+)/).map { String($0.output.1) })
        }
        return names
    }
}
