import Foundation
import GRDB
import SubscriptionStorage
import Synchronization
import Testing

@testable import SubscriptionStorageSQLite

/// Each opening stands for a process: they share no lock within the program.
@Suite struct `Migrations of a database file` {
    /// Nobody gives up because the machine stood still.
    private static let patient = SQLiteOptions(busyTimeoutMilliseconds: 60_000)
    private static let names = SQLiteSchema.status(done: []).steps.map(\.name)

    private func withFile(ofFirstVersion isOld: Bool = true, _ body: (URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("test.db")
            if isOld {
                let raw = try DatabaseQueue(path: file.path)
                let dump = try FirstVersion.dump("sqlite")
                try await raw.writeWithoutTransaction { db in try db.execute(sql: dump) }
                try raw.close()
            }
            try await body(file)
        }
    }

    /// The lock's files in the folder of a database.
    private func locks(beside file: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
            .filter { $0.hasSuffix("-migration") }
    }

    /// Opens a file with a short busy timeout, on a thread that may wait.
    private static func opened(_ file: URL, _ recorder: MigrationRecorder) async throws -> SQLiteDatabase {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let options = SQLiteOptions(busyTimeoutMilliseconds: 1)
                continuation.resume(
                    with: Result { try SQLiteDatabase.open(path: file.path, options: options) { recorder.take($0) } }
                )
            }
        }
    }

    @Test(arguments: [true, false])
    func `run once if several open the file at the same time`(isOld: Bool) async throws {
        for _ in 0..<5 {
            try await withFile(ofFirstVersion: isOld) { file in
                let missing = try SQLiteDatabase.schemaStatus(path: file.path).steps.filter { !$0.isApplied }
                let recorders = (0..<4).map { _ in MigrationRecorder() }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for recorder in recorders {
                        group.addTask {
                            let database = try SQLiteDatabase.open(path: file.path, options: Self.patient) {
                                recorder.take($0)
                            }
                            try await database.close()
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(recorders.map(\.ended).filter { !$0.isEmpty } == [missing.map(\.name)])
                #expect(try SQLiteDatabase.schemaStatus(path: file.path).pending == 0)
                #expect(try locks(beside: file).isEmpty)
            }
        }
    }

    @Test func `wait for another process for longer than the busy timeout`() async throws {
        try await withFile { file in
            let lock = try SQLiteMigrationLock(SQLiteFile(path: file.path)) { Issue.record("nobody migrates") }
            let recorder = MigrationRecorder()
            let opening = Task { try await Self.opened(file, recorder) }
            try await until { recorder.all.contains(.waiting) }
            #expect(try SQLiteDatabase.schemaStatus(path: file.path).pending > 0)
            lock.release()
            try await opening.value.close()
            #expect(recorder.ended.last == Self.names.last)
            #expect(recorder.all.prefix(2) == [.waiting, .started(done: Self.names.count - recorder.ended.count)])
            #expect(try locks(beside: file).isEmpty)
        }
    }

    @Test func `do not lock a file that has all steps`() async throws {
        try await withFile(ofFirstVersion: false) { file in
            try await SQLiteDatabase.open(path: file.path).close()
            let lock = try SQLiteMigrationLock(SQLiteFile(path: file.path)) { Issue.record("nobody migrates") }
            let recorder = MigrationRecorder()
            try await SQLiteDatabase.open(path: file.path, options: Self.patient) { recorder.take($0) }.close()
            #expect(recorder.all.isEmpty)
            lock.release()
        }
    }

    @Test func `take over the lock of a killed process, also through a link`() async throws {
        try await withFile { file in
            let link = file.deletingLastPathComponent().appendingPathComponent("link.db")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            try Data().write(to: URL(fileURLWithPath: file.path + "-migration"))
            try await SQLiteDatabase.open(path: link.path).close()
            #expect(try locks(beside: file).isEmpty)
            #expect(try SQLiteDatabase.schemaStatus(path: file.path).pending == 0)
        }
    }

    @Test func `name the step and the table of an unreadable value`() async throws {
        try await withFile { file in
            let raw = try DatabaseQueue(path: file.path)
            try await raw.write { db in try db.execute(sql: "UPDATE transaction_facts SET kind = 'no kind'") }
            try raw.close()
            let error = #expect(throws: StorageError.self) { try SQLiteDatabase.open(path: file.path) }
            #expect(error?.code == .corrupt)
            #expect(error?.message.contains("0014 facts in the rows of purchases") == true)
            #expect(error?.message.contains("transaction_facts") == true)
            let detail = try #require(error?.detail)
            #expect(error?.descriptionToReport.hasSuffix(" Detail: \(detail)") == true)
            #expect(try SQLiteDatabase.schemaStatus(path: file.path).steps.count(where: \.isApplied) == 13)
            #expect(try locks(beside: file).isEmpty)
        }
    }
}

/// Records the progress of a migration.
final class MigrationRecorder: Sendable {
    private let recorded = Mutex<[MigrationProgress]>([])

    /// Everything, in order.
    var all: [MigrationProgress] { recorded.withLock { $0 } }

    /// The names of the steps that ended. Each one began before.
    var ended: [String] {
        let all = all
        return all.enumerated().compactMap { index, event in
            guard case .ended(let step, _) = event, index > 0, all[index - 1] == .began(step) else { return nil }
            return step.name
        }
    }

    func take(_ event: MigrationProgress) { recorded.withLock { $0.append(event) } }
}
