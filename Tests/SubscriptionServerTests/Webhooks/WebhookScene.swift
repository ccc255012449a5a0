import AppStoreModel
import HTTPTypes
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting

/// A server with receivers of webhooks, and events of customers.
struct WebhookScene: Sendable {
    static let url = "https://example.com/webhooks"

    let receivers: ScriptedReceivers
    let server: ServerFixture

    init(
        database: any SubscriptionDatabase = InMemoryDatabase(),
        settings: WebhookSettings = WebhookSettings()
    ) async throws {
        let receivers = ScriptedReceivers()
        self.receivers = receivers
        server = try await ServerFixture(database: database, webhooks: settings, receivers: receivers)
    }

    /// Makes an endpoint and returns its identifier.
    func endpoint(_ members: String = "", url: String = url) async throws -> String {
        let body = #"{"url":"\#(url)"\#(members.isEmpty ? "" : "," + members)}"#
        return try await server.send(.post, "/v1/webhook_endpoints", body: body).string("id") ?? ""
    }

    /// The endpoint as the API shows it.
    func show(_ id: String) async throws -> Answer { try await server.send(.get, "/v1/webhook_endpoints/\(id)") }

    /// The values before and after each change in the audit log, oldest first.
    func changes(of id: String) async throws -> [(before: JSONObject, after: JSONObject)] {
        let entries = try await server.send(.get, "/v1/audit_log?target=webhook_endpoint:\(id)").objects("data")
        return entries.filter { $0["action"] == .string("webhook_endpoint.changed") }
            .sorted { ($0["sequence"]?.integerValue ?? 0) < ($1["sequence"]?.integerValue ?? 0) }
            .map { entry in
                (before: entry["before"]?.objectValue ?? [:], after: entry["after"]?.objectValue ?? [:])
            }
    }

    /// Appends an event about each customer; nil for one without a customer.
    func append(_ customers: [String?], to database: (any SubscriptionDatabase)? = nil) async throws {
        let now = server.time.now()
        for name in customers {
            try await (database ?? server.database).write { storage throws(StorageError) in
                var customer: CustomerRecord?
                if let name {
                    let id = CustomerID(name)
                    var record =
                        try storage.customer(id, of: ServerFixture.app)
                        ?? CustomerRecord(id: id, firstSeenAt: now, stateVersion: 0)
                    record.stateVersion += 1
                    try storage.save(record, of: ServerFixture.app)
                    customer = record
                }
                let event = SubscriptionEvent(kind: .renewed, occurredAt: now)
                try storage.append([event], customer: customer, recordedAt: now, app: ServerFixture.app)
            }
        }
    }

    func settle() async throws { try await server.services.webhookDispatcher.settle() }

    /// Moves the clock and sends what is due.
    func pass(_ milliseconds: Int64) async throws {
        server.time.advance(to: server.time.now().adding(milliseconds: milliseconds))
        try await settle()
    }

    /// The positions that were taken, in order of arrival.
    func sequences(of received: [ScriptedReceivers.Received]) -> [Int64] {
        received.compactMap { Self.sequence(ofEvent: $0.id) }
    }

    /// The position in the identifier of an event.
    static func sequence(ofEvent id: String) -> Int64? {
        EventCursor(String(id.dropFirst("evt_".count)), app: ServerFixture.app)?.sequence
    }

    /// The deliveries of an endpoint in a state, as the API lists them.
    func deliveries(_ id: String, state: String? = nil) async throws -> [JSONObject] {
        let query = state.map { "&state=\($0)" } ?? ""
        return try await server.send(.get, "/v1/webhook_deliveries?endpoint_id=\(id)\(query)").objects("data")
    }
}
