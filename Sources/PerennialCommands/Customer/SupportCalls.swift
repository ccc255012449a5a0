import AppStoreModel

/// Reads data for support from a running server.
struct SupportCalls {
    /// A customer's timeline, as far as it was read.
    struct Timeline {
        /// Oldest first.
        var entries: [JSONObject] = []
        /// Whether there are more entries.
        var hasMore = false
    }

    /// Of 1,000 entries each.
    private static let pagesMax = 10
    /// A refresh has up to 25 queries, each with the server's time limit for Apple.
    private static let refreshDeadline = Duration.seconds(300)
    private static let notFoundCode = "customer_not_found"
    /// What the server answers about an order of another app or environment.
    private static let codesOfForeignOrders = [
        "transaction_of_another_app", "bundle_id_mismatch", "environment_mismatch", "app_not_configured",
    ]

    let server: ServerCalls
    /// Whether the server asks Apple about a customer before it shows them.
    var refreshes = false

    /// The requested customers, each with explanations.
    ///
    /// - Throws: ``ServerCallError``; `customer_not_found` for an order of another app.
    func customers(id: String?, transaction: String?, order: String?) async throws(ServerCallError) -> [JSONObject] {
        if let id { return [try await customer(id)] }
        let query =
            transaction.map { "transaction_id=\(ServerCalls.encoded($0))" }
            ?? "order_id=\(ServerCalls.encoded(order ?? ""))"
        let list: JSONObject
        do throws(ServerCallError) {
            list = try await server.get("/v1/customers?\(query)")
        } catch  where order != nil && Self.codesOfForeignOrders.contains(error.code) {
            throw ServerCallError(
                code: Self.notFoundCode,
                message: "The order belongs to another app of the developer, or to another environment. Use a key of"
                    + " that app and environment"
            )
        }
        var customers: [JSONObject] = []
        for found in list["data"]?.arrayValue ?? [] {
            guard let id = found.objectValue?["app_user_id"]?.stringValue else { continue }
            customers.append(try await customer(id))
        }
        return customers
    }

    /// Why no customer has a transaction or an order: the purchase may be known, but unclaimed.
    func notFound(transaction: String?, order: String?) async -> ServerCallError {
        if let order, let answer = await notFound(order: order) { return answer }
        if let transaction, let purchase = try? await server.get("/v1/purchases/\(ServerCalls.encoded(transaction))") {
            let id = purchase["id"]?.stringValue ?? transaction
            let bought = purchase["subscription"]?.objectValue ?? purchase["one_time_purchase"]?.objectValue
            return Self.unowned("The purchase \(Self.named(id, bought)) is known, but belongs to no customer.")
        }
        return ServerCallError(
            code: Self.notFoundCode,
            message: "This server has no such transaction or order. Check the number, and that the key is for the app"
                + " and the environment of the purchase. To take the purchase in: POST /v1/transactions with"
                + " app_user_id and \(transaction == nil ? "order_id" : "transaction_id")"
        )
    }

    /// What Apple says about an order without a customer; nil if the key may not ask, or the server cannot.
    private func notFound(order: String) async -> ServerCallError? {
        let found: JSONObject
        do throws(ServerCallError) {
            found = try await server.post("/v1/lookups/order", ["order_id": .string(order)])
        } catch {
            // The look-up needs a key that may write. An older server does not have it.
            return error.status == 403 || error.status == 404 ? nil : error
        }
        let transactions = (found["transactions"]?.arrayValue ?? []).compactMap(\.objectValue)
        guard found["status"] == .string("valid"), !transactions.isEmpty else {
            return ServerCallError(
                code: Self.notFoundCode,
                message: "Apple knows no such order of this app. Check the number in Apple's mail, and that the key is"
                    + " for the app of the purchase"
            )
        }
        var bought: [String] = []
        for transaction in transactions {
            let name = Self.named(transaction["original_transaction_id"]?.stringValue ?? "?", transaction)
            if !bought.contains(name) { bought.append(name) }
        }
        let text = "The order is valid, for the purchase \(bought.joined(separator: ", "))."
        if transactions.allSatisfy({ $0["held"] == .bool(true) }) {
            return Self.unowned("\(text) This server has it, but it belongs to no customer.")
        }
        return ServerCallError(
            code: Self.notFoundCode,
            message: "\(text) This server does not have it yet. To take it in: POST /v1/transactions with app_user_id"
                + " and order_id"
        )
    }

