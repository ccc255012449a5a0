import AppStoreModel
import Crypto
import HTTPTypes
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// What a customer has and may use.
package struct CustomersController: Sendable {
    private let reading: CustomerReading

    /// Makes the controller.
    package init(reading: CustomerReading) {
        self.reading = reading
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers/{app_user_id}", use: customer)
        group.get("customers/{app_user_id}/entitlements", use: entitlements)
    }

    private func customer(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let view = try await view(request, context)
        return .cacheable(JSONObject(customer: view), for: request)
    }

    private func entitlements(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let view = try await view(request, context)
        return .cacheable(JSONObject(entitlementsOf: view), for: request)
    }

    private func view(_ request: Request, _ context: ServerRequestContext) async throws -> CustomerView {
        let app = try context.anyKey().appID
        let isExplained = try Self.flag("explain", request.uri.queryParameters["explain"])
        return try await reading.customer(try context.customerID(), of: app, isExplained: isExplained)
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
