import Crypto
import PerennialPrimitives
package import SubscriptionStorage

/// A file of an export while it is written: one line per row, in the order of the key.
struct TableFile: Sendable {
    private static let bufferBytes = 1 << 20
    /// At most so many bytes are lost with the power.
    private static let unflushedBytesMax = 64 << 20

    let table: CopiedTable
    /// The path, which is renamed at the end.
    let path: String
    private let disk: any ExportDisk
    private(set) var rows = 0
    /// The key of the last row.
    private(set) var lastKey: [ColumnValue]?
    /// The last sequence number of each app, in a table to which rows are only added.
    private(set) var lastSequences: [ColumnValue: Int64] = [:]
    private var writtenBytes = 0
    private var unflushedBytes = 0
    private var buffer: [UInt8] = []
    private var hash = SHA256()

    /// Begins a file.
    init(_ table: CopiedTable, path: String, disk: any ExportDisk) {
        self.table = table
        self.path = path
        self.disk = disk
    }

    /// Continues a file after its last complete line that can be read.
    ///
    /// - Returns: The file and the last row.
    /// - Throws: ``StorageError`` of the disk.
    static func resumed(
        _ table: CopiedTable,
        path: String,
        disk: any ExportDisk
    ) throws(StorageError) -> (file: TableFile, last: [ColumnValue]?) {
        var file = TableFile(table, path: path, disk: disk)
        var lines = LineReader()
        var last: [UInt8] = []
        var isWhole = true
        _ = try disk.read(path) { piece throws(StorageError) in
            try lines.read(piece) { line, _ throws(StorageError) in
                // A power failure can leave zeros in place of unflushed bytes.
                isWhole =
                    isWhole && line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
                    && !line.contains(0)
                guard isWhole else { return }
                guard let key = RowLine.key(of: line, in: table) else { throw .exportFolderInUse }
                file.note(key)
                file.note(line + [UInt8(ascii: "\n")])
                last = line
            }
        }
        guard !last.isEmpty else { return (TableFile(table, path: path, disk: disk), nil) }
        guard let row = RowLine.row(of: last, in: table) else { throw .exportFolderInUse }
        file.lastKey = table.key(of: row)
        return (file, row)
    }

    /// Adds rows in the order of their keys.
    ///
    /// - Throws: ``StorageError`` of the disk.
    mutating func append(_ added: [[ColumnValue]]) throws(StorageError) {
        for row in added {
            buffer += RowLine.text(of: row, in: table)
            rows += 1
            if table.isAppendOnly { note(table.key(of: row)) }
            if buffer.count >= Self.bufferBytes { try write() }
        }
        if let last = added.last { lastKey = table.key(of: last) }
    }

    /// Writes the rest and returns when the file is on the disk.
    ///
    /// - Returns: The description of the file.
    /// - Throws: ``StorageError`` of the disk.
    mutating func finish() throws(StorageError) -> ExportManifest.Table {
        try write()
        try disk.flush(path)
        return ExportManifest.Table(
            name: table.name,
            rows: rows,
            bytes: writtenBytes,
            sha256: hash.finalize().hexadecimal
        )
    }

    /// Writes the buffer, so that another process can continue after it.
    ///
    /// - Throws: ``StorageError`` of the disk.
    mutating func write() throws(StorageError) {
        try disk.write(buffer, to: path, at: writtenBytes)
        hash.update(data: buffer)
        writtenBytes += buffer.count
        unflushedBytes += buffer.count
        buffer.removeAll(keepingCapacity: true)
        guard unflushedBytes >= Self.unflushedBytesMax else { return }
        try disk.flush(path)
        unflushedBytes = 0
    }

    /// Notes the key of a row in a table to which rows are only added: the app and the sequence number.
    private mutating func note(_ key: [ColumnValue]) {
        if key.count == 2, case .number(let sequence) = key[1] { lastSequences[key[0]] = sequence }
    }

    /// Counts a line that is already in the file.
    private mutating func note(_ line: [UInt8]) {
        hash.update(data: line)
        writtenBytes += line.count
        rows += 1
    }
}

extension StorageError {
    /// A folder that belongs to something else.
    package static let exportFolderInUse = StorageError(
        .exportFolderInUse,
        "The folder holds other files, or the beginning of an export of another database or with other options. Name "
            + "an empty folder.",
        isRetryable: false
    )
}
