import SubscriptionCore
import SubscriptionStorage

/// A server's right to work on an endpoint, among all servers of the database. It is a part of the endpoint's progress.
struct WebhookLease: Sendable {
    /// What a session begins with.
    struct Start: Sendable {
        let endpoint: WebhookEndpoint
        let progress: WebhookProgress
        /// The keys for which a delivery is waiting.
        let blockedKeys: Set<String>
        /// The deliveries after the cursor that have a row already.
        let known: Set<Int64>
        /// When the lease was taken.
        let renewedAt: ContinuousClock.Instant
    }

    /// How long a lease is valid without a renewal, in milliseconds of real time. A server that was killed holds up
    /// its endpoints for so long.
    private static let milliseconds: Int64 = 10_000
    /// After this time a session renews its lease, even without results.
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

    /// Takes the lease and reads what a session begins with.
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
        let renewedAt = ContinuousClock.now
        renew(&progress)
        let waiting = try storage.waiting(to: id, at: now, app: app)
        var blocked = waiting.blockedKeys
        // Held deliveries without anything in front of them: the one in front was removed.
        let held = try storage.heldWebhookDeliveries(to: id, app: app, limit: Self.heldPage)
        for var next in held {
            guard let key = next.orderKey, blocked.insert(key).inserted else { continue }
            next.state = .waiting
            (next.dueAt, next.blocks) = (now, true)
            try storage.save(next, of: app)
        }
        if held.count < Self.heldPage { progress.openCount = waiting.count + held.count }
        progress.nextDueAt = try storage.waitingWebhookDeliveries(to: id, app: app, limit: 1).first?.dueAt
        try storage.save(progress, of: app)
        return Start(
            endpoint: endpoint,
            progress: progress,
            blockedKeys: blocked,
            known: try storage.sequences(to: id, after: progress.cursor, app: app),
            renewedAt: renewedAt
        )
    }
}

/// Only outlines are read, and in pages: an endpoint may have thousands of deliveries with bodies.
extension StorageWriting {
    private static var pageSize: Int { 1_024 }
    /// More rows than a session leaves after the cursor.
    private static var laterMax: Int { 4_096 }

    /// The number of waiting deliveries, and the keys for which they hold others back.
    ///
    /// A clock that was ahead may have made deliveries wait for a time that is far away: they are due now.
    ///
    /// - Throws: ``StorageError``.
    fileprivate func waiting(
        to endpoint: WebhookEndpointID,
        at now: Timestamp,
        app: AppID
    ) throws(StorageError) -> (count: Int, blockedKeys: Set<String>) {
        let far = now.adding(milliseconds: 2 * WebhookRetries.waitMax)
        var (count, blockedKeys): (Int, Set<String>) = (0, [])
        var last: WebhookDeliveryOutline?
        while count < 2 * WebhookSession.openMax {
            let page = try waitingWebhookDeliveryOutlines(to: endpoint, after: last, app: app, limit: Self.pageSize)
            for outline in page {
                if outline.blocks, let key = outline.orderKey { blockedKeys.insert(key) }
                guard let dueAt = outline.dueAt, dueAt > far,
                    var delivery = try webhookDelivery(outline.sequence, to: endpoint, app: app)
                else { continue }
                delivery.dueAt = now
                try save(delivery, of: app)
            }
            count += page.count
            last = page.last
            guard page.count == Self.pageSize else { break }
        }
        return (count, blockedKeys)
    }

    /// The sequence numbers of the deliveries after a position that have a row.
    ///
    /// - Throws: ``StorageError``.
    fileprivate func sequences(
        to endpoint: WebhookEndpointID,
        after cursor: Int64,
        app: AppID
    ) throws(StorageError) -> Set<Int64> {
        Set(try webhookDeliveryOutlines(to: endpoint, after: cursor, app: app, limit: Self.laterMax).map(\.sequence))
    }
}
