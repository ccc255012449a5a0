import Logging
import SubscriptionCore
import SubscriptionStorage

extension PerennialServer {
    /// Logs the served apps, or a warning if there are none.
    func report(_ apps: [AppRecord]) {
        guard !apps.isEmpty else {
            logger.warning(
                """
                No app is configured: every notification of Apple is answered 503, and no key can be made. Name your \
                app \
                with --app BUNDLE_ID:APPLE_ID, or follow a local store with --store URL
                """
            )
            return
        }
        let environments = Dictionary(grouping: apps, by: \.bundleID).mapValues { records in
            records.map(\.environment.rawValue).sorted().joined(separator: " and ")
        }
        let names = environments.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        logger.notice("Apps are configured", metadata: ["apps": "\(names.joined(separator: ", "))"])
    }
}

extension StoreLink {
    /// How long to wait for the store before the first log message.
    private static let silence = Duration.seconds(1)
    private static let interval = Duration.seconds(3)

    /// Logs at intervals that the server waits for the store, until the task is cancelled.
    static func reportWaiting(for storeURL: String, logger: Logger) async {
        var waited = Self.silence
        do {
            try await Task.sleep(for: Self.silence)
            while true {
                logger.notice(
                    "Waiting for the local App Store",
                    metadata: [
                        "store": "\(storeURL)",
                        "waited_seconds": "\(waited.components.seconds)",
                        "gives_up_after_seconds": "\(StoreLink.deadlineSeconds)",
                    ]
                )
                try await Task.sleep(for: Self.interval)
                waited += Self.interval
            }
        } catch {
            // Cancelled: the store responded, or the wait timed out.
            return
        }
    }
}
