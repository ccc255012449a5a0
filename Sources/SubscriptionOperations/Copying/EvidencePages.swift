package import SubscriptionStorage

/// Adds the signed inputs that a file does not have yet, a page at a time.
///
/// Each app has its own sequence, so new inputs are not only at the end of the table.
package struct EvidencePages: Sendable {
    /// The file with the pages that were added.
    package var file: TableFile
    /// Whether the last read found no other input.
    package private(set) var isAtEnd = false
    private let limit: CopiedPage.Limit
    /// The app whose inputs are read; nil while the next app is looked for.
    private var app: ColumnValue?
    /// Where the next app is looked for.
    private var position: [ColumnValue]?

    /// Begins with the first app.
    ///
    /// - Parameter limit: The limit of a page.
    package init(of file: TableFile, limit: CopiedPage.Limit) {
        self.file = file
        self.limit = limit
    }

    /// Adds the next page, or looks for the next app.
    ///
    /// - Throws: ``StorageError`` of the database and of the disk.
    package mutating func add(from reader: any CopiedRowReading) throws(StorageError) {
        guard let app else {
            app = try reader.row(of: file.table, after: position)?[0]
            isAtEnd = app == nil
            return
        }
        let key: [ColumnValue] = [app, .number(file.lastSequences[app] ?? 0)]
        let page = try reader.page(of: file.table, after: key, limit: limit)
        let own = page.rows.prefix { $0[0] == app }
        try file.append(Array(own), from: reader)
        // A page that has rows of the next app, or is not full, is the last one of this app.
        guard own.count < page.rows.count || !page.isFull else { return }
        position = [app, .number(.max)]
        self.app = nil
    }
}
