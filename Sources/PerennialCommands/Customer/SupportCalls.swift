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

    let server: ServerCalls
    /// Whether the server asks Apple about a customer before it shows them.
    var refreshes = false

    /// The requested customers, each with explanations.
    ///
    /// - Throws: ``ServerCallError``.
    func customers(id: String?, transaction: String?, order: String?) async throws(ServerCallError) -> [JSONObject] {
        if let id { return [try await customer(id)] }
        let query =
            transaction.map { "transaction_id=\(ServerCalls.encoded($0))" }
            ?? "order_id=\(ServerCalls.encoded(order ?? ""))"
        var customers: [JSONObject] = []
        for found in try await server.get("/v1/customers?\(query)")["data"]?.arrayValue ?? [] {
            guard let id = found.objectValue?["app_user_id"]?.stringValue else { continue }
            customers.append(try await customer(id))
        }
        return customers
    }

    /// Why no customer has a transaction or an order: the purchase may be known, but unclaimed.
    func notFound(transaction: String?) async -> ServerCallError {
        let code = "customer_not_found"
        if let transaction, let purchase = try? await server.get("/v1/purchases/\(ServerCalls.encoded(transaction))") {
            let id = purchase["id"]?.stringValue ?? transaction
            let bought = purchase["subscription"]?.objectValue ?? purchase["one_time_purchase"]?.objectValue
            let product = bought?["product_id"]?.stringValue.map { " (\($0))" } ?? ""
            return ServerCallError(
                code: code,
                message: "The purchase \(id)\(product) is known, but belongs to no customer. Restore purchases in the"
                    + " app, or transfer it to a customer with POST /v1/transfers"
            )
        }
        return ServerCallError(
            code: code,
            message: "This server has no such transaction or order. Check the number, and that the key is for the app"
                + " and the environment of the purchase. To take the purchase in: POST /v1/transactions with"
                + " app_user_id and \(transaction == nil ? "order_id" : "transaction_id")"
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
        if refreshes {
            let path = "/v1/customers/\(ServerCalls.encoded(id))/refresh"
            _ = try await server.post(path, [:], within: Self.refreshDeadline)
        }
        return try await server.get("/v1/customers/\(ServerCalls.encoded(id))?explain=true")
    }
}
