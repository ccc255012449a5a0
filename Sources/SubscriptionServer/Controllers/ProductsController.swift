import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// The optional list of the products that an app sells.
package struct ProductsController: Sendable {
    private static let bodyBytesMax = 4 << 20

    private let administration: ProductAdministration

    /// Makes the controller.
    package init(administration: ProductAdministration) {
        self.administration = administration
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("products", use: list)
        group.put("products", use: replace)
    }

    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        _ = try request.query([])
        return Self.answer(try await administration.products(of: try context.secretKey().appID))
    }

    private func replace(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let list = try ProductList(try await request.jsonObject(limit: Self.bodyBytesMax))
        return Self.answer(try await administration.replace(with: list.products, app: app, by: try context.keyHolder()))
    }

    private static func answer(_ products: [KnownProduct]) -> Response {
        var list = JSONObject()
        list["object"] = .string("list")
        list["data"] = .array(products.map { .object(JSONObject(product: $0)) })
        list["has_more"] = .bool(false)
        list["next_cursor"] = .null
        return .json(list)
    }
}

extension JSONObject {
    fileprivate init(product: KnownProduct) {
        self.init()
        self["object"] = .string("product")
        self["id"] = .string(product.id.rawValue)
        self["type"] = .string(product.kind.rawValue)
        self["group_id"] = .text(product.groupID?.rawValue)
        self["name"] = .text(product.name)
        self["listed"] = .bool(product.isListed)
        self["sold"] = .bool(product.isSold)
    }
}
