import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The developer's attributes of a customer.
package struct AttributesController: Sendable {
    private static let bodyBytesMax = 64 << 10

    private let attributes: CustomerAttributes

    /// Makes the controller.
    package init(attributes: CustomerAttributes) {
        self.attributes = attributes
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers/{app_user_id}/attributes", use: show)
        group.put("customers/{app_user_id}/attributes", use: replace)
        group.patch("customers/{app_user_id}/attributes", use: merge)
    }

    private func show(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        return .json(JSONObject(attributesOf: try await attributes.customer(try context.customerID(), of: app)))
    }

    private func replace(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        var texts: [String: String] = [:]
        for (name, text) in try await Self.texts(in: request) {
            guard let text else { throw APIError.invalid("attributes", "\(name) must be a text.") }
            texts[name] = text
        }
        let (name, who) = (try context.customerID(), context.auditedPerson())
        let customer = try await attributes.change(name, of: app, .replace(texts), by: who)
        return .json(JSONObject(attributesOf: customer))
    }

    private func merge(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let texts = try await Self.texts(in: request)
        let (name, who) = (try context.customerID(), context.auditedPerson())
        let customer = try await attributes.change(name, of: app, .merge(texts), by: who)
        return .json(JSONObject(attributesOf: customer))
    }

    private static func texts(in request: Request) async throws -> [String: String?] {
        let body = try await request.jsonObject(limit: bodyBytesMax)
        try body.allowOnly(["attributes"])
        guard case .object(let object)? = body["attributes"] else {
            throw APIError.invalid("attributes", "attributes must be an object of texts by name.")
        }
        var texts: [String: String?] = [:]
        for member in object.members {
            switch member.value {
            case .string(let text): texts[member.key] = .some(text)
            case .null: texts[member.key] = .some(nil)
            default: throw APIError.invalid("attributes", "\(member.key) must be a text, or null.")
            }
        }
        return texts
    }
}

extension JSONObject {
    fileprivate init(attributesOf customer: CustomerRecord) {
        self.init()
        self["object"] = .string("attributes")
        self["app_user_id"] = .string(customer.id.rawValue)
        self["attributes"] = .object(JSONObject(attributes: customer.profile))
    }

    /// A customer's attributes by name.
    init(attributes profile: CustomerProfile) {
        self.init()
        for (name, attribute) in profile.attributes.sorted(by: { $0.key < $1.key }) {
            self[name] = .string(attribute.value)
        }
    }
}
