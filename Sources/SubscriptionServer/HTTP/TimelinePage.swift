import AppStoreModel
import Hummingbird
import SubscriptionCore
import SubscriptionOperations

/// A page of a story: after which instant and how many entries of it, so that what is learnt later about an earlier
/// time moves no entry to another page.
struct TimelinePage {
    fileprivate struct Place {
        let at: Int64
        let count: Int
    }

    private let after: Place?
    private let size: Int

    /// Reads `after` and `limit` of a request.
    ///
    /// - Throws: `parameter_invalid`, `parameter_unknown`.
    init(_ request: Request, sizeMax: Int) throws(APIError) {
        let query = try request.query(["after", "limit"])
        if let text = query["after"] {
            guard let place = Place(cursor: String(text)) else {
                throw .invalid("after", "after must be a next_cursor of an earlier answer.")
            }
            after = place
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

    /// Answers with the entries behind the place.
    func answer(_ entries: [TimelineEntry]) -> Response {
        var placed: [(place: Place, entry: TimelineEntry)] = []
        for entry in entries {
            let at = entry.at.milliseconds
            let count = placed.last.map { $0.place.at == at ? $0.place.count + 1 : 1 } ?? 1
            placed.append((Place(at: at, count: count), entry))
        }
        let wanted = placed.filter { item in
            after.map { ($0.at, $0.count) < (item.place.at, item.place.count) } ?? true
        }
        let shown = wanted.prefix(size)
        let hasMore = wanted.count > size
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(shown.map { .object(JSONObject(entry: $0.entry)) })
        list["has_more"] = .bool(hasMore)
        list["next_cursor"] = hasMore ? shown.last.map { .string($0.place.cursor) } ?? .null : .null
        return .json(list)
    }
}

extension TimelinePage.Place {
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
