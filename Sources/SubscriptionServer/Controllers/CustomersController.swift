import AppStoreModel
import Crypto
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// What a customer has and may use.
package struct CustomersController: Sendable {
    private static let pageSizeMax = 1000

    private let reading: CustomerReading
    private let story: CustomerTimeline

    /// Makes the controller.
    package init(reading: CustomerReading, timeline: CustomerTimeline) {
        self.reading = reading
        story = timeline
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers/{app_user_id}", use: customer)
        group.get("customers/{app_user_id}/entitlements", use: entitlements)
        group.get("customers/{app_user_id}/timeline", use: timeline)
    }

    private func customer(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let view = try await view(request, context)
        return .cacheable(JSONObject(customer: view), for: request)
    }

    private func entitlements(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let view = try await view(request, context)
        return .cacheable(JSONObject(entitlementsOf: view), for: request)
    }

    /// The story, oldest first; a server's business, since it shows every input.
    private func timeline(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let page = try Page(request, sizeMax: Self.pageSizeMax)
        let entries = try await story.entries(of: try context.customerID(), app: app)
        let wanted = entries.enumerated().dropFirst(Int(clamping: page.after)).prefix(page.size + 1)
        return page.answer(wanted.map { (sequence: Int64($0.offset) + 1, object: JSONObject(entry: $0.element)) })
    }

    private func view(_ request: Request, _ context: ServerRequestContext) async throws -> CustomerView {
        let app = try context.anyKey().appID
        let isExplained = try Self.flag("explain", request.uri.queryParameters["explain"])
        return try await reading.customer(
            try context.customerID(),
            of: app,
            asOf: try Self.instant("as_of", request.uri.queryParameters["as_of"]),
            isExplained: isExplained
        )
    }

    private static func instant(_ name: String, _ text: Substring?) throws(APIError) -> Timestamp? {
        guard let text else { return nil }
        guard let number = Int64(text) else {
            throw .invalid(name, "\(name) must be milliseconds since 1970.")
        }
        return Timestamp(milliseconds: number)
    }

    private static func flag(_ name: String, _ text: Substring?) throws(APIError) -> Bool {
        switch text {
        case nil, "false"?: return false
        case "true"?: return true
        default: throw .invalid(name, "\(name) must be true or false.")
        }
    }
}

extension Response {
    /// An answer with an `ETag` over everything but the instant of evaluation; 304 where the caller holds it already.
    fileprivate static func cacheable(_ object: JSONObject, for request: Request) -> Response {
        var lasting = object
        lasting["evaluated_at"] = nil
        let tag = "\"" + SHA256.hash(data: lasting.serialize()).prefix(16).hexadecimal + "\""
        if request.headers[.ifNoneMatch]?.contains(tag) == true {
            return Response(status: .notModified, headers: [.eTag: tag])
        }
        var response = Response.json(object)
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, no-cache"
        return response
    }
}
