import AppStoreModel
import Hummingbird

/// A page of a list: after which place, and how many.
struct Page {
    /// The place in the order of commits after which the page starts.
    let after: Int64
    /// How many entries at most.
    let size: Int

    /// Reads `after` and `limit` of a request.
    ///
    /// - Throws: `parameter_invalid`, `parameter_unknown`.
    init(_ request: Request, sizeMax: Int) throws(APIError) {
        let query = try request.query(["after", "limit"])
        if let cursor = query["after"] {
            guard let place = Page.place(of: String(cursor)) else {
                throw .invalid("after", "after must be a next_cursor of an earlier answer.")
            }
            after = place
        } else {
            after = 0
        }
        if let limit = query["limit"] {
            guard let number = Int(limit), (1...sizeMax).contains(number) else {
                throw .invalid("limit", "limit must be a number from 1 to \(sizeMax).")
            }
            size = number
        } else {
            size = min(100, sizeMax)
        }
    }

    /// Answers with at most `size` of the entries; one more than that says that there are more.
    func answer(_ entries: [(sequence: Int64, object: JSONObject)]) -> Response {
        let shown = entries.prefix(size)
        let hasMore = entries.count > size
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(shown.map { .object($0.object) })
        list["has_more"] = .bool(hasMore)
        list["next_cursor"] = hasMore ? shown.last.map { .string(Page.cursor($0.sequence)) } ?? .null : .null
        return .json(list)
    }

    private static func cursor(_ place: Int64) -> String { "c" + String(place, radix: 36) }

    private static func place(of cursor: String) -> Int64? {
        guard cursor.first == "c", let place = Int64(cursor.dropFirst(), radix: 36), place >= 0 else { return nil }
        return place
    }
}
