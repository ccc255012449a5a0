package import SubscriptionStorage

/// Adds the signed inputs that a file does not have yet, a page at a time.
///
/// Each app has its own sequence, so new inputs are not only at the end of the table.
package struct EvidencePages: Sendable {
    /// The file with the pages that were added.
    package var file: TableFile
    /// Whether the last read found no other input.
    package private(set) var isAtEnd = false
    private let pageRows: Int
    /// The app whose inputs are read; nil while the next app is looked for.
    private var app: ColumnValue?
    /// Where the next app is looked for.
    private var position: [ColumnValue]?

    /// Begins with the first app.
    ///
    /// - Parameter pageRows: The maximum number of rows of a page.
    package init(of file: TableFile, pageRows: Int) {
        self.file = file
        self.pageRows = pageRows
    }

    /// Adds the next page, or looks for the next app.
    ///
    /// - Throws: ``StorageError`` of the database and of the disk.
    package mutating func add(from reader: any CopiedRowReading) throws(StorageError) {
        guard let app else {
            app = try reader.rows(of: file.table, after: position, limit: 1).first?[0]
            isAtEnd = app == nil
            return
        }
        let key: [ColumnValue] = [app, .number(file.lastSequences[app] ?? 0)]
        let rows = try reader.rows(of: file.table, after: key, limit: pageRows)
        let own = rows.prefix { $0[0] == app }
        try file.append(Array(own), from: reader)
        guard own.count < pageRows else { return }
        position = [app, .number(.max)]
        self.app = nil
    }
}
