import SubscriptionStorage

/// The pages of signed inputs that a file does not have yet.
///
/// Each app has its own sequence, so new inputs are not only at the end of the table.
struct EvidencePages: Sendable {
    /// The app whose inputs are read; nil while the next app is looked for.
    private var app: ColumnValue?
    /// Where the next app is looked for.
    private var position: [ColumnValue]?

    /// The key after which the next page begins, and its maximum number of rows.
    func next(after file: TableFile) -> (key: [ColumnValue]?, limit: Int) {
        guard let app else { return (position, 1) }
        return ([app, .number(file.lastSequences[app] ?? 0)], DatabaseExport.pageRows)
    }

    /// Adds the rows of a page to a file.
    ///
    /// - Returns: Whether there is another page.
    /// - Throws: ``StorageError`` of the disk.
    mutating func take(_ rows: [[ColumnValue]], into file: inout TableFile) throws(StorageError) -> Bool {
        guard let app else {
            app = rows.first?[0]
            return app != nil
        }
        let own = rows.prefix { $0[0] == app }
        try file.append(Array(own))
        if own.count < DatabaseExport.pageRows {
            position = [app, .number(.max)]
            self.app = nil
        }
        return true
    }
}
