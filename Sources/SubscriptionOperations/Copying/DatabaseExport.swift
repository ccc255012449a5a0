package import SubscriptionStorage
import Synchronization

/// Writes the rows of all tables into a folder, at one moment, while servers use the database.
///
/// Signed inputs are most of a database and are only ever added, so they are written first, a page per read; an
/// interrupted export continues after the last one. One last read then adds the new ones and everything else: all files
/// show the moment of that read. A file has its name only when it is complete, and the manifest is written last.
package struct DatabaseExport: Sendable {
    private static let beginning = "export.json"

    /// The limit of the rows that are read at once.
    package var page = CopiedPage.Limit(rowsMax: 1_000)

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
        let first = try await firstEvidence()
        let tables = try await database.readRows { reader throws(StorageError) in
            // An engine may repeat the body, so it begins with copies.
            var evidence = EvidencePages(of: first, limit: page)
            while !evidence.isAtEnd { try evidence.add(from: reader) }
            progress(CopyProgress(table: first.table.name, rows: evidence.file.rows))
            var tables: [ExportManifest.Table] = []
            for table in ExportManifest.tables(withKeys: withKeys) {
                guard table.name != first.table.name else {
                    tables.append(try evidence.file.flush())
                    continue
                }
                var file = TableFile(table, path: path(of: table), disk: disk)
                try file.appendRest(from: reader, limit: page, progress: progress)
                tables.append(try file.flush())
            }
            return tables
        }
        let manifest = ExportManifest(schemaStep: CopiedTables.schemaStep, hasKeys: withKeys, tables: tables)
        for table in tables {
            try disk.rename("\(folder)/\(table.file)\(TableFile.partial)", to: "\(folder)/\(table.file)")
        }
        try disk.replace("\(folder)/\(ExportManifest.name)", with: manifest.text)
        return manifest
    }

    private func path(of table: CopiedTable) -> String { "\(folder)/\(table.name).ndjson\(TableFile.partial)" }

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
            guard names.allSatisfy({ $0 == Self.beginning + TableFile.partial }) else { throw .exportFolderInUse }
            return try disk.replace("\(folder)/\(Self.beginning)", with: beginning.text)
        }
        guard found == beginning.text else { throw .exportFolderInUse }
        // A finished file without a manifest is written again: the moment is another one.
        let evidence = CopiedTables.evidence
        if names.contains("\(evidence.name).ndjson") {
            try disk.rename("\(folder)/\(evidence.name).ndjson", to: path(of: evidence))
        }
    }

    /// Writes the signed inputs that exist now.
    private func firstEvidence() async throws(StorageError) -> TableFile {
        let table = CopiedTables.evidence
        let file = try TableFile.resumed(table, path: path(of: table), disk: disk)
        if let last = file.lastRow {
            guard case .number(let sequence) = last[1] else { throw .exportFolderInUse }
            let stored = try await database.readRows { reader throws(StorageError) in
                try reader.row(of: table, after: [last[0], .number(sequence - 1)])
            }
            guard stored == last else { throw .exportFolderInUse }
        }
        var evidence = EvidencePages(of: file, limit: page)
        while !evidence.isAtEnd {
            evidence = try await database.readRows { [evidence] reader throws(StorageError) in
                var evidence = evidence
                try evidence.add(from: reader)
                return evidence
            }
            progress(CopyProgress(table: table.name, rows: evidence.file.rows))
        }
        try evidence.file.write()
        return evidence.file
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
