import SubscriptionCore
import SubscriptionStorage

/// Results of deliveries that are stored together.
struct WebhookCommit: Sendable {
    /// What a commit found.
    struct Outcome: Sendable {
        /// When the lease was renewed.
        var renewedAt = ContinuousClock.now
        /// Whether the results were stored: not if this server had lost the endpoint.
        var isStored = true
        /// Whether this server still works on the endpoint.
        var isHeld = true
        /// The keys for which nothing waits any more.
        var freed: [String] = []
        /// When the earliest waiting delivery is due.
        var nextDueAt: Timestamp?
        /// How many customers were erased.
        var erasures = 0
        /// The endpoint as it is stored; nil if it was removed.
        var endpoint: WebhookEndpoint?
    }

    /// The deliveries to add or replace, by sequence number.
    var rows: [Int64: WebhookDelivery] = [:]
    /// The deliveries to remove.
    var removed: Set<Int64> = []
    /// The keys whose waiting delivery was settled or overtaken.
    var released: Set<String> = []
    /// The position up to which everything is settled.
    var cursor: Int64 = 0
    /// The health after the results.
    var health = WebhookHealth()
    /// The number of waiting and held deliveries.
    var openCount = 0
    /// How many customers were erased when the work began.
    var erasures = 0
    /// When a webhook was last delivered; nil if none was.
    var deliveredAt: Timestamp?
    /// Why the endpoint is disabled now; nil if it is not.
    var disables: WebhookEndpoint.DisabledReason?
    /// The result of the last failed attempt, as a code.
    var failure: String?
    /// Whether the lease is returned.
    var isLast = false

    /// Whether there are no results.
    var isEmpty: Bool { rows.isEmpty && removed.isEmpty && released.isEmpty && disables == nil }

    /// Whether it has a delivery with a key that is held back.
    func holdsBack(_ key: String) -> Bool { rows.values.contains { $0.state == .held && $0.orderKey == key } }

    /// Stores the results, if this server still works on the endpoint.
    ///
    /// - Throws: ``StorageError``.
    func store(
        of id: WebhookEndpointID,
        app: AppID,
        lease: WebhookLease,
        at now: Timestamp,
        in storage: any StorageWriting
    ) throws(StorageError) -> Outcome {
        var outcome = Outcome()
        // All writes lock the endpoint before its progress.
        guard var endpoint = try storage.webhookEndpoint(id, of: app),
            var progress = try storage.webhookProgress(of: id, app: app), progress.holder == lease.server
        else {
            (outcome.isStored, outcome.isHeld) = (false, false)
            return outcome
        }
        outcome.erasures = progress.erasures
        for row in rows.values.sorted(by: { $0.sequence < $1.sequence }) {
            let isErased =
                progress.erasures != erasures && row.customerID != nil
                ? try storage.hasErased(row, app: app) : false
            if isErased {
                try storage.removeWebhookDelivery(row.sequence, to: id, app: app)
            } else {
                try storage.save(row, of: app)
            }
        }
        for sequence in removed.sorted() { try storage.removeWebhookDelivery(sequence, to: id, app: app) }
        for key in released.sorted() where try !storage.releaseHeld(key, of: id, app: app, at: now) {
            outcome.freed.append(key)
        }
        outcome.nextDueAt = try storage.waitingWebhookDeliveries(to: id, app: app, limit: 1).first?.dueAt
        progress.cursor = max(progress.cursor, cursor)
        progress.health = health
        progress.openCount = max(0, openCount)
        progress.nextDueAt = outcome.nextDueAt
        if let deliveredAt { progress.deliveredAt = deliveredAt }
        if let disables, endpoint.disabledReason == nil {
            endpoint.disabledReason = disables
            try storage.save(endpoint, of: app)
            let event = endpoint.disabledEvent(at: now, failingSince: health.failingSince)
            try storage.append([event], customer: nil, recordedAt: now, app: app)
        }
        outcome.isHeld = endpoint.disabledReason == nil
        outcome.endpoint = endpoint
        if isLast || !outcome.isHeld { lease.end(&progress) } else { lease.renew(&progress) }
        try storage.save(progress, of: app)
        return outcome
    }
}

extension StorageReading {
    /// Whether the customer of a delivery was erased: the event names nobody then.
    fileprivate func hasErased(_ delivery: WebhookDelivery, app: AppID) throws(StorageError) -> Bool {
        let event = try events(of: app, after: delivery.sequence - 1, limit: 1).first
        return event?.sequence != delivery.sequence || event?.customerID != delivery.customerID
    }
}

extension StorageWriting {
    /// Lets the first delivery that is held back with a key go on.
    ///
    /// - Returns: Whether there was one.
    fileprivate func releaseHeld(
        _ key: String,
        of endpoint: WebhookEndpointID,
        app: AppID,
        at now: Timestamp
    ) throws(StorageError) -> Bool {
        let held = try heldWebhookDeliveries(to: endpoint, key: key, app: app, limit: 1)
        guard var next = held.first else { return false }
        next.state = .waiting
        (next.dueAt, next.blocks) = (now, true)
        try save(next, of: app)
        return true
    }
}

extension WebhookEndpoint {
    /// The event that it was disabled.
    fileprivate func disabledEvent(at now: Timestamp, failingSince: Timestamp?) -> SubscriptionEvent {
        // Without the address, which may contain a secret: the event goes to the other endpoints.
        var details = ["endpoint_id": id.rawValue]
        details["reason"] = disabledReason?.rawValue
        details["failing_since"] = failingSince.map { "\($0.milliseconds)" }
        return SubscriptionEvent(kind: .webhookEndpointDisabled, occurredAt: now, details: details)
    }
}
