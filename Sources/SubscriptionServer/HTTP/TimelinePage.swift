import AppStoreModel
import Hummingbird
import SubscriptionCore
import SubscriptionOperations

/// A page of a timeline. Its cursor is a time and a number of entries with that time, so later entries about an earlier
/// time do not move entries to another page.
struct TimelinePage {
    fileprivate struct Position {
        let at: Int64
        let count: Int
    }

    private let after: Position?
    private let size: Int

    /// Reads `after` and `limit` of a request.
    ///
    /// - Throws: `parameter_invalid`, `parameter_unknown`.
    init(_ request: Request, sizeMax: Int) throws(APIError) {
        let query = try request.query(["after", "limit"])
        if let text = query["after"] {
            guard let position = Position(cursor: String(text)) else {
                throw .invalid("after", "after must be a next_cursor of an earlier answer.")
            }
            after = position
        } else {
            after = nil
        }
        guard let limit = query["limit"] else {
            size = min(100, sizeMax)
            return
        }
        guard let number = Int(limit), (1...sizeMax).contains(number) else {
            throw .invalid("limit", "limit must be a number from 1 to \(sizeMax).")
        }
        size = number
    }

    /// Responds with the entries after the cursor.
    func answer(_ entries: [TimelineEntry]) -> Response {
        var positioned: [(position: Position, entry: TimelineEntry)] = []
        for entry in entries {
            let at = entry.at.milliseconds
            let count = positioned.last.map { $0.position.at == at ? $0.position.count + 1 : 1 } ?? 1
            positioned.append((Position(at: at, count: count), entry))
        }
        let wanted = positioned.filter { item in
            after.map { ($0.at, $0.count) < (item.position.at, item.position.count) } ?? true
        }
        let shown = wanted.prefix(size)
        let hasMore = wanted.count > size
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(shown.map { .object(JSONObject(entry: $0.entry)) })
        list["has_more"] = .bool(hasMore)
        list["next_cursor"] = hasMore ? shown.last.map { .string($0.position.cursor) } ?? .null : .null
        return .json(list)
    }
}

extension TimelinePage.Position {
    fileprivate var cursor: String { "t\(String(at, radix: 36)).\(String(count, radix: 36))" }

    fileprivate init?(cursor: String) {
        guard cursor.first == "t" else { return nil }
        let parts = cursor.dropFirst().split(separator: ".", maxSplits: 1)
        guard
            parts.count == 2, let at = Int64(parts[0], radix: 36), let count = Int(parts[1], radix: 36), count > 0
        else { return nil }
        self.init(at: at, count: count)
    }
}
