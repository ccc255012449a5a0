import PerennialCommandSupport

/// The keys of an app as a table: a header, and one line for each key.
struct KeyTable {
    /// One key. Times are in milliseconds since 1970.
    struct Row {
        /// Its kind and last characters.
        let key: String
        /// Its identifier.
        let id: String
        /// Its permitted use.
        let kind: String
        /// What it may do; nil for a publishable key.
        let scope: String?
        /// When it was created.
        let createdAt: Int64
        /// When it stops being accepted; nil for never.
        let expiresAt: Int64?
        /// Whether it is not accepted any more.
        let isExpired: Bool
        /// When it was last used; nil for never.
        let lastUsedAt: Int64?
        /// Its purpose.
        let label: String?
    }

    /// The header and the keys.
    let lines: [String]

    init(_ rows: [Row]) {
        lines = TextTable.lines(
            [["KEY", "ID", "KIND", "SCOPE", "CREATED", "EXPIRES", "LAST USED", "LABEL"]]
                + rows.map { row in
                    [
                        row.key, row.id, row.kind, row.scope ?? "-", Self.time(row.createdAt),
                        row.isExpired ? "expired" : Self.time(row.expiresAt), Self.time(row.lastUsedAt),
                        row.label.map(TerminalText.escaped) ?? "-",
                    ]
                }
        )
    }

    private static func time(_ milliseconds: Int64?) -> String {
        milliseconds.flatMap { UTCTime.text(milliseconds: $0) } ?? "-"
    }
}
