package import AppStoreModel
import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// Writes customers, purchases, signed inputs and events in a readable form, at one moment, for spreadsheets and other
/// programs. It cannot be imported; ``DatabaseExport`` can.
///
/// A row has the fields of the API's responses. An interrupted export begins again with the same command. It is
/// finished when no file has the suffix of a partial one: the last file gets its name last. The files of a finished
/// export are never replaced, even if some of them were moved away.
package struct ReadableExport: Sendable {
    /// The form of the files.
    package enum Format: String, CaseIterable, Sendable {
        /// Comma-separated values (RFC 4180) with a line of names.
        case csv
        /// One JSON object per line.
        case ndjson
    }

    private static let pageRows = 500

    private let database: any CopyableDatabase
    private let folder: String
    private let format: Format
    private let disk: any ExportDisk
    private let progress: @Sendable (CopyProgress) -> Void

    /// Makes an export.
    ///
    /// - Parameters:
    ///   - folder: The path of a folder without other files. Those of an interrupted export are replaced.
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

    /// Exports.
    ///
    /// - Returns: The number of rows of each file.
    /// - Throws: ``StorageError`` with `export_finished`, `export_folder_in_use`, `export_disk_full`,
    ///   `export_not_written`, and the database's codes.
    package func run() async throws(StorageError) -> [CopyProgress] {
        let names = ReadableTable.all.map { "\($0.table.name).\(format.rawValue)" }
        let partial = ".partial"
        let found = try disk.makeFolder(folder)
        guard Set(found) != Set(names) else {
            throw StorageError(
                .exportFinished,
                "\(folder) already holds a finished export. Name another folder.",
                isRetryable: false
            )
        }
        // Killed between two renames, it has some of the names. These files are of an earlier moment, and are replaced.
        guard Set(found).isSubset(of: names + names.map { $0 + partial }) else { throw .exportFolderInUse }
        guard found.isEmpty || found.contains(where: { $0.hasSuffix(partial) }) else {
            let missing = names.filter { !found.contains($0) }.joined(separator: ", ")
            throw StorageError(
                .exportFinished,
                "\(folder) holds a finished export without \(missing). Its other files were not replaced. Name another "
                    + "folder.",
                isRetryable: false
            )
        }
        let done = try await database.readRows { reader throws(StorageError) in
            var done: [CopyProgress] = []
            for (table, name) in zip(ReadableTable.all, names) {
                done.append(try write(table, to: "\(folder)/\(name)\(partial)", reader))
            }
            return done
        }
        for name in names { try disk.rename("\(folder)/\(name)\(partial)", to: "\(folder)/\(name)") }
        return done
    }

    private func write(
        _ table: ReadableTable,
        to path: String,
        _ reader: any CopiedRowReading
    ) throws(StorageError) -> CopyProgress {
        var lines = format == .csv ? CSVLine.text(of: table.columns.map { .string($0) }) : []
        var written = 0
        var rows = 0
        var key: [ColumnValue]?
        var isLast = false
        while !isLast {
            let page = try reader.rows(of: table.table, after: key, limit: Self.pageRows)
            for row in page {
                let object = try table.object(row, reader)
                switch format {
                case .csv: lines += CSVLine.text(of: table.columns.map { object[$0] ?? .null })
                case .ndjson: lines += object.serialize() + [UInt8(ascii: "\n")]
                }
            }
            rows += page.count
            key = page.last.map(table.table.key) ?? key
            isLast = page.count < Self.pageRows
            try disk.write(lines, to: path, at: written)
            written += lines.count
            lines.removeAll(keepingCapacity: true)
            progress(CopyProgress(table: table.table.name, rows: rows))
        }
        try disk.flush(path)
        return CopyProgress(table: table.table.name, rows: rows)
    }
}

/// A line of comma-separated values.
package enum CSVLine {
    private static let special: Set<UInt8> = [0x22, 0x2C, 0x0A, 0x0D]
    /// What a spreadsheet takes for the beginning of a formula.
    private static let formula: Set<UInt8> = Set("=+-@\t\r".utf8)

    /// The line of some values, with its end.
    ///
    /// Fields are quoted as in RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe, because
    /// users choose their identifiers themselves.
    package static func text(of values: [JSONValue]) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            var field: [UInt8]
            switch value {
            case .null: continue
            case .string(let text):
                field = Array(text.utf8)
                if let first = field.first, formula.contains(first) { field.insert(UInt8(ascii: "'"), at: 0) }
            default: field = value.serialize()
            }
            guard field.contains(where: special.contains) else {
                line += field
                continue
            }
            line.append(UInt8(ascii: "\""))
            for byte in field {
                line.append(byte)
                if byte == UInt8(ascii: "\"") { line.append(byte) }
            }
            line.append(UInt8(ascii: "\""))
        }
        return line + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }
}
