/// A part of a list that only grows at its end; its cursor is the place where the next part begins.
struct ListPage {
    /// The range of a page's length.
    private static let limitRange = 1...1_000

    let range: Range<Int>
    let nextCursor: String?

    /// Finds a page in a list of so many elements.
    ///
    /// - Throws: `limit_invalid`, `cursor_invalid`.
    init(of count: Int, after cursor: String?, limit: Int) throws(StoreError) {
        guard Self.limitRange.contains(limit) else {
            let message = "The limit must be from \(Self.limitRange.lowerBound) to \(Self.limitRange.upperBound)."
            throw StoreError(.limitInvalid, kind: .invalid, message: message, path: "limit")
        }
        let start = cursor.map { Int($0) } ?? 0
        guard let start, (0...count).contains(start) else {
            let message = "The cursor must be the nextCursor of an earlier page."
            throw StoreError(.cursorInvalid, kind: .invalid, message: message, path: "cursor")
        }
        range = start..<min(start + limit, count)
        nextCursor = range.upperBound < count ? String(range.upperBound) : nil
    }
}
