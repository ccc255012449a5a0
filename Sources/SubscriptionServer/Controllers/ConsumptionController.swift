import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// What is reported about the consumption of purchases, and the refund requests that it answers.
package struct ConsumptionController: Sendable {
    private static let bodyBytesMax = 4 << 10
    private static let pageMax = 100

    private let reporting: ConsumptionReporting
    private let requests: RefundRequests

    /// Makes the controller.
    package init(reporting: ConsumptionReporting, requests: RefundRequests) {
        self.reporting = reporting
        self.requests = requests
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("purchases/{id}/consumption", use: showReport)
        group.put("purchases/{id}/consumption", use: saveReport)
        group.get("refund_requests", use: list)
        group.get("refund_requests/{id}", use: show)
    }

    private func showReport(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        return .json(JSONObject(consumption: try await reporting.report(on: try Self.purchase(context), app: app)))
    }

    private func saveReport(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly([
            "customer_consented", "delivery_status", "consumption_percentage", "sample_content_provided",
        ])
        let report = try await reporting.save(
            ConsumptionReporting.Content(
                consents: try body.optionalFlag("customer_consented"),
                delivery: try Self.delivery(in: body),
                percentage: try Self.percentage(in: body),
                sampleProvided: try body.optionalFlag("sample_content_provided")
            ),
            on: try Self.purchase(context),
            app: app,
            by: try context.keyHolder(),
            isPerson: context.auditedPerson() != nil
        )
        return .json(JSONObject(consumption: report))
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(["purchase_id", "app_user_id", "after", "limit"])
        let size = try query.number("limit", in: 1...Self.pageMax) ?? Self.pageMax
        let selection = RefundRequests.Selection(
            purchase: try query["purchase_id"].map { TransactionID(try String($0).checkedParameter("purchase_id")) },
            owner: try query["app_user_id"].map { CustomerID(try String($0).checkedParameter("app_user_id")) }
        )
        let last = try query["after"].map { RefundRequestID(rawValue: try String($0).checkedParameter("after")) }
        let found = try await requests.requests(selection, app: app, before: last, limit: size + 1)
        let shown = found.prefix(size)
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(shown.map { .object(JSONObject(refundRequest: $0)) })
        list["has_more"] = .bool(found.count > size)
        list["next_cursor"] = found.count > size ? .text(shown.last?.id.rawValue) : .null
        return .json(list)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let id = RefundRequestID(rawValue: try context.parameters.require("id").checkedParameter("id"))
        return .json(JSONObject(refundRequest: try await requests.request(id, app: app)))
    }

    private static func purchase(_ context: ServerRequestContext) throws -> TransactionID {
        TransactionID(try context.parameters.require("id").checkedParameter("id"))
    }

    private static func delivery(in body: JSONObject) throws(APIError) -> ConsumptionFacts.Delivery? {
        guard let text = try body.optionalText("delivery_status") else { return nil }
        guard let delivery = ConsumptionFacts.Delivery(rawValue: text) else {
            let known = ConsumptionFacts.Delivery.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("delivery_status", "delivery_status must be one of \(known).")
        }
        return delivery
    }

    private static func percentage(in body: JSONObject) throws(APIError) -> Int? {
        switch body["consumption_percentage"] {
        case nil, .null?: return nil
        case .integer(let percentage)?: return Int(clamping: percentage)
        default:
            throw .invalid(
                "consumption_percentage",
                "consumption_percentage must be a whole number of thousandths of a percent, from 0 to 100000."
            )
        }
    }
}

extension JSONObject {
    /// A Boolean member; nil if it is absent or null.
    ///
    /// - Throws: `parameter_invalid`, naming the member.
    fileprivate func optionalFlag(_ name: String) throws(APIError) -> Bool? {
        switch self[name] {
        case nil, .null?: return nil
        case .bool(let flag)?: return flag
        default: throw .invalid(name, "\(name) must be true or false.")
        }
    }
}
