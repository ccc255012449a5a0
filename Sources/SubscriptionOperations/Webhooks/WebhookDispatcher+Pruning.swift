import Logging
import SubscriptionCore
package import SubscriptionStorage

/// Removing what is in the log for long enough. It has its own task, so that a long log holds up no webhook.
extension WebhookDispatcher {
    private static let pruningInterval = Duration.seconds(60)
    private static let pruningPage = 500

    /// Removes old deliveries from time to time, until shutdown.
    func pruneRepeatedly(reportingTo logger: Logger?) async {
        while true {
            await pause(Self.pruningInterval)
            guard !Task.isCancelled, !context.stop.isRequested else { return }
            do throws(StorageError) {
                try await prune()
            } catch {
                report(error, to: logger)
            }
        }
    }

    /// Removes deliveries that were settled long ago.
    ///
    /// - Throws: ``StorageError``.
    package func prune() async throws(StorageError) {
        let end = context.time.now().adding(milliseconds: -context.settings.logMilliseconds)
        let all = try await context.database.read { storage throws(StorageError) in
            var all: [(AppID, WebhookEndpointID)] = []
            for app in try storage.apps() {
                for endpoint in try storage.webhookEndpoints(of: app.id) { all.append((app.id, endpoint.id)) }
            }
            return all
        }
        for (app, endpoint) in all {
            var last: Int64? = 0
            while let position = last, !Task.isCancelled, !context.stop.isRequested {
                // Most endpoints have nothing to remove, and need no write.
                let page = try await context.database.read { storage throws(StorageError) in
                    try storage.webhookDeliveryOutlines(
                        to: endpoint,
                        after: position,
                        app: app,
                        limit: Self.pruningPage
                    )
                }
                let old = page.filter { $0.isOld(at: end) }.map(\.sequence)
                if !old.isEmpty {
                    try await context.database.write { storage throws(StorageError) in
                        // It locks the endpoint, as those do who send a delivery again.
                        guard try storage.webhookEndpoint(endpoint, of: app) != nil else { return }
                        for sequence in old {
                            // It may have been sent again before.
                            let delivery = try storage.webhookDelivery(sequence, to: endpoint, app: app)
                            guard let settledAt = delivery?.settledAt, settledAt < end else { continue }
                            try storage.removeWebhookDelivery(sequence, to: endpoint, app: app)
                        }
                    }
                }
                // From the oldest on: after one that is newer, no older ones follow.
                let isOldest = page.allSatisfy { $0.isOld(at: end) || $0.state == .waiting || $0.state == .held }
                last = page.count == Self.pruningPage && isOldest ? page.last?.sequence : nil
            }
        }
    }
}

extension WebhookDeliveryOutline {
    fileprivate func isOld(at end: Timestamp) -> Bool { settledAt.map { $0 < end } ?? false }
}
