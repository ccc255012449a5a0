import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
package import SubscriptionStorage

/// Entitlement definitions.
package struct EntitlementsController: Sendable {
    private static let bodyBytesMax = 64 << 10
    private static let productsMax = 500

    private let administration: EntitlementAdministration
    private let database: any SubscriptionDatabase

    /// Makes the controller.
    package init(administration: EntitlementAdministration, database: any SubscriptionDatabase) {
        self.administration = administration
        self.database = database
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.put("entitlements/{id}", use: define)
        group.get("entitlements", use: list)
    }

    private func define(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let name = try context.parameters.require("id")
        guard let text = try name.removingURLPercentEncoding()?.checkedParameter("id", bytesMax: 128) else {
            throw APIError.invalid("id", "The entitlement's id is not percent-encoded UTF-8.")
        }
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["product_ids", "billing_retry_grace_days"])
        let definition = EntitlementDefinition(
            id: EntitlementID(text),
            productIDs: try Self.products(body["product_ids"]),
            billingRetryGraceDays: try Self.days("billing_retry_grace_days", body["billing_retry_grace_days"])
        )
        let unknown = try await administration.define(definition, app: app, by: try context.keyHolder())
        var answer = JSONObject(definition: definition)
        answer["warnings"] = .array(unknown.map { .object(JSONObject(neverSold: $0)) })
        return .json(answer)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let definitions = try await database.answer { storage throws(StorageError) in
            try storage.entitlementDefinitions(of: app)
        }
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(definitions.map { .object(JSONObject(definition: $0)) })
        list["has_more"] = .bool(false)
        list["next_cursor"] = .null
        return .json(list)
    }

    /// The store retries for at most 60 days.
    private static func days(_ name: String, _ value: JSONValue?) throws(APIError) -> Int {
        switch value ?? .null {
        case .null: return 0
        case .integer(let number) where (0...60).contains(number): return Int(number)
        default: throw .invalid(name, "\(name) must be a number of days from 0 to 60.")
        }
    }

    /// Empty if only grants give the entitlement.
    private static func products(_ value: JSONValue?) throws(APIError) -> [ProductID] {
        guard case .array(let values)? = value, values.count <= productsMax else {
            throw .invalid(
                "product_ids",
                """
                product_ids must be a list of at most \(productsMax) product identifiers; [] for what only \
                grants give.
                """
            )
        }
        var products: Set<ProductID> = []
        for value in values {
            guard case .string(let text) = value else {
                throw .invalid("product_ids", "Each product identifier must be a string.")
            }
            products.insert(ProductID(try text.checkedParameter("product_ids")))
        }
        return products.sorted()
    }
}

extension JSONObject {
    /// A warning about a product that may be misspelt. It is only a warning, because a new product is listed before its
    /// first sale.
    fileprivate init(neverSold product: ProductID) {
        self.init()
        self["code"] = .string("product_never_sold")
        self["product_id"] = .string(product.rawValue)
        self["message"] = .string(
            "No purchase of \(product) is known and no list of products has it. Check the spelling: GET "
                + "/v1/products shows the"
                + " known ones."
        )
    }

    fileprivate init(definition: EntitlementDefinition) {
        self.init()
        self["object"] = .string("entitlement")
        self["id"] = .string(definition.id.rawValue)
        self["product_ids"] = .array(definition.productIDs.map { .string($0.rawValue) })
        self["billing_retry_grace_days"] = .integer(Int64(definition.billingRetryGraceDays))
    }
}
