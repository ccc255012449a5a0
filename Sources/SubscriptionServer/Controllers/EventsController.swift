import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The event feed: all events, each once and in order.
package struct EventsController: Sendable {
    private static let pageSizeMax = 1000
    private static let waitSecondsMax = 30

    private let feed: EventFeed

    /// Makes the controller.
    package init(feed: EventFeed) {
        self.feed = feed
    }

    /// Adds the route.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("events", use: list)
    }

    /// The events after a cursor. `next_cursor` is always present, even if there are no new events.
    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["after", "limit", "wait"])
        let waitSeconds = try query.number("wait", in: 0...Self.waitSecondsMax) ?? 0
        let connection = waitSeconds > 0 ? await context.connection() : nil
        let page = try await feed.page(
            after: try Self.cursor(query["after"], app: app),
            limit: try query.number("limit", in: 1...Self.pageSizeMax) ?? 100,
            wait: .seconds(waitSeconds),
            isGone: { connection?.isGone ?? false }
        )
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(page.events.map { .object(JSONObject(event: $0, app: app)) })
        list["has_more"] = .bool(page.hasMore)
        list["next_cursor"] = .string(page.next.text)
        return .json(list)
    }

    private static func cursor(_ text: Substring?, app: AppID) throws(APIError) -> EventCursor {
        guard let text else { return EventCursor(sequence: 0, app: app) }
        guard let cursor = EventCursor(String(text), app: app) else {
            throw .invalid(
                "after",
                "after must be a next_cursor of an earlier answer, under a key of the same app and environment."
            )
        }
        return cursor
    }
}
