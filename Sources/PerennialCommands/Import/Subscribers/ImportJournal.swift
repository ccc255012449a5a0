import AppStoreModel
import Foundation
import SubscriptionServer

/// The file that remembers how far an import is: `FILE.import.json`.
///
/// It is replaced after each group of rows. The file of rejected rows is cut off at its length here when the import
/// continues, so no row is in it twice.
struct ImportJournal: Hashable {
    /// What has been done.
    struct Counts: Hashable {
        var imported = 0
        var skipped = 0
        var rejected = 0

        /// The numbers for people.
        var text: String { "\(imported) imported, \(rejected) rejected, \(skipped) skipped" }
    }

    /// The server, so that another one does not continue.
    var server: String
    /// The size of the file of subscribers.
    ///
    /// - Units: bytes.
    var fileBytes: Int
    /// The part of the file that was read, so that a changed file does not continue at a wrong row.
    var read = FilePart()
    /// The number of rows that are done, from the beginning.
    var rows = 0
    /// What became of them.
    var counts = Counts()
    /// The length of the file of rejected rows.
    ///
    /// - Units: bytes.
    var rejectedBytes = 0

    /// Reads a journal; nil without one.
    ///
    /// - Throws: ``InputError`` if it is not a journal, or one of an earlier version, which did not record the digest
    ///   of what it had read.
    static func read(_ path: String) throws -> ImportJournal? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        guard let object = try? JSONParser.parseObject(Array(data)), let server = object["server"]?.stringValue else {
            throw InputError(.malformed, "\(path) is not the journal of an import: remove it to begin again")
        }
        guard let digest = object["read_sha256"]?.stringValue else {
            throw InputError(
                .malformed,
                "\(path) is the journal of an earlier version. It does not have the SHA-256 of the rows that were "
                    + "read, so the import cannot continue safely: remove it to begin again. A row that is sent twice "
                    + "changes nothing"
            )
        }
        func number(_ name: String) -> Int { object[name]?.integerValue.flatMap { Int(exactly: $0) } ?? 0 }
        var journal = ImportJournal(server: server, fileBytes: number("file_bytes"))
        journal.rows = number("rows")
        journal.counts = Counts(
            imported: number("imported"),
            skipped: number("skipped"),
            rejected: number("rejected")
        )
        journal.rejectedBytes = number("rejected_bytes")
        journal.read = FilePart(bytes: number("read_bytes"), digest: digest)
        return journal
    }

    /// Replaces the file.
    ///
    /// - Throws: ``ImportFileError``.
    func write(_ path: String) throws(ImportFileError) {
        var object = JSONObject()
        object["server"] = .string(server)
        for (name, number) in [
            ("file_bytes", fileBytes), ("rows", rows), ("imported", counts.imported), ("skipped", counts.skipped),
            ("rejected", counts.rejected), ("rejected_bytes", rejectedBytes), ("read_bytes", read.bytes),
        ] {
            object[name] = .integer(Int64(number))
        }
        object["read_sha256"] = .string(read.digest)
        do {
            try Data(object.serialize()).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw ImportFileError(path: path)
        }
    }
}

/// The file of rows that were not imported: `FILE.rejected.csv`.
struct RejectedRows {
    /// The names of the columns.
    static let names = ["line", "user", "transaction_id", "code", "reason"]

    private let path: String
    /// The open file; nil before the first rejected row.
    private var handle: FileHandle?
    /// The length of the file; 0 before the first rejected row.
    private(set) var bytes: Int

    /// Opens the file and cuts it off. Without bytes to keep, it removes the file of an earlier import, and the first
    /// rejected row makes a new one.
    ///
    /// - Throws: ``ImportFileError``.
    init(_ path: String, keeping bytes: Int) throws(ImportFileError) {
        self.path = path
        self.bytes = bytes
        if bytes > 0 {
            handle = try Self.open(path, keeping: bytes)
        } else {
            try ImportFiles.remove(path)
        }
    }

    private static func open(_ path: String, keeping bytes: Int) throws(ImportFileError) -> FileHandle {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        do {
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try handle.truncate(atOffset: UInt64(bytes))
            return handle
        } catch {
            throw ImportFileError(path: path)
        }
    }

    /// Adds rows and returns when they are on the disk.
    ///
    /// - Throws: ``ImportFileError``.
    mutating func append(_ rows: [(line: Int, problem: SubscriberProblem)]) throws(ImportFileError) {
        guard !rows.isEmpty else { return }
        let open: FileHandle
        if let handle { open = handle } else { open = try Self.open(path, keeping: bytes) }
        handle = open
        if bytes == 0 { try append(Self.names, to: open) }
        for row in rows {
            let problem = row.problem
            try append(["\(row.line)", problem.user, problem.transactionID, problem.code, problem.message], to: open)
        }
        do {
            try open.synchronize()
        } catch {
            throw ImportFileError(path: path)
        }
    }

    private mutating func append(_ fields: [String], to handle: FileHandle) throws(ImportFileError) {
        let line = Data(CSVLine.text(of: fields.map { .string($0) }))
        do {
            try handle.write(contentsOf: line)
        } catch {
            throw ImportFileError(path: path)
        }
        bytes += line.count
    }
}

/// A file beside the file of subscribers that cannot be written.
struct ImportFileError: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "import_not_written: \(path) cannot be written. Free some space or check the rights of its folder, and run the "
            + "same command again: it continues."
    }
}

/// The files beside the file of subscribers.
enum ImportFiles {
    /// Removes a file, if there is one.
    ///
    /// - Throws: ``ImportFileError``.
    static func remove(_ path: String) throws(ImportFileError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw ImportFileError(path: path)
        }
    }
}
