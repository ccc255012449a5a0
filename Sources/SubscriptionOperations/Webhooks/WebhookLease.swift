import SubscriptionCore
import SubscriptionStorage

/// A server's right to work on an endpoint, among all servers of the database. It is a part of the endpoint's progress.
struct WebhookLease: Sendable {
    /// What a turn begins with.
    struct Start: Sendable {
        let endpoint: WebhookEndpoint
        let progress: WebhookProgress
        /// The keys for which a delivery is waiting.
        let blockedKeys: Set<String>
        /// The deliveries after the cursor that have a row already.
        let known: Set<Int64>
    }

    /// How long a lease is valid without a renewal, in milliseconds of real time. A server that was killed holds up
    /// its endpoints for so long.
    private static let milliseconds: Int64 = 10_000
    /// After this time a turn renews its lease, even without results.
    static let renewal = Duration.seconds(3)
    /// The number of held deliveries that are looked at for an interrupted release.
    private static let heldPage = 1_000

    /// This server, by a random name.
    let server: String
    /// Real time: a lease must expire even if a followed clock stands still.
    let realTime: any TimeSource

    /// Whether this server may take the endpoint now.
    ///
    /// A lease that ends much later than any lease can was taken by a clock that was ahead.
    func mayTake(_ progress: WebhookProgress) -> Bool {
        guard let holder = progress.holder, holder != server, let until = progress.heldUntil else { return true }
        let now = realTime.now()
        return until <= now || until > now.adding(milliseconds: 60 * Self.milliseconds)
    }

    /// Notes that this server works on the endpoint.
    func renew(_ progress: inout WebhookProgress) {
        progress.holder = server
        progress.heldUntil = realTime.now().adding(milliseconds: Self.milliseconds)
    }

    /// Notes that this server does not work on the endpoint any more.
    func end(_ progress: inout WebhookProgress) { (progress.holder, progress.heldUntil) = (nil, nil) }

    /// Takes the lease and reads what a turn begins with.
    ///
    /// - Returns: Nil if another server has it, or if the endpoint is disabled or removed.
    /// - Throws: ``StorageError``.
    func begin(
        _ id: WebhookEndpointID,
        app: AppID,
        at now: Timestamp,
        in storage: any StorageWriting
    ) throws(StorageError) -> Start? {
        // All writes lock the endpoint before its progress.
        guard let endpoint = try storage.webhookEndpoint(id, of: app), endpoint.disabledReason == nil,
            var progress = try storage.webhookProgress(of: id, app: app), mayTake(progress)
        else { return nil }
        renew(&progress)
        let waiting = try storage.waitingWebhookDeliveries(to: id, app: app, limit: 2 * WebhookTurn.openMax)
        var blocked = Set(waiting.filter(\.blocks).compactMap(\.orderKey))
        let held = try storage.heldWebhookDeliveries(to: id, app: app, limit: Self.heldPage)
        // Held deliveries without anything in front of them: the one in front was removed.
        for var next in held {
            guard let key = next.orderKey, blocked.insert(key).inserted else { continue }
            next.state = .waiting
            (next.dueAt, next.blocks) = (now, true)
            try storage.save(next, of: app)
        }
        if held.count < Self.heldPage { progress.openCount = waiting.count + held.count }
        progress.nextDueAt = try storage.waitingWebhookDeliveries(to: id, app: app, limit: 1).first?.dueAt
        // A clock that was ahead made deliveries wait for a time that is far away.
        let far = now.adding(milliseconds: 2 * WebhookRetries.waitMax)
        for delivery in waiting.reversed() {
            guard let dueAt = delivery.dueAt, dueAt > far else { break }
            var delivery = delivery
            delivery.dueAt = now
            try storage.save(delivery, of: app)
            progress.nextDueAt = now
        }
        try storage.save(progress, of: app)
        let later = try storage.webhookDeliveries(to: id, after: progress.cursor, app: app, limit: 4_096)
        return Start(
            endpoint: endpoint,
            progress: progress,
            blockedKeys: blocked,
            known: Set(later.map(\.sequence))
        )
    }
}
