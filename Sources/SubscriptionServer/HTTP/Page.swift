import AppStoreModel
import Hummingbird
import SubscriptionOperations

/// A page of a list: its start and size.
struct Page {
    /// The sequence number after which the page starts.
    let after: Int64
    /// The maximum number of entries.
    let size: Int

    /// Reads `after` and `limit` of a request.
    ///
    /// - Throws: `parameter_invalid`, `parameter_unknown`.
    init(_ request: Request, sizeMax: Int) throws(APIError) {
        let query = try request.query(["after", "limit"])
        if let cursor = query["after"] {
            guard let sequence = Page.sequence(of: String(cursor)) else {
                throw .invalid("after", "after must be a next_cursor of an earlier answer.")
            }
            after = sequence
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

    /// Responds with at most `size` of the entries; one more entry means that there are more.
    func answer(_ entries: [(sequence: Int64, object: JSONObject)]) -> Response {
        .json(list(entries.map { (sequence: $0.sequence, object: $0.object) }).list)
    }

    /// The page of a list of which some entries cannot be read.
    ///
    /// - Returns: The list of the entries that can be read, and the sequence numbers of the others on this page.
    func list(_ entries: [(sequence: Int64, object: JSONObject?)]) -> (list: JSONObject, unreadable: [Int64]) {
        let shown = entries.prefix(size)
        let hasMore = entries.count > size
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(shown.compactMap { $0.object.map(JSONValue.object) })
        list["has_more"] = .bool(hasMore)
        list["next_cursor"] = hasMore ? shown.last.map { .string(Page.cursor($0.sequence)) } ?? .null : .null
        return (list, shown.filter { $0.object == nil }.map(\.sequence))
    }

    private static func cursor(_ sequence: Int64) -> String { "c" + String(sequence, radix: 36) }

    private static func sequence(of cursor: String) -> Int64? {
        guard cursor.first == "c", let number = Int64(cursor.dropFirst(), radix: 36), number >= 0 else { return nil }
        return number
    }
}

extension JSONObject {
    /// A page of a list whose cursor is a text.
    ///
    /// - Parameter hasMore: Whether more items follow; then the cursor is that of the last item.
    init<Item>(
        page: ArraySlice<Item>,
        hasMore: Bool,
        cursor: (Item) -> String,
        _ object: (Item) throws -> JSONObject
    ) rethrows {
        self.init()
        self["object"] = .string("list")
        self["data"] = .array(try page.map { .object(try object($0)) })
        self["has_more"] = .bool(hasMore)
        self["next_cursor"] = hasMore ? .text(page.last.map(cursor)) : .null
    }
}
