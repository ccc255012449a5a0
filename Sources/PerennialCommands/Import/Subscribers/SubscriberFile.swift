import Crypto
import Foundation
import PerennialCommandSupport
import PerennialPrimitives

/// The beginning of a file.
struct FilePart: Hashable {
    /// Its size.
    ///
    /// - Units: bytes.
    var bytes = 0
    /// The SHA-256 of its bytes, in hexadecimal digits.
    var digest = ""
}

/// The rows of a file of subscribers, a piece of the file at a time.
struct SubscriberFile {
    private static let pieceBytes = 1 << 18

    /// The size of the file.
    ///
    /// - Units: bytes.
    let bytes: Int
    private let path: String
    private let form: PurchaseForm
    private let handle: FileHandle
    private var reader: SubscriberReader
    private var isFinished = false
    private var hash = SHA256()
    private var bytesRead = 0

    /// Opens the file.
    ///
    /// - Throws: ``InputError``.
    init(_ options: SubscriberImport.Options) throws {
        path = options.path
        form = options.form
        handle = try InputFile(path: path).open()
        bytes = try Int(handle.seekToEnd())
        try handle.seek(toOffset: 0)
        reader = SubscriberReader(
            userColumn: options.userColumn,
            purchaseColumn: options.purchaseColumn,
            form: options.form
        )
    }

    /// The part that was read. It ends at or after the last row.
    var read: FilePart { FilePart(bytes: bytesRead, digest: hash.finalize().hexadecimal) }

    /// Whether the file still begins with a part that an earlier run read.
    ///
    /// - Throws: Errors of the file system.
    func begins(with part: FilePart) throws -> Bool {
        try handle.seek(toOffset: 0)
        var hash = SHA256()
        var rest = part.bytes
        while rest > 0 {
            guard let data = try handle.read(upToCount: min(rest, Self.pieceBytes)), !data.isEmpty else { return false }
            hash.update(data: data)
            rest -= data.count
        }
        try handle.seek(toOffset: UInt64(bytesRead))
        return hash.finalize().hexadecimal == part.digest
    }

    /// The rows of the next piece; nil at the end.
    ///
    /// - Throws: ``InputError`` if the file has no names of columns, none of those that are needed, or
    ///   one of them twice; errors of the
    ///   file system.
    mutating func next() throws -> [SubscriberRow]? {
        guard !isFinished else { return nil }
        var rows: [SubscriberRow] = []
        do {
            if let data = try handle.read(upToCount: Self.pieceBytes), !data.isEmpty {
                hash.update(data: data)
                bytesRead += data.count
                try reader.read(Array(data)) { rows.append($0) }
            } else {
                isFinished = true
                try reader.finish { rows.append($0) }
            }
        } catch let error as SubscriberReader.ColumnsMissing {
            throw missing(error)
        } catch let error as SubscriberReader.ColumnRepeated {
            let name = TerminalText.escapedLine(String(error.name.prefix(40)))
            throw InputError(
                .malformed,
                "the first line of \(path) has several columns with the name \(name): rename or remove all but one"
            )
        } catch let error as SubscriberReader.NamesUnreadable {
            throw InputError(
                .malformed,
                "line \(error.line) of \(path) has no column names that can be read (\(error.problem.rawValue)). "
                    + "\(error.problem.message) Separate the columns with commas, semicolons or tabs"
            )
        }
        return rows
    }

    private func missing(_ error: SubscriberReader.ColumnsMissing) -> InputError {
        let names = error.names
        guard names.contains(where: { !$0.isEmpty }) else {
            return InputError(
                .empty,
                "\(path) is empty: give a file whose first line has the names of the columns, or with a JSON object on "
                    + "each line"
            )
        }
        let shown = names.prefix(40).map { TerminalText.escapedLine(String($0.prefix(40))) }.joined(separator: ", ")
        guard error.absent.isEmpty else {
            let absent = TerminalText.escapedLine(error.absent.joined(separator: " and "))
            return InputError(
                .malformed,
                "the first line of \(path) has no column for \(absent) (it has: \(shown)): name one that it has"
            )
        }
        return InputError(
            .malformed,
            "the first line of \(path) has no column with the user or none with the \(form.noun) (it has: \(shown)): "
                + "name them with --user-column and \(form.option), or add a line with the names"
        )
    }
}
