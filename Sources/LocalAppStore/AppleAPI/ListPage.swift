/// A part of an append-only list; its cursor is the position of the next part.
struct ListPage {
    /// The allowed page lengths.
    private static let limitRange = 1...1_000

    let range: Range<Int>
    let nextCursor: String?

    /// Finds a page in a list of this many elements.
    ///
    /// - Throws: `limit_invalid`, `cursor_invalid`.
    init(of count: Int, after cursor: String?, limit: Int) throws(StoreError) {
        guard Self.limitRange.contains(limit) else {
            let message = "The limit must be from \(Self.limitRange.lowerBound) to \(Self.limitRange.upperBound)."
            throw StoreError(.limitInvalid, message, path: "limit")
        }
        let start = cursor.map { Int($0) } ?? 0
        guard let start, (0...count).contains(start) else {
            throw StoreError(.cursorInvalid, "The cursor must be the nextCursor of an earlier page.", path: "cursor")
        }
        range = start..<min(start + limit, count)
        nextCursor = range.upperBound < count ? String(range.upperBound) : nil
    }
}
