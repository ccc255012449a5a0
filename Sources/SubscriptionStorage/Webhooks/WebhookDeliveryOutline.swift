package import SubscriptionCore

/// A delivery without its body and its attempts, which may have many kilobytes: what a server needs of thousands of
/// deliveries before it sends.
package struct WebhookDeliveryOutline: Hashable, Sendable {
    /// The sequence number of the event.
    package let sequence: Int64
    /// What is kept in order.
    package let orderKey: String?
    /// How far it is.
    package let state: WebhookDelivery.State
    /// Whether later ones with the same key wait for it.
    package let blocks: Bool
    /// When it is due; nil unless it is waiting.
    package let dueAt: Timestamp?
    /// When it was delivered or given up.
    package let settledAt: Timestamp?
}

extension WebhookDeliveryOutline: TableRow {
    /// The table of ``WebhookDelivery``.
    package static var table: TableDescription { WebhookDelivery.table }

    /// The columns with many bytes.
    package static let unread: Set = ["body", "attempts"]

    /// Reads a row.
    ///
    /// - Throws: ``StorageError`` with `storage_corrupt` if a value is invalid.
    package init(row: some ColumnReading) throws(StorageError) {
        sequence = try row.integer(1)
        orderKey = try row.optionalText(5)
        state = try row.choice(6)
        blocks = try row.flag(7)
        dueAt = try row.optionalTime(9)
        settledAt = try row.optionalTime(10)
    }
}

extension TableReading {
    /// The outlines of the deliveries to an endpoint after a sequence number.
    ///
    /// - Throws: ``StorageError``.
    package func webhookDeliveryOutlines(
        to endpoint: WebhookEndpointID,
        after sequence: Int64,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDeliveryOutline] {
        let lookup = TableLookup.webhookDeliveries(to: endpoint, after: sequence, app: app, limit: limit)
        return try rows(of: WebhookDeliveryOutline.self, lookup)
    }

    /// The outlines of the waiting deliveries to an endpoint, the one that is due first first.
    ///
    /// - Throws: ``StorageError``.
    package func waitingWebhookDeliveryOutlines(
        to endpoint: WebhookEndpointID,
        after last: WebhookDeliveryOutline? = nil,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> [WebhookDeliveryOutline] {
        let position = last.map { (dueAt: $0.dueAt, sequence: $0.sequence) }
        let lookup = TableLookup.waitingWebhookDeliveries(to: endpoint, after: position, app: app, limit: limit)
        return try rows(of: WebhookDeliveryOutline.self, lookup)
    }
}
