import Foundation
import PostgreSQLTesting
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import Synchronization
import Testing

/// The engines that an export can leave or reach.
enum CopyEngine: String, CaseIterable, Sendable {
    case sqlite, postgreSQL

    static let pairs = CopyEngine.allCases.flatMap { from in CopyEngine.allCases.map { CopyPair(from: from, to: $0) } }

    /// An empty database with its tables.
    func open(in folder: URL) async throws -> any CopyableDatabase {
        switch self {
        case .sqlite:
            return try SQLiteDatabase.open(path: folder.appendingPathComponent("\(UUID().uuidString).db").path)
        case .postgreSQL:
            let server = try PostgreSQLTestServer.shared()
            return try await PostgreSQLDatabase.open(url: server.url(schema: server.makeSchema()))
        }
    }
}

/// Where rows come from and go to.
struct CopyPair: Sendable, CustomTestStringConvertible {
    let from: CopyEngine
    let to: CopyEngine

    var testDescription: String { "\(from) to \(to)" }
}

/// Runs a body with a folder that is removed afterwards.
func withCopyFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

extension CopyableDatabase {
    /// All rows of all tables, by default in small pages, so that each table has several.
    func allRows(
        limit: CopiedPage.Limit = CopiedPage.Limit(rowsMax: 7)
    ) async throws -> [String: [[ColumnValue]]] {
        try await readRows { reader throws(StorageError) in
            var tables: [String: [[ColumnValue]]] = [:]
            for table in CopiedTables.all {
                var rows: [[ColumnValue]] = []
                while true {
                    let page = try reader.page(of: table, after: rows.last.map(table.key), limit: limit)
                    rows += page.rows
                    if !page.isFull { break }
                }
                tables[table.name] = rows
            }
            return tables
        }
    }
}

/// The files of a folder, by name.
func files(in folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(
        uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
    )
}

/// The code of the error of the work; nil without one.
func storageCode(_ work: () async throws -> Void) async throws -> StorageError.Code? {
    do {
        try await work()
        return nil
    } catch let error as StorageError {
        return error.code
    }
}

/// A disk that fails with the given write, which writes a part of the bytes.
final class FailingDisk: ExportDisk {
    private struct State {
        var left: Int
        var done = 0
        var lowestOffsets: [String: Int] = [:]
    }

    private let disk = FileSystemDisk()
    private let state: Mutex<State>

    /// Fails with the write of this number, beginning with 0.
    init(failingAt number: Int) {
        state = Mutex(State(left: number))
    }

    /// The number of writes, flushes, renames and removals.
    var count: Int { state.withLock { $0.done } }

    /// Where the first byte was written, by the name of the file.
    var lowestOffsets: [String: Int] { state.withLock { $0.lowestOffsets } }

    func makeFolder(_ path: String) throws(StorageError) -> [String] { try disk.makeFolder(path) }

    func write(_ bytes: [UInt8], to path: String, at offset: Int) throws(StorageError) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        state.withLock { $0.lowestOffsets[name] = min(offset, $0.lowestOffsets[name] ?? offset) }
        guard isAlive() else {
            try disk.write(Array(bytes.prefix(bytes.count / 2)), to: path, at: offset)
            throw Self.killed
        }
        try disk.write(bytes, to: path, at: offset)
    }

    func flush(_ path: String) throws(StorageError) {
        guard isAlive() else { throw Self.killed }
        try disk.flush(path)
    }

    func rename(_ path: String, to newPath: String) throws(StorageError) {
        guard isAlive() else { throw Self.killed }
        try disk.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(StorageError) {
        guard isAlive() else { throw Self.killed }
        try disk.remove(path)
    }

    func read(
        _ path: String,
        _ body: (ArraySlice<UInt8>) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        try disk.read(path, body)
    }

    static let killed = StorageError(.exportDiskFull, "The disk is full.", isRetryable: true)

    private func isAlive() -> Bool {
        state.withLock { state in
            state.done += 1
            state.left -= 1
            return state.left >= 0
        }
    }
}
