public import SubscriptionCore

/// How far an endpoint is: its position in the feed, its health, and the server that works on it.
public struct WebhookProgress: Hashable, Sendable {
    /// The endpoint.
    public var endpointID: WebhookEndpointID
    /// Everything up to this sequence number was delivered, given up, skipped, or has a row in the table of deliveries.
    public var cursor: Int64
    /// When the earliest waiting delivery is due; nil if none waits.
    public var nextDueAt: Timestamp?
    /// The number of deliveries that wait or are held back.
    public var openCount = 0
    /// Whether it takes webhooks.
    public var health = WebhookHealth()
    /// When a webhook was last delivered.
    public var deliveredAt: Timestamp?
    /// How many customers of the app were erased: results about them must not be stored.
    public var erasures = 0
    /// The server that works on it, by a random name.
    public var holder: String?
    /// When another server may take it over, in real time.
    public var heldUntil: Timestamp?

    /// Makes the progress of a new endpoint.
    public init(endpointID: WebhookEndpointID, cursor: Int64) {
        self.endpointID = endpointID
        self.cursor = cursor
    }
}

extension WebhookProgress: TableRecord {
    /// The table.
    public static let table = TableDescription(
        "webhook_progress",
        columns: [
            .text("endpoint_id"), .integer("cursor"), .integer("next_due_at", optional: true), .integer("open_count"),
            .integer("failures"), .integer("failing_since", optional: true), .integer("probe_at", optional: true),
            .integer("delivered_at", optional: true), .integer("erasures"), .text("holder", optional: true),
            .integer("held_until", optional: true),
        ],
        key: ["endpoint_id"],
        lock: .row,
        isOftenEmpty: true,
        step: 22
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(endpointID), .integer(cursor), .time(nextDueAt), .integer(openCount), .integer(health.failures),
            .time(health.failingSince), .time(health.probeAt), .time(deliveredAt), .integer(erasures),
            .text(holder), .time(heldUntil),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(endpointID: try row.identifier(0), cursor: try row.integer(1))
        nextDueAt = try row.optionalTime(2)
        openCount = try row.count(3)
        health.failures = try row.count(4)
        health.failingSince = try row.optionalTime(5)
        health.probeAt = try row.optionalTime(6)
        deliveredAt = try row.optionalTime(7)
        erasures = try row.count(8)
        holder = try row.optionalText(9)
        heldUntil = try row.optionalTime(10)
    }
}

extension TableReading {
    /// The progress of an endpoint; nil if the endpoint was removed.
    ///
    /// - Throws: ``StorageError``.
    public func webhookProgress(of endpoint: WebhookEndpointID, app: AppID) throws(StorageError) -> WebhookProgress? {
        try row(of: WebhookProgress.self, key: [.text(endpoint)], in: app)
    }

    /// The progress of all endpoints of an app.
    ///
    /// - Throws: ``StorageError``.
    public func webhookProgress(of app: AppID) throws(StorageError) -> [WebhookProgress] {
        try rows(of: WebhookProgress.self, TableLookup(of: app))
    }
}

extension TableWriting {
    /// Tells all endpoints of an app that a customer was erased.
    ///
    /// - Throws: ``StorageError``.
    public func noteErasureForWebhooks(of app: AppID) throws(StorageError) {
        for endpoint in try webhookEndpoints(of: app) {
            // Read by its key, which locks it.
            guard var progress = try webhookProgress(of: endpoint.id, app: app) else { continue }
            progress.erasures += 1
            try save(progress, of: app)
        }
    }

    /// Adds or replaces the progress of an endpoint.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ progress: WebhookProgress, of app: AppID) throws(StorageError) { try save(progress, in: app) }
}
