package import SubscriptionStorage
import Synchronization

/// Writes the rows of all tables into a folder, at one moment, while servers use the database.
///
/// Signed inputs are most of a database and are only ever added, so they are written first, a page per read; an
/// interrupted export continues after the last one. One last read then adds the new ones and everything else: all files
/// show the moment of that read. A file has its name only when it is complete, and the manifest is written last.
package struct DatabaseExport: Sendable {
    static let pageRows = 1_000
    private static let beginning = "export.json"

    private let database: any CopyableDatabase
    private let folder: String
    private let withKeys: Bool
    private let disk: any ExportDisk
    private let progress: @Sendable (CopyProgress) -> Void

    /// Makes an export.
    ///
    /// - Parameters:
    ///   - folder: The path of a new or empty folder, or of one with the beginning of the same export.
    ///   - withKeys: Whether API keys and the private keys of entitlement tokens are exported too.
    ///   - progress: Called after each page.
    package init(
        of database: any CopyableDatabase,
        to folder: String,
        withKeys: Bool,
        disk: any ExportDisk = FileSystemDisk(),
        progress: @escaping @Sendable (CopyProgress) -> Void = { _ in }
    ) {
        self.database = database
        self.folder = folder
        self.withKeys = withKeys
        self.disk = disk
        self.progress = progress
    }

    /// Exports, or continues an interrupted export.
    ///
    /// - Throws: ``StorageError`` with `export_finished`, `export_folder_in_use`, `export_disk_full`,
    ///   `export_not_written`, and the database's codes.
    package func run() async throws(StorageError) -> ExportManifest {
        try prepare()
        let evidence = try await firstEvidence()
        let tables = try await database.readRows { reader throws(StorageError) in
            // An engine may repeat the body, so it begins with copies.
            var evidence = evidence
            var pages = EvidencePages()
            var rows: [[ColumnValue]]
            repeat {
                let page = pages.next(after: evidence)
                rows = try reader.rows(of: evidence.table, after: page.key, limit: page.limit)
            } while try pages.take(rows, into: &evidence)
            progress(CopyProgress(table: evidence.table.name, rows: evidence.rows))
            var tables: [ExportManifest.Table] = []
            for table in ExportManifest.tables(withKeys: withKeys) {
                guard table.name != evidence.table.name else {
                    tables.append(try evidence.finish())
                    continue
                }
                var file = TableFile(table, path: path(of: table), disk: disk)
                try append(to: &file, from: reader)
                tables.append(try file.finish())
            }
            return tables
        }
        let manifest = ExportManifest(schemaStep: CopiedTables.schemaStep, hasKeys: withKeys, tables: tables)
        for table in tables { try disk.rename("\(folder)/\(table.file)\(Self.partial)", to: "\(folder)/\(table.file)") }
        try write(manifest, as: ExportManifest.name)
        return manifest
    }

    private static let partial = ".partial"

    private func path(of table: CopiedTable) -> String { "\(folder)/\(table.name).ndjson\(Self.partial)" }

    /// Begins in an empty folder, or finds the beginning of the same export.
    private func prepare() throws(StorageError) {
        let names = try disk.makeFolder(folder)
        let beginning = ExportManifest(schemaStep: CopiedTables.schemaStep, hasKeys: withKeys, tables: [])
        guard !names.contains(ExportManifest.name) else {
            throw StorageError(
                .exportFinished,
                "\(folder) already holds a complete export. Name another folder.",
                isRetryable: false
            )
        }
        guard let found = try disk.contents(of: "\(folder)/\(Self.beginning)") else {
            guard names.allSatisfy({ $0 == Self.beginning + Self.partial }) else { throw .exportFolderInUse }
            return try write(beginning, as: Self.beginning)
        }
        guard found == beginning.text else { throw .exportFolderInUse }
        // A finished file without a manifest is written again: the moment is another one.
        let evidence = CopiedTables.evidence
        if names.contains("\(evidence.name).ndjson") {
            try disk.rename("\(folder)/\(evidence.name).ndjson", to: path(of: evidence))
        }
    }

    private func write(_ manifest: ExportManifest, as name: String) throws(StorageError) {
        let path = "\(folder)/\(name)"
        try disk.write(manifest.text, to: path + Self.partial, at: 0)
        try disk.flush(path + Self.partial)
        try disk.rename(path + Self.partial, to: path)
    }

    /// Writes the signed inputs that exist now.
    private func firstEvidence() async throws(StorageError) -> TableFile {
        let table = CopiedTables.evidence
        var (file, last) = try TableFile.resumed(table, path: path(of: table), disk: disk)
        if let last {
            guard case .number(let sequence) = last[1] else { throw .exportFolderInUse }
            let stored = try await database.readRows { reader throws(StorageError) in
                try reader.rows(of: table, after: [last[0], .number(sequence - 1)], limit: 1)
            }
            guard stored == [last] else { throw .exportFolderInUse }
        }
        var pages = EvidencePages()
        var rows: [[ColumnValue]]
        repeat {
            let page = pages.next(after: file)
            rows = try await database.readRows { reader throws(StorageError) in
                try reader.rows(of: table, after: page.key, limit: page.limit)
            }
            progress(CopyProgress(table: table.name, rows: file.rows))
        } while try pages.take(rows, into: &file)
        try file.write()
        return file
    }

    /// Adds all rows after the last one of a file.
    private func append(to file: inout TableFile, from reader: any CopiedRowReading) throws(StorageError) {
        while true {
            let rows = try reader.rows(of: file.table, after: file.lastKey, limit: Self.pageRows)
            try file.append(rows)
            progress(CopyProgress(table: file.table.name, rows: file.rows))
            guard rows.count == Self.pageRows else { return }
        }
    }
}

/// How far an export or an import is.
package struct CopyProgress: Hashable, Sendable {
    /// The table.
    package var table: String
    /// The number of its rows that are done.
    package var rows: Int

    /// Makes a position.
    package init(table: String, rows: Int) {
        self.table = table
        self.rows = rows
    }
}

extension ExportDisk {
    /// All bytes of a small file; nil without a file.
    ///
    /// - Throws: ``StorageError`` with `export_not_read`.
    func contents(of path: String) throws(StorageError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isThere = try read(path) { piece throws(StorageError) in bytes += piece }
        return isThere ? bytes : nil
    }
}
