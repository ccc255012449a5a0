package import SubscriptionCore
package import SubscriptionStorage
import Synchronization

/// How the endpoints of all apps are, for `/metrics`.
package struct WebhookFigures: Hashable, Sendable {
    /// The number of endpoints that take webhooks, as far as is known.
    package var enabled = 0
    /// The number of endpoints that are only probed.
    package var failing = 0
    /// The number of endpoints to which nothing is sent.
    package var disabled = 0
    /// The number of deliveries that wait or are held back.
    package var openDeliveries = 0
    /// Since when an endpoint that is not disabled has been behind: the time of the oldest event that was not sent to
    /// it yet, or of the first failure of one that is only probed; nil if none is behind.
    package var behindSince: Timestamp?

    fileprivate mutating func note(_ time: Timestamp?) {
        if let time { behindSince = min(behindSince ?? time, time) }
    }
}

extension WebhookDispatcher {
    /// The number of endpoints of an app, those that are behind most, of which the next event is read.
    private static let readMax = 16
    private static let figuresPage = 256

    /// Reads how all endpoints are.
    ///
    /// - Throws: ``StorageError``.
    package func figures(in storage: any StorageReading) throws(StorageError) -> WebhookFigures {
        var figures = WebhookFigures()
        for app in try storage.apps() {
            let endpoints = try storage.webhookEndpoints(of: app.id)
            guard !endpoints.isEmpty else { continue }
            var behind: [(position: Int64, endpoint: WebhookEndpoint)] = []
            let progress = Dictionary(
                try storage.webhookProgress(of: app.id).map { ($0.endpointID, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            for endpoint in endpoints {
                guard let progress = progress[endpoint.id] else { continue }
                figures.openDeliveries += progress.openCount
                guard endpoint.disabledReason == nil else {
                    figures.disabled += 1
                    continue
                }
                if progress.health.isOpen { figures.failing += 1 } else { figures.enabled += 1 }
                if progress.health.isOpen { figures.note(progress.health.failingSince) }
                behind.append((position(of: progress, endpoint, app: app.id), endpoint))
            }
            behind.sort { $0.position < $1.position }
            for (position, endpoint) in behind.prefix(Self.readMax) {
                figures.note(
                    try storage.nextWebhookItem(
                        for: endpoint,
                        after: position,
                        app: app.id,
                        limit: Self.figuresPage
                    ).recordedAt
                )
            }
        }
        return figures
    }

    /// The position up to which nothing waits, as far as this server knows.
    private func position(of progress: WebhookProgress, _ endpoint: WebhookEndpoint, app: AppID) -> Int64 {
        let known = skipped.withLock { $0[Running(app: app, endpoint: endpoint.id)] }
        guard let known, known.eventTypes == endpoint.eventTypes else { return progress.cursor }
        return max(progress.cursor, known.through)
    }
}

extension StorageReading {
    /// When the next item that an endpoint wants was recorded, among the next ones.
    ///
    /// - Returns: Nil as the time if there is none among them; nil as the position if no items follow.
    /// - Throws: ``StorageError``.
    package func nextWebhookItem(
        for endpoint: WebhookEndpoint,
        after position: Int64,
        app: AppID,
        limit: Int
    ) throws(StorageError) -> (recordedAt: Timestamp?, readThrough: Int64?) {
        if endpoint.form == .apple {
            let page = try evidence(.notification, of: app, after: position, limit: limit)
            let wanted = page.compactMap(\.summary).first { endpoint.wants($0.type ?? "NOTIFICATION") }
            return (wanted?.receivedAt, page.last?.sequence)
        }
        let page = try events(of: app, after: position, limit: limit)
        return (page.first { endpoint.wants($0.event.kind.rawValue) }?.recordedAt, page.last?.sequence)
    }
}