    private static func named(_ id: String, _ bought: JSONObject?) -> String {
        "\(id)\(bought?["product_id"]?.stringValue.map { " (\($0))" } ?? "")"
    }

    private static func unowned(_ text: String) -> ServerCallError {
        ServerCallError(
            code: notFoundCode,
            message: "\(text) Restore purchases in the app, or transfer it to a customer with POST /v1/transfers"
        )
    }

    /// The timeline of a customer.
    ///
    /// - Throws: ``ServerCallError``.
    func timeline(of customer: JSONObject) async throws(ServerCallError) -> Timeline {
        var timeline = Timeline()
        guard let id = customer["app_user_id"]?.stringValue else { return timeline }
        let path = "/v1/customers/\(ServerCalls.encoded(id))/timeline?limit=1000"
        var cursor: String?
        for _ in 0..<Self.pagesMax {
            let page = try await server.get(path + (cursor.map { "&after=\(ServerCalls.encoded($0))" } ?? ""))
            timeline.entries += page.objects("data")
            cursor = page["next_cursor"]?.stringValue
            timeline.hasMore = cursor != nil
            if cursor == nil { break }
        }
        return timeline
    }

    /// The lists of extensions of a customer's subscriptions, by the identifier of the subscription.
    ///
    /// - Throws: ``ServerCallError``.
    func extensions(of customer: JSONObject) async throws(ServerCallError) -> [String: JSONObject] {
        var lists: [String: JSONObject] = [:]
        for subscription in customer["subscriptions"]?.arrayValue ?? [] {
            guard let id = subscription.objectValue?["id"]?.stringValue else { continue }
            lists[id] = try await server.get("/v1/subscriptions/\(ServerCalls.encoded(id))/extensions")
        }
        return lists
    }

    /// The refunds of a customer over all purchases; empty for somebody who only submitted a purchase of another
    /// customer.
    ///
    /// - Throws: ``ServerCallError``.
    func refunds(of customer: JSONObject) async throws(ServerCallError) -> JSONObject {
        guard let id = customer["app_user_id"]?.stringValue else { return JSONObject() }
        do throws(ServerCallError) {
            return try await server.get("/v1/customers/\(ServerCalls.encoded(id))/refunds")
        } catch  where error.status == 404 {
            // An older server does not have the route.
            return JSONObject()
        }
    }

    /// The newest refund requests about a customer's purchases, newest first.
    ///
    /// - Throws: ``ServerCallError``.
    func refundRequests(of customer: JSONObject) async throws(ServerCallError) -> [JSONObject] {
        guard let id = customer["app_user_id"]?.stringValue else { return [] }
        do throws(ServerCallError) {
            let page = try await server.get("/v1/refund_requests?app_user_id=\(ServerCalls.encoded(id))")
            return (page["data"]?.arrayValue ?? []).compactMap(\.objectValue)
        } catch  where error.code == "parameter_unknown" {
            // An older server does not have the parameter.
            return []
        }
    }

    private func customer(_ id: String) async throws(ServerCallError) -> JSONObject {
        var leftOut: JSONValue?
        if refreshes {
            let path = "/v1/customers/\(ServerCalls.encoded(id))/refresh"
            // An older server does not say it.
            leftOut = try await server.post(path, [:], within: Self.refreshDeadline)["purchases_not_asked"]
        }
        var customer = try await server.get("/v1/customers/\(ServerCalls.encoded(id))?explain=true")
        if let leftOut { customer["purchases_not_asked"] = leftOut }
        return customer
    }
}
