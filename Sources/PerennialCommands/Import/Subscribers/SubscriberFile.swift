import Foundation

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

    /// The rows of the next piece; nil at the end.
    ///
    /// - Throws: ``InputError`` if the file has none of the columns; errors of the file system.
    mutating func next() throws -> [SubscriberRow]? {
        guard !isFinished else { return nil }
        var rows: [SubscriberRow] = []
        do {
            if let data = try handle.read(upToCount: Self.pieceBytes), !data.isEmpty {
                try reader.read(Array(data)) { rows.append($0) }
            } else {
                isFinished = true
                try reader.finish { rows.append($0) }
            }
        } catch let error as SubscriberReader.ColumnsMissing {
            throw InputError(
                .malformed,
                "\(path) has no column with the user or none with the \(form.noun) (it has: "
                    + "\(error.names.prefix(40).joined(separator: ", "))): name them with --user-column and "
                    + "\(form.option)"
            )
        }
        return rows
    }
}
