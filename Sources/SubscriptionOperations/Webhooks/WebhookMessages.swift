import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

/// A message for a receiver.
struct WebhookMessage: Hashable, Sendable {
    /// The `webhook-id`.
    let id: String
    /// The body.
    let body: [UInt8]
}

/// Makes messages in the form that an endpoint wants.
struct WebhookMessages: Sendable {
    let database: any SubscriptionDatabase
    let reading: CustomerReading

    /// A message about an item; nil if the form knows nothing like it.
    ///
    /// - Throws: ``OperationError`` with storage's codes.
    func message(
        about item: WebhookItem,
        in form: WebhookEndpoint.Form,
        app: AppID
    ) async throws(OperationError) -> WebhookMessage? {
        let id = item.messageID(of: app)
        switch (form, item.content) {
        case (.apple, .notification(let record)):
            var body = JSONObject()
            body["signedPayload"] = .string(String(decoding: record.signedBytes, as: UTF8.self))
            return WebhookMessage(id: id, body: body.serialize())
        case (.apple, .event), (_, .notification): return nil
        case (.events, .event(let record)):
            let body = item.body { envelope(of: record, JSONObject(event: record, app: app)) }
            return WebhookMessage(id: id, body: body)
        case (.state, .event(let record)):
            var data = JSONObject()
            data["event"] = .object(JSONObject(event: record, app: app))
            data["entitlements"] = try await state(of: record.customerID, app: app)
            return WebhookMessage(id: id, body: envelope(of: record, data))
        case (.text, .event(let record)):
            return WebhookMessage(id: id, body: Self.textBody(record.sentence(of: app)))
        case (.revenuecat, .event(let record)): return try await revenueCat(record, id: id, app: app)
        }
    }

    private func revenueCat(
        _ record: EventRecord,
        id: String,
        app: AppID
    ) async throws(OperationError) -> WebhookMessage? {
        guard RevenueCatMessage.mayExist(for: record.event.kind) else { return nil }
        let facts: RevenueCatFacts
        do {
            facts = try await database.read { storage throws(StorageError) in
                try storage.revenueCatFacts(for: record, of: app)
            }
        } catch {
            throw OperationError(error)
        }
        return RevenueCatMessage(record, id: id, app: app, facts: facts).map { WebhookMessage(id: id, body: $0.body) }
    }

    /// A test message; nil if the form has none.
    ///
    /// - Parameter now: The time.
    static func test(of endpoint: WebhookEndpoint, app: AppID, at now: Timestamp) -> WebhookMessage? {
        let id = "evt_test_" + RandomName.make()
        switch endpoint.form {
        case .apple: return nil
        case .text:
            let text = "\(app): this is a test message for the webhook endpoint \(endpoint.id.rawValue)."
            return WebhookMessage(id: id, body: textBody(text))
        case .revenuecat: return WebhookMessage(id: id, body: RevenueCatMessage(test: id, app: app, at: now).body)
        case .events, .state:
            var data = JSONObject()
            data["object"] = .string("webhook_endpoint_test")
            data["endpoint_id"] = .string(endpoint.id.rawValue)
            // Receivers read these members of every event.
            data["app_user_id"] = .null
            data["state_version"] = .null
            var body = JSONObject()
            body["type"] = .string("webhook_endpoint.test")
            body["timestamp"] = .string(now.iso8601Text)
            body["data"] = .object(data)
            return WebhookMessage(id: id, body: body.serialize())
        }
    }

    /// The body that incoming webhooks of chats take.
    private static func textBody(_ text: String) -> [UInt8] {
        let body: JSONObject = ["text": .string(text)]
        return body.serialize()
    }

    /// The envelope of Standard Webhooks.
    private func envelope(of record: EventRecord, _ data: JSONObject) -> [UInt8] {
        var body = JSONObject()
        body["type"] = .string(record.event.kind.rawValue)
        body["timestamp"] = .string(record.event.occurredAt.iso8601Text)
        body["data"] = .object(data)
        return body.serialize()
    }

    /// Everything that a customer may use now; null without a customer.
    private func state(of customer: CustomerID?, app: AppID) async throws(OperationError) -> JSONValue {
        guard let customer else { return .null }
        do throws(OperationError) {
            let view = try await reading.customer(customer, of: app)
            var object = JSONObject()
            object["object"] = .string("entitlements")
            object["app_user_id"] = .string(view.customer.id.rawValue)
            object["state_version"] = .integer(view.customer.stateVersion)
            object["evaluated_at"] = .integer(view.evaluatedAt.milliseconds)
            object["entitlements"] = .object(JSONObject(entitlements: view.entitlements))
            return .object(object)
        } catch  where error.code == "customer_not_found" {
            // The customer was erased meanwhile.
            return .null
        }
    }
}
