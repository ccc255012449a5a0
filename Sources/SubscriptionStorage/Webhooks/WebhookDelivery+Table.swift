public import SubscriptionCore

extension WebhookDelivery: TableRecord {
    static let due = TableIndex(
        "webhook_deliveries_due",
        ["endpoint_id", "due_at", "sequence"],
        omitsNullsOf: "due_at"
    )
    fileprivate static let held = TableIndex(
        "webhook_deliveries_held",
        ["endpoint_id", "held_key", "sequence"],
        omitsNullsOf: "held_key"
    )
    fileprivate static let failed = TableIndex(
        "webhook_deliveries_failed",
        ["endpoint_id", "failed_at", "sequence"],
        omitsNullsOf: "failed_at"
    )
    fileprivate static let byCustomer = TableIndex(
        "webhook_deliveries_by_customer",
        ["customer_id", "endpoint_id", "sequence"],
        omitsNullsOf: "customer_id"
    )

    /// The table. The server that works on an endpoint holds its row of progress, so nothing else is locked.
    public static let table = TableDescription(
        "webhook_deliveries",
        columns: [
            .text("endpoint_id"), .integer("sequence"), .text("message_id"), .text("type"),
            .text("customer_id", optional: true), .text("order_key", optional: true), .text("state"), .flag("blocks"),
            .integer("created_at"), .integer("due_at", optional: true), .integer("settled_at", optional: true),
            .text("held_key", optional: true), .integer("failed_at", optional: true), .integer("tries"),
            .integer("attempt_count"), .text("attempts", optional: true), .bytes("body", optional: true),
        ],
        key: ["endpoint_id", "sequence"],
        indexes: [due, held, failed, byCustomer],
        lock: .none,
        isOftenEmpty: true,
        step: 22
    )

    /// The values of the columns, in the order of the table.
    public var columns: [ColumnValue] {
        [
            .text(endpointID), .integer(sequence), .text(messageID), .text(type), .text(customerID), .text(orderKey),
            .text(state), .flag(blocks), .time(createdAt), .time(dueAt), .time(settledAt),
            .text(state == .held ? orderKey ?? "" : nil), .time(state == .failed ? settledAt : nil),
            .integer(tries), .integer(attemptCount), .text(attempts), .bytes(body),
        ]
    }

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    public init(row: some ColumnReading) throws(StorageError) {
        self.init(
            endpointID: try row.identifier(0),
            sequence: try row.integer(1),
            messageID: try row.text(2),
            type: try row.text(3),
            customerID: try row.optionalIdentifier(4),
            orderKey: try row.optionalText(5),
            state: try row.choice(6),
            createdAt: try row.time(8)
        )
        blocks = try row.flag(7)
        dueAt = try row.optionalTime(9)
        settledAt = try row.optionalTime(10)
        tries = try row.count(13)
        attemptCount = try row.count(14)
        attempts = try row.optionalText(15)
        body = try row.optionalBytes(16)
    }
}

extension TableReading {
    /// A delivery; nil if it has no row.
    ///
    /// - Throws: ``StorageError``.
    public func webhookDelivery(
        _ sequence: Int64,
        to endpoint: WebhookEndpointID,
        app: AppID
    ) throws(StorageError) -> WebhookDelivery? {
        try row(of: WebhookDelivery.self, key: [.text(endpoint), .number(sequence)], in: app)
    }

    /// The deliveries to an endpoint after a sequence number.
    ///
    /// - Throws: ``StorageError``.
    public func webhookDeliveries(
        to endpoint: WebhookEndpointID,
        after sequence: Int64,
        order: TableLookup.Order = .ascending,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDelivery] {
        let lookup = TableLookup.webhookDeliveries(
            to: endpoint,
            after: sequence,
            order: order,
            app: app,
            limit: limit
        )
        return try rows(of: WebhookDelivery.self, lookup)
    }

    /// The waiting deliveries to an endpoint that are due, the earliest first; without a time, all waiting ones.
    ///
    /// - Throws: ``StorageError``.
    public func waitingWebhookDeliveries(
        to endpoint: WebhookEndpointID,
        dueUntil time: Timestamp? = nil,
        after last: WebhookDelivery? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDelivery] {
        let lookup = TableLookup.waitingWebhookDeliveries(
            to: endpoint,
            dueUntil: time,
            after: last.map { (dueAt: $0.dueAt, sequence: $0.sequence) },
            app: app,
            limit: limit
        )
        return try rows(of: WebhookDelivery.self, lookup)
    }

