import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Refunds: all of an app, their rates, and those of one customer. They need a secret key.
package struct RefundsController: Sendable {
    private static let pageMax = 100
    /// The time of the rates if the request names none.
    private static let ratesMilliseconds: Int64 = 30 * 86_400_000

    private let reading: RefundReading
    private let rates: RefundRates
    private let time: any TimeSource

    /// Makes the controller.
    package init(reading: RefundReading, rates: RefundRates, time: any TimeSource) {
        self.reading = reading
        self.rates = rates
        self.time = time
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("refunds", use: list)
        group.get("refunds/rates", use: report)
        group.get("customers/{app_user_id}/refunds", use: pattern)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["from", "to", "product_id", "app_user_id", "after", "limit"])
        let (from, to) = try Self.span(query)
        let selection = RefundSelection(
            productID: try query["product_id"].map { ProductID(try String($0).checkedParameter("product_id")) },
            from: from,
            to: to,
            after: try query["after"].map { try Self.position(String($0)) }
        )
        let page = try await reading.refunds(
            selection,
            of: try query["app_user_id"].map { CustomerID(try String($0).checkedParameter("app_user_id")) },
            app: app,
            limit: try Self.size(query["limit"])
        )
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(page.entries.map { .object(JSONObject(refund: $0)) })
        list["has_more"] = .bool(page.hasMore)
        let last = page.entries.last.map { RefundSelection.Position($0.refund).cursor }
        list["next_cursor"] = page.hasMore ? .text(last) : .null
        return .json(list)
    }

    private func report(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["from", "to", "by"])
        let (from, to) = try Self.span(query)
        let end = to ?? time.now()
        let start = from ?? end.adding(milliseconds: -Self.ratesMilliseconds)
        guard start < end else { throw APIError.invalid("from", "from must be earlier than to.") }
        let asked = RefundRates.Request(from: start, to: end, by: try Self.grouping(query["by"]))
        let report = try await rates.report(asked, app: app)
        return .json(JSONObject(rates: report, of: asked))
    }

    private func pattern(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let pattern = try await reading.pattern(of: try context.customerID(), app: app)
        return .json(JSONObject(refundsOf: pattern))
    }

    // MARK: Parameters

    private static func span(_ query: Parameters) throws(APIError) -> (from: Timestamp?, to: Timestamp?) {
        let from = try time("from", query["from"])
        let to = try time("to", query["to"])
        if let from, let to, from >= to { throw .invalid("to", "to must be later than from.") }
        return (from, to)
    }

    private static func time(_ name: String, _ text: Substring?) throws(APIError) -> Timestamp? {
        guard let text else { return nil }
        guard let time = Timestamp(text: text) else { throw .invalidTime(name) }
        return time
    }

    private static func position(_ cursor: String) throws(APIError) -> RefundSelection.Position {
        guard let position = RefundSelection.Position(cursor: cursor) else {
            throw .invalid("after", "after must be a next_cursor of an earlier answer.")
        }
        return position
    }

    private static func grouping(_ text: Substring?) throws(APIError) -> RefundRates.Grouping {
        guard let text else { return .product }
        guard let grouping = RefundRates.Grouping(rawValue: String(text)) else {
            let known = RefundRates.Grouping.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("by", "by must be one of \(known).")
        }
        return grouping
    }

    private static func size(_ text: Substring?) throws(APIError) -> Int {
        guard let text else { return pageMax }
        guard let number = Int(text), (1...pageMax).contains(number) else {
            throw .invalid("limit", "limit must be a number from 1 to \(pageMax).")
        }
        return number
    }
}
