import AppStoreModel
package import Hummingbird
import SubscriptionCore
package import SubscriptionOperations
import SubscriptionStorage

/// Look-ups of purchases and customers for support. They need a secret key, because identifiers can be guessed.
package struct LookupController: Sendable {
    private static let criteria = ["transaction_id", "order_id", "alias"]
    private static let orderBytesMax = 64
    private static let bodyBytesMax = 4 << 10

    private let purchases: PurchaseReading
    private let lookup: PurchaseLookup
    private let orders: OrderLookup
    private let reading: CustomerReading

    /// Makes the controller.
    package init(purchases: PurchaseReading, lookup: PurchaseLookup, orders: OrderLookup, reading: CustomerReading) {
        self.purchases = purchases
        self.lookup = lookup
        self.orders = orders
        self.reading = reading
    }

    /// Adds the routes.
    package func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("customers", use: customers)
        group.get("purchases/{id}", use: purchase)
        group.post("lookups/order", use: order)
    }

    private func order(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let body = try await request.jsonObject(limit: Self.bodyBytesMax)
        try body.allowOnly(["order_id"])
        let id = try body.requiredText("order_id", bytesMax: Self.orderBytesMax).orderNumber()
        let order = try await orders.order(id, of: app)
        for item in order.items { context.names(item.owner) }
        var object = JSONObject()
        object["object"] = .string("order_lookup")
        object["order_id"] = .string(id)
        object["status"] = .string(order.status.rawValue)
        object["transactions"] = .array(order.items.map { .object(JSONObject(item: $0)) })
        return .json(object)
    }

    private func purchase(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        _ = try request.query([])
        let id = TransactionID(try context.parameters.require("id").checkedParameter("id"))
        return .json(JSONObject(purchaseView: try await purchases.purchase(id, of: app)))
    }

    /// The customers of one look-up; an empty list if there are none.
    private func customers(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let app = try context.secretKey().appID
        let query = try request.query(Set(Self.criteria))
        let asked = Self.criteria.compactMap { name in query[Substring(name)].map { (name, String($0)) } }
        guard let (name, text) = asked.first, asked.count == 1 else {
            throw APIError.invalid("transaction_id", "Give one of \(Self.criteria.joined(separator: ", ")).")
        }
        let found: PurchaseReading.Found
        switch name {
        case "order_id":
            let order = try text.checkedParameter(name, bytesMax: Self.orderBytesMax)
            let bought = try await lookup.purchases(ofOrder: order.orderNumber(), app: app)
            found = try await purchases.holders(of: bought, app: app)
        case "alias":
            found = try await purchases.customer(named: CustomerID(try text.checkedParameter(name)), app: app)
        default:
            found = try await purchases.holders(of: TransactionID(try text.checkedParameter(name)), app: app)
        }
        var list = JSONObject()
        var objects: [JSONValue] = []
        for id in found.customers {
            objects.append(.object(JSONObject(customer: try await reading.customer(id, of: app))))
        }
        list["object"] = .string("list")
        list["data"] = .array(objects)
        list["has_more"] = .bool(found.hasMore)
        list["next_cursor"] = .null
        return .json(list)
    }
}

extension JSONObject {
    fileprivate init(purchaseView view: PurchaseView) {
        self.init()
        self["object"] = .string("purchase")
        self["id"] = .string(view.id.rawValue)
        self["app_user_id"] = .text(view.owner?.rawValue)
        self["shared_with"] = .array(view.sharers.map { .string($0.rawValue) })
        self["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
        self["subscription"] = .null
        self["one_time_purchase"] = .null
        switch view.state {
        case .subscription(let state)?:
            self["subscription"] = .object(JSONObject(subscription: state, appTransactionID: view.appTransactionID))
        case .oneTime(let state)?:
            self["one_time_purchase"] = .object(JSONObject(purchase: state, appTransactionID: view.appTransactionID))
        case nil: break
        }
        self["transactions"] = .array(view.transactions.map { .object(JSONObject(transaction: $0)) })
    }

    fileprivate init(item: OrderLookup.Item) {
        self.init(transaction: item.transaction)
        // Signed for this answer, and not stored.
        self["evidence_id"] = nil
        self["original_transaction_id"] = .string(item.transaction.originalID.rawValue)
        self["held"] = .bool(item.isHeld)
        self["app_user_id"] = .text(item.owner?.rawValue)
    }

    private init(transaction fact: TransactionFact) {
        self.init()
        self["transaction_id"] = .string(fact.id.rawValue)
        self["product_id"] = .string(fact.productID.rawValue)
        self["purchased_at"] = .integer(fact.purchasedAt.milliseconds)
        self["expires_at"] = .time(fact.expiresAt)
        self["revoked_at"] = .time(fact.revocation?.at)
        self["ownership"] = .string(fact.ownership.rawValue)
        self["quantity"] = .integer(Int64(fact.quantity))
        self["price"] = fact.price.map { .integer($0.milliunits) } ?? .null
        self["currency"] = .text(fact.price?.currency)
        self["storefront"] = .text(fact.storefront)
        self["signed_at"] = .integer(fact.signedAt.milliseconds)
        self["evidence_id"] = .string(fact.evidence.rawValue)
    }
}
