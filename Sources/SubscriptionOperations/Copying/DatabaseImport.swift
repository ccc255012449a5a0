import Crypto
import PerennialPrimitives
package import SubscriptionStorage

/// Fills an empty database from an export.
///
/// All files are checked against the manifest first. Then one transaction writes every row, so a failure or a kill
/// leaves the database empty.
package struct DatabaseImport: Sendable {
    private static let pageRows = 500
    /// Signed inputs of any size stay bounded in memory.
    private static let pageBytes = 4 << 20

    private let database: any CopyableDatabase
    private let folder: String
    private let disk: any ExportDisk
    private let progress: @Sendable (CopyProgress) -> Void

    /// Makes an import.
    ///
    /// - Parameters:
    ///   - folder: The path of a complete export.
    ///   - progress: Called after each page.
    package init(
        into database: any CopyableDatabase,
        from folder: String,
        disk: any ExportDisk = FileSystemDisk(),
        progress: @escaping @Sendable (CopyProgress) -> Void = { _ in }
    ) {
        self.database = database
        self.folder = folder
        self.disk = disk
        self.progress = progress
    }

    /// Reads the manifest and checks every file. It writes nothing.
    ///
    /// - Throws: ``StorageError`` with `export_incomplete`, `export_damaged`, `export_of_other_version` and
    ///   `export_not_read`.
    package static func check(
        _ folder: String,
        disk: any ExportDisk = FileSystemDisk()
    ) throws(StorageError) -> ExportManifest {
        guard let text = try disk.contents(of: "\(folder)/\(ExportManifest.name)") else {
            throw StorageError(
                .exportIncomplete,
                "\(folder) holds no complete export: \(ExportManifest.name) is missing. Check the path, or finish the "
                    + "export with the same command as before.",
                isRetryable: false
            )
        }
        let manifest = try ExportManifest(text: text)
        guard manifest.schemaStep == CopiedTables.schemaStep else {
            throw .exportOfOtherVersion("it has schema step \(manifest.schemaStep)")
        }
        let names = ExportManifest.tables(withKeys: manifest.hasKeys).map(\.name)
        guard manifest.tables.map(\.name) == names else {
            throw .exportDamaged(ExportManifest.name, "it does not list every table once")
        }
        for table in manifest.tables { try check(table, in: folder, disk: disk) }
        return manifest
    }

    private static func check(
        _ table: ExportManifest.Table,
        in folder: String,
        disk: any ExportDisk
    ) throws(StorageError) {
        var hash = SHA256()
        var bytes = 0
        let isThere = try disk.read("\(folder)/\(table.file)") { piece throws(StorageError) in
            hash.update(data: piece)
            bytes += piece.count
        }
        guard isThere else { throw .exportDamaged(table.file, "the file is missing") }
        guard bytes == table.bytes else {
            throw .exportDamaged(table.file, "it has \(bytes) bytes instead of \(table.bytes)")
        }
        guard hash.finalize().hexadecimal == table.sha256 else {
            throw .exportDamaged(table.file, "its SHA-256 differs from the manifest")
        }
    }

    /// Checks and imports.
    ///
    /// - Throws: ``StorageError`` with `database_not_empty`, the codes of ``check(_:disk:)``, and the database's codes.
    package func run() async throws(StorageError) -> ExportManifest {
        let manifest = try Self.check(folder, disk: disk)
        try await database.writeRows { writer throws(StorageError) in
            guard try writer.isEmpty() else {
                throw StorageError(
                    .databaseNotEmpty,
                    "The database already holds data, and an import never mixes two. Name a new database.",
                    isRetryable: false
                )
            }
            for (table, file) in zip(ExportManifest.tables(withKeys: manifest.hasKeys), manifest.tables) {
                try insert(table, file, writer)
            }
            try writer.finish()
        }
        return manifest
    }

    private func insert(
        _ table: CopiedTable,
        _ file: ExportManifest.Table,
        _ writer: any CopiedRowWriting
    ) throws(StorageError) {
        var lines = LineReader()
        var page: [[ColumnValue]] = []
        var pageBytes = 0
        var last: [UInt8] = []
        _ = try disk.read("\(folder)/\(file.file)") { piece throws(StorageError) in
            try lines.read(piece) { line, number throws(StorageError) in
                guard let row = RowLine.row(of: line, in: table) else {
                    throw .exportDamaged(file.file, "line \(number) is not a row of the table")
                }
                guard line != last else { throw .exportDamaged(file.file, "line \(number) repeats the one before it") }
                last = line
                page.append(row)
                pageBytes += line.count
                guard page.count >= Self.pageRows || pageBytes >= Self.pageBytes else { return }
                try writer.insert(page, into: table)
                page.removeAll(keepingCapacity: true)
                pageBytes = 0
                progress(CopyProgress(table: table.name, rows: number))
            }
        }
        guard !lines.hasRest, lines.line == file.rows else {
            throw .exportDamaged(file.file, "it has \(lines.line) whole lines instead of \(file.rows)")
        }
        try writer.insert(page, into: table)
        progress(CopyProgress(table: table.name, rows: lines.line))
    }
}
