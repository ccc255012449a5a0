import Crypto
import PerennialPrimitives
package import SubscriptionStorage

/// A file of an export while it is written: the text of each row, in the order of the key.
package struct TableFile: Sendable {
    /// The text of a row, with its end.
    package typealias Text = @Sendable ([ColumnValue], any CopiedRowReading) throws(StorageError) -> [UInt8]

    /// The end of the name of a file that is not complete.
    package static let partial = ".partial"
    private static let bufferBytes = 1 << 20
    /// At most so many bytes are lost with the power.
    private static let unflushedBytesMax = 64 << 20

    /// The table of the rows.
    package let table: CopiedTable
    /// The path, which is renamed at the end.
    let path: String
    private let disk: any ExportDisk
    private let text: Text
    /// The number of rows.
    package private(set) var rows = 0
    /// The last row.
    private(set) var lastRow: [ColumnValue]?
    private var lastText: [UInt8] = []
    /// The last sequence number of each app, in a table to which rows are only added.
    private(set) var lastSequences: [ColumnValue: Int64] = [:]
    private var writtenBytes = 0
    private var unflushedBytes = 0
    private var buffer: [UInt8]
    private var hash = SHA256()

    /// The size, with what is not written yet.
    ///
    /// - Units: bytes.
    package var bytes: Int { writtenBytes + buffer.count }

    /// Begins a file.
    ///
    /// - Parameter beginning: The bytes before the first row.
    package init(
        _ table: CopiedTable,
        path: String,
        disk: any ExportDisk,
        beginning: [UInt8],
        text: @escaping Text
    ) {
        self.table = table
        self.path = path
        self.disk = disk
        self.text = text
        buffer = beginning
    }

    /// Begins a file with one line per row.
    init(_ table: CopiedTable, path: String, disk: any ExportDisk) {
        self.init(table, path: path, disk: disk, beginning: []) { row, _ throws(StorageError) in
            RowLine.text(of: row, in: table)
        }
    }

    /// Continues a file with one line per row after its last complete line that can be read.
    ///
    /// - Throws: ``StorageError`` of the disk.
    static func resumed(
        _ table: CopiedTable,
        path: String,
        disk: any ExportDisk
    ) throws(StorageError) -> TableFile {
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
        guard !last.isEmpty else { return TableFile(table, path: path, disk: disk) }
        guard let row = RowLine.row(of: last, in: table) else { throw .exportFolderInUse }
        file.lastRow = row
        return file
    }

    /// Adds rows in the order of their keys.
    ///
    /// - Throws: ``StorageError`` of the database and of the disk.
    mutating func append(_ added: [[ColumnValue]], from reader: any CopiedRowReading) throws(StorageError) {
        for row in added {
            lastText = try text(row, reader)
            lastRow = row
            buffer += lastText
            rows += 1
            if table.isAppendOnly { note(table.key(of: row)) }
            if buffer.count >= Self.bufferBytes { try write() }
        }
    }

    /// Adds all rows after the last one.
    ///
    /// - Parameters:
    ///   - limit: The limit of a page.
    ///   - progress: Called after each page.
    /// - Throws: ``StorageError`` of the database and of the disk.
    package mutating func appendRest(
        from reader: any CopiedRowReading,
        limit: CopiedPage.Limit,
        progress: (CopyProgress) -> Void
    ) throws(StorageError) {
        while true {
            let lastKey = lastRow.map { table.key(of: $0) }
            let page = try reader.page(of: table, after: lastKey, limit: limit)
            try append(page.rows, from: reader)
            progress(CopyProgress(table: table.name, rows: rows))
            guard page.isFull else { return }
        }
    }

    /// Writes the rest and returns when the file is on the disk.
    ///
    /// - Returns: The description of the file.
    /// - Throws: ``StorageError`` of the disk.
    @discardableResult
    package mutating func flush() throws(StorageError) -> ExportManifest.Table {
        try write()
        try disk.flush(path)
        unflushedBytes = 0
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

// A file whose rows are only added, and whose text does not show where a row ends.
extension TableFile {
    /// The position after the last row; nil without rows. ``flush()`` must have put them on the disk.
    package var position: TablePosition? {
        guard let lastRow, case .string(let lastApp) = lastRow[0] else { return nil }
        var sequences: [String: Int64] = [:]
        for (app, sequence) in lastSequences {
            if case .string(let name) = app { sequences[name] = sequence }
        }
        return TablePosition(
            rows: rows,
            bytes: writtenBytes,
            sha256: hash.finalize().hexadecimal,
            lastApp: lastApp,
            lastRowSHA256: SHA256.hash(data: lastText).hexadecimal,
            lastSequences: sequences
        )
    }

    /// A new file that continues after a position, as soon as ``readPart(before:)`` has found its bytes.
    ///
    /// - Throws: ``StorageError`` with `export_folder_in_use` if the database does not have the last row, or the row
    ///   has another text now; and of the database.
    package func continued(
        after position: TablePosition,
        from reader: any CopiedRowReading
    ) throws(StorageError) -> TableFile {
        let app = ColumnValue.string(position.lastApp)
        let sequence = position.lastSequences[position.lastApp] ?? 0
        let found = try reader.row(of: table, after: [app, .number(sequence - 1)])
        guard let row = found, table.key(of: row) == [app, .number(sequence)] else { throw .exportFolderInUse }
        var file = self
        file.lastRow = row
        file.lastText = try text(row, reader)
        guard SHA256.hash(data: file.lastText).hexadecimal == position.lastRowSHA256 else { throw .exportFolderInUse }
        for (app, sequence) in position.lastSequences { file.lastSequences[.string(app)] = sequence }
        return file
    }

    /// Takes over the bytes before a position. What follows them is cut off by the next write.
    ///
    /// - Returns: False if the file has other bytes.
    /// - Throws: ``StorageError`` of the disk.
    package mutating func readPart(before position: TablePosition) throws(StorageError) -> Bool {
        var found = SHA256()
        var missing = position.bytes
        _ = try disk.read(path) { piece throws(StorageError) in
            let part = piece.prefix(missing)
            found.update(data: part)
            missing -= part.count
        }
        guard missing == 0, found.finalize().hexadecimal == position.sha256 else { return false }
        hash = found
        rows = position.rows
        writtenBytes = position.bytes
        buffer = []
        return true
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
