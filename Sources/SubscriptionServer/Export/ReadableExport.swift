import AppStoreModel
import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// Writes customers, purchases, signed inputs and events in a readable form, at one moment, for spreadsheets and other
/// programs. It cannot be imported; ``DatabaseExport`` can.
///
/// A row has the fields of the API's responses. As in ``DatabaseExport``, signed inputs are written first, a page per
/// read, and an interrupted export continues after those that its journal names. One last read adds the new ones and
/// writes the other files. Events are among these, because an erasure changes stored ones.
///
/// The export is finished when no file has the suffix of a partial one. The journal has it too, and is removed last.
/// The files of a finished export are never replaced, even if some of them were moved away.
package struct ReadableExport: Sendable {
    /// The form of the files.
    package enum Format: String, CaseIterable, Sendable {
        /// Comma-separated values (RFC 4180) with a line of names.
        case csv
        /// One JSON object per line.
        case ndjson
    }

    /// The limit of the rows that are read at once.
    package var page = CopiedPage.Limit(rowsMax: 500)
    /// After how many bytes of signed inputs the journal is written. After an interruption, at most so many and a page
    /// are written again.
    ///
    /// - Units: bytes.
    package var journaledBytes = 16 << 20

    private let database: any CopyableDatabase
    private let folder: String
    private let format: Format
    private let disk: any ExportDisk
    private let progress: @Sendable (CopyProgress) -> Void

    /// Makes an export.
    ///
    /// - Parameters:
    ///   - folder: The path of a new or empty folder, or of one with the beginning of the same export.
    ///   - progress: Called after each page.
    package init(
        of database: any CopyableDatabase,
        to folder: String,
        format: Format,
        disk: any ExportDisk = FileSystemDisk(),
        progress: @escaping @Sendable (CopyProgress) -> Void = { _ in }
    ) {
        self.database = database
        self.folder = folder
        self.format = format
        self.disk = disk
        self.progress = progress
    }

    /// Exports, or continues an interrupted export.
    ///
    /// - Returns: The number of rows of each file.
    /// - Throws: ``StorageError`` with `export_finished`, `export_folder_in_use`, `export_disk_full`,
    ///   `export_not_written`, and the database's codes.
    package func run() async throws(StorageError) -> [CopyProgress] {
        let found = try filesOfExport()
        let first = try await firstEvidence(found)
        let done = try await database.readRows { reader throws(StorageError) in
            var done: [CopyProgress] = []
            for table in ReadableTable.all {
                var file: TableFile
                if table.table.name == first.table.name {
                    // An engine may repeat the body, so it begins with a copy.
                    var evidence = EvidencePages(of: first, limit: page)
                    while !evidence.isAtEnd { try evidence.add(from: reader) }
                    file = evidence.file
                    progress(CopyProgress(table: file.table.name, rows: file.rows))
                } else {
                    file = newFile(of: table)
                    try file.appendRest(from: reader, limit: page, progress: progress)
                }
                done.append(CopyProgress(table: table.table.name, rows: try file.flush().rows))
            }
            return done
        }
        for table in ReadableTable.all { try disk.rename(partialPath(of: table), to: path(of: table)) }
        try disk.remove(journalPath)
        return done
    }

    private var journalPath: String { "\(folder)/\(ReadableJournal.name)" }

    private func name(of table: ReadableTable) -> String { "\(table.table.name).\(format.rawValue)" }

    private func path(of table: ReadableTable) -> String { "\(folder)/\(name(of: table))" }

    private func partialPath(of table: ReadableTable) -> String { path(of: table) + TableFile.partial }

    private func newFile(of table: ReadableTable) -> TableFile {
        TableFile(
            table.table,
            path: partialPath(of: table),
            disk: disk,
            beginning: format == .csv ? CSVLine.text(of: table.columns.map { .string($0) }) : []
        ) { [format] row, reader throws(StorageError) in
            let object = try table.object(row, reader)
            switch format {
            case .csv: return CSVLine.text(of: table.columns.map { object[$0] ?? .null })
            case .ndjson: return object.serialize() + [UInt8(ascii: "\n")]
            }
        }
    }

    /// Makes the folder and returns the names of the files in it, which are all of an unfinished export.
    private func filesOfExport() throws(StorageError) -> Set<String> {
        let names = ReadableTable.all.map { name(of: $0) }
        let partial = TableFile.partial
        let found = Set(try disk.makeFolder(folder))
        guard found != Set(names) else {
            throw StorageError(
                .exportFinished,
                "\(folder) already holds a finished export. Name another folder.",
                isRetryable: false
            )
        }
        let journal = [ReadableJournal.name, ReadableJournal.name + partial]
        guard found.isSubset(of: names + names.map { $0 + partial } + journal) else { throw .exportFolderInUse }
        guard found.isEmpty || found.contains(where: { $0.hasSuffix(partial) }) else {
            let missing = names.filter { !found.contains($0) }.joined(separator: ", ")
            throw StorageError(
                .exportFinished,
                "\(folder) holds a finished export without \(missing). Its other files were not replaced. Name another "
                    + "folder.",
                isRetryable: false
            )
        }
        return found
    }

    /// Writes the signed inputs that exist now.
    private func firstEvidence(_ found: Set<String>) async throws(StorageError) -> TableFile {
        var evidence = EvidencePages(of: try await begunEvidence(found), limit: page)
        var journaled: Int? = evidence.file.rows > 0 ? evidence.file.bytes : nil
        while !evidence.isAtEnd {
            evidence = try await database.readRows { [evidence] reader throws(StorageError) in
                var evidence = evidence
                try evidence.add(from: reader)
                return evidence
            }
            progress(CopyProgress(table: evidence.file.table.name, rows: evidence.file.rows))
            // The first page too: from then on, another database is refused.
            let isDue = journaled.map { evidence.file.bytes - $0 >= journaledBytes } ?? (evidence.file.rows > 0)
            guard evidence.isAtEnd || isDue else { continue }
            try evidence.file.flush()
            try write(ReadableJournal(format: format, evidence: evidence.file.position))
            journaled = evidence.file.bytes
        }
        return evidence.file
    }

    /// The file of signed inputs of an interrupted export, or a new one.
    private func begunEvidence(_ found: Set<String>) async throws(StorageError) -> TableFile {
        let table = ReadableTable.evidence
        let new = newFile(of: table)
        guard let text = try disk.contents(of: journalPath) else {
            try write(ReadableJournal(format: format, evidence: nil))
            return new
        }
        guard let position = try ReadableJournal(text: text, of: format).evidence else { return new }
        var file = try await database.readRows { reader throws(StorageError) in
            try new.continued(after: position, from: reader)
        }
        // Killed between two renames, it already has its name. The moment is another one now.
        let name = name(of: table)
        if found.contains(name), !found.contains(name + TableFile.partial) {
            try disk.rename(path(of: table), to: partialPath(of: table))
        }
        return try file.readPart(before: position) ? file : new
    }

    private func write(_ journal: ReadableJournal) throws(StorageError) {
        try disk.replace(journalPath, with: journal.text)
    }
}