    /// The deliveries to an endpoint that are held back, by key and in order.
    ///
    /// - Parameter key: The key; nil for all.
    /// - Throws: ``StorageError``.
    public func heldWebhookDeliveries(
        to endpoint: WebhookEndpointID,
        key: String? = nil,
        after last: WebhookDelivery? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDelivery] {
        let lookup = TableLookup(
            of: app,
            by: WebhookDelivery.held,
            equal: key.map { [.text(endpoint), .string($0)] } ?? [.text(endpoint)],
            after: last.map { [.string($0.orderKey ?? ""), .number($0.sequence)] } ?? [],
            limit: limit
        )
        return try rows(of: WebhookDelivery.self, lookup)
    }

    /// The deliveries to an endpoint that were given up, the newest first.
    ///
    /// - Throws: ``StorageError``.
    public func failedWebhookDeliveries(
        to endpoint: WebhookEndpointID,
        before last: WebhookDelivery? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDelivery] {
        let lookup = TableLookup(
            of: app,
            by: WebhookDelivery.failed,
            equal: [.text(endpoint)],
            after: last.map { [.time($0.settledAt), .number($0.sequence)] } ?? [],
            order: .descending,
            limit: limit
        )
        return try rows(of: WebhookDelivery.self, lookup)
    }

    /// The deliveries about a customer, by endpoint, the newest first.
    ///
    /// - Parameter endpoint: The endpoint; nil for all.
    /// - Throws: ``StorageError``.
    public func webhookDeliveries(
        about customer: CustomerID,
        to endpoint: WebhookEndpointID? = nil,
        before last: WebhookDelivery? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDelivery] {
        let lookup = TableLookup(
            of: app,
            by: WebhookDelivery.byCustomer,
            equal: [.text(customer)] + (endpoint.map { [.text($0)] } ?? []),
            after: last.map { endpoint == nil ? [.text($0.endpointID), .number($0.sequence)] : [.number($0.sequence)] }
                ?? [],
            order: .descending,
            limit: limit
        )
        return try rows(of: WebhookDelivery.self, lookup)
    }
}

extension TableWriting {
    /// Adds or replaces a delivery.
    ///
    /// - Throws: ``StorageError``.
    public func save(_ delivery: WebhookDelivery, of app: AppID) throws(StorageError) { try save(delivery, in: app) }

    /// Removes a delivery.
    ///
    /// - Throws: ``StorageError``.
    public func removeWebhookDelivery(
        _ sequence: Int64,
        to endpoint: WebhookEndpointID,
        app: AppID
    ) throws(StorageError) {
        try remove(WebhookDelivery.self, TableLookup(of: app, equal: [.text(endpoint), .number(sequence)]))
    }

    /// Removes deliveries to an endpoint, at most `limit`.
    ///
    /// - Throws: ``StorageError``.
    public func removeWebhookDeliveries(
        to endpoint: WebhookEndpointID,
        app: AppID,
        limit: Int
    ) throws(StorageError) {
        try remove(WebhookDelivery.self, TableLookup(of: app, equal: [.text(endpoint)], limit: limit))
    }

    /// Removes all deliveries about a customer.
    ///
    /// - Throws: ``StorageError``.
    public func removeWebhookDeliveries(about customer: CustomerID, app: AppID) throws(StorageError) {
        try remove(
            WebhookDelivery.self,
            TableLookup(of: app, by: WebhookDelivery.byCustomer, equal: [.text(customer)])
        )
    }
}

extension TableLookup {
    /// The deliveries to an endpoint after a sequence number.
    static func webhookDeliveries(
        to endpoint: WebhookEndpointID,
        after sequence: Int64,
        order: Order = .ascending,
        app: AppID,
        limit: Int
    ) -> TableLookup {
        TableLookup(of: app, equal: [.text(endpoint)], after: [.number(sequence)], order: order, limit: limit)
    }

    /// The waiting deliveries to an endpoint, the earliest first.
    ///
    /// - Parameter time: Only those that are due by then; nil for all.
    static func waitingWebhookDeliveries(
        to endpoint: WebhookEndpointID,
        dueUntil time: Timestamp? = nil,
        after last: (dueAt: Timestamp?, sequence: Int64)?,
        app: AppID,
        limit: Int
    ) -> TableLookup {
        TableLookup(
            of: app,
            by: WebhookDelivery.due,
            equal: [.text(endpoint)],
            after: last.map { [.time($0.dueAt), .number($0.sequence)] } ?? [],
            through: time.map { .time($0) },
            limit: limit
        )
    }
}
