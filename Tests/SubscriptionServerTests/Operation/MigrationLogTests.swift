import Logging
import SubscriptionStorage
import Testing

@testable import SubscriptionServer

@Suite struct `A migration at the start of a server` {
    private static func lines(of events: [MigrationProgress]) -> [String] {
        let lines = RecordingLogHandler.Lines()
        let log = MigrationLog(Logger(label: "test") { _ in RecordingLogHandler(lines: lines) })
        for event in events { log.take(event) }
        return lines.all
    }

    private let step = MigrationProgress.Step(number: 2, count: 24, name: "0002 more")

    @Test func `is logged step by step`() throws {
        let lines = Self.lines(
            of: [.waiting, .started(done: 1), .began(step), .ended(step, duration: .milliseconds(1_500))]
        )
        try #require(lines.count == 3)
        #expect(lines[0].hasPrefix("notice Another process migrates the database."))
        #expect(lines[1].hasPrefix("notice Migrating the tables: step 2 of 24 ") && lines[1].contains("0002 more"))
        #expect(lines[2].hasPrefix("info ") && lines[2].contains("1500"))
    }

    @Test func `is not logged for a new database`() {
        #expect(Self.lines(of: [.started(done: 0), .began(step), .ended(step, duration: .zero)]).isEmpty)
    }

    @Test(arguments: [StorageError.Code.failed, .corrupt])
    func `fails with the detail that a report needs`(code: StorageError.Code) {
        let error = StartError(StorageError(code, "Report it.", isRetryable: false, detail: "SQLite 1"))
        #expect(error.description == "\(code.rawValue): Report it. Detail: SQLite 1")
        let other = StartError(StorageError(.unavailable, "Retry.", isRetryable: true, detail: "errno 5"))
        #expect(other.description == "storage_unavailable: Retry.")
    }
}
