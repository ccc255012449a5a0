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

extension WebhookDeliveryOutline: TableRecord {
    /// The table of ``WebhookDelivery``.
    package static var table: TableDescription { WebhookDelivery.table }

    /// An outline is read only.
    ///
    /// - Throws: ``StorageError`` with `storage_failed`.
    package var columns: [ColumnValue] {
        get throws(StorageError) {
            throw StorageError(.failed, "The outline of a delivery cannot be stored.", isRetryable: false)
        }
    }

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
        let lookup = TableLookup(of: app, equal: [.text(endpoint)], after: [.number(sequence)], limit: limit)
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
        let lookup = TableLookup(
            of: app,
            by: WebhookDelivery.due,
            equal: [.text(endpoint)],
            after: last.map { [.time($0.dueAt), .number($0.sequence)] } ?? [],
            limit: limit
        )
        return try rows(of: WebhookDeliveryOutline.self, lookup)
    }
}
