public import SubscriptionCore

/// An address of the developer that is called about an app's events.
public struct WebhookEndpoint: Hashable, Sendable {
    /// The form of the bodies.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// The event as in the feed.
        case events
        /// The event, and everything that the customer may use.
        case state
        /// Apple's own signed notification.
        case apple
        /// The form of RevenueCat's webhooks.
        case revenuecat
        /// A sentence for people, for a chat.
        case text
    }

    /// Why nothing is sent.
    public enum DisabledReason: String, Hashable, Sendable, CaseIterable {
        /// An operator disabled it.
        case byOperator = "operator"
        /// It took nothing for 120 hours.
        case failing
        /// It answered 410 Gone.
        case gone
        /// It has no secret, so nothing can be signed.
        case secretMissing = "secret_missing"
    }

    /// The endpoint.
    public var id: WebhookEndpointID
    /// When it was made.
    public var createdAt: Timestamp
    /// The address.
    public var url: String
    /// A description by the person who made it.
    public var label: String?
    /// The form of the bodies.
    public var form: Form
    /// The types of events that are sent, such as `subscription.renewed` or `subscription.*`; nil for all.
    public var eventTypes: [String]?
    /// Why nothing is sent; nil if it is enabled.
    public var disabledReason: DisabledReason?

    /// Makes an endpoint that is enabled.
    public init(
        id: WebhookEndpointID,
        createdAt: Timestamp,
        url: String,
        label: String? = nil,
        form: Form = .events,
        eventTypes: [String]? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.url = url
        self.label = label
        self.form = form
        self.eventTypes = eventTypes
    }
}

/// The identifier of a webhook endpoint.
public struct WebhookEndpointID: TextIdentifier {
    /// `we_` and hexadecimal digits.
    public let rawValue: String
    /// Wraps the text.
    public init(rawValue: String) { self.rawValue = rawValue }
}

extension WebhookEndpoint: TableRecord {
    fileprivate static let byTime = TableIndex("webhook_endpoints_by_time", ["created_at", "endpoint_id"])

    /// The table.
    public static let table = TableDescription(
        "webhook_endpoints",
        columns: [
            .text("endpoint_id"), .integer("created_at"), .text("url"), .text("label", optional: true), .text("form"),
            .text("event_types", optional: true), .text("disabled_reason", optional: true),
        ],
        key: ["endpoint_id"],
        indexes: [byTime],
        lock: .row,
        isOftenEmpty: true,
        step: 22
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(id), .time(createdAt), .text(url), .text(label), .text(form),
            .text(eventTypes?.joined(separator: "\n")), .text(disabledReason),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            id: try row.identifier(0),
            createdAt: try row.time(1),
            url: try row.text(2),
            label: try row.optionalText(3),
            form: try row.choice(4),
            eventTypes: try row.optionalText(5).map { $0.split(separator: "\n").map(String.init) }
        )
        disabledReason = try row.optionalChoice(6)
    }
}

extension TableReading {
    /// A webhook endpoint; nil if there is none.
    ///
    /// - Throws: ``StorageError``.
    public func webhookEndpoint(_ id: WebhookEndpointID, of app: AppID) throws(StorageError) -> WebhookEndpoint? {
        try row(of: WebhookEndpoint.self, key: [.text(id)], in: app)
    }

    /// An app's webhook endpoints, oldest first.
    ///
    /// - Throws: ``StorageError``.
    public func webhookEndpoints(
        of app: AppID,
        after last: WebhookEndpoint? = nil,
        limit: Int? = nil
    ) throws(StorageError) -> [WebhookEndpoint] {
        let after: [ColumnValue] = last.map { [.time($0.createdAt), .text($0.id)] } ?? []
        let lookup = TableLookup(of: app, by: WebhookEndpoint.byTime, after: after, limit: limit)
        return try rows(of: WebhookEndpoint.self, lookup)
    }
}

extension TableWriting {
    /// Adds or replaces a webhook endpoint.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ endpoint: WebhookEndpoint, of app: AppID) throws(StorageError) { try save(endpoint, in: app) }

    /// Removes a webhook endpoint with its secrets and its progress; its deliveries are removed in pages.
    ///
    /// - Throws: ``StorageError``.
    public func removeWebhookEndpoint(_ id: WebhookEndpointID, of app: AppID) throws(StorageError) {
        try remove(WebhookEndpoint.self, TableLookup(of: app, equal: [.text(id)]))
        try remove(WebhookSecret.self, TableLookup(of: app, equal: [.text(id)]))
        try remove(WebhookProgress.self, TableLookup(of: app, equal: [.text(id)]))
    }
}
