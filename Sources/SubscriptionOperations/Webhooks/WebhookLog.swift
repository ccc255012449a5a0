import Logging
import SubscriptionCore
import SubscriptionStorage
import Synchronization

/// Lines about endpoints that fail, for the log of a running server. They have no address and no data of customers.
final class WebhookLog: Sendable {
    private let logger = Mutex<Logger?>(nil)

    /// Writes to a log from now on.
    func begin(_ logger: Logger?) { self.logger.withLock { $0 = logger } }

    /// Reports that an endpoint is only probed from now on.
    func opened(_ endpoint: WebhookEndpoint, of app: AppID, _ commit: WebhookCommit) {
        logger.withLock { $0 }?.warning(
            "A webhook endpoint failed \(commit.health.failures) times in a row and is only probed from now on",
            metadata: metadata(endpoint, of: app, commit)
        )
    }

    /// Reports that an endpoint takes webhooks again.
    func closed(_ endpoint: WebhookEndpoint, of app: AppID) {
        logger.withLock { $0 }?.notice(
            "A webhook endpoint takes webhooks again",
            metadata: ["app": "\(app)", "endpoint": "\(endpoint.id.rawValue)"]
        )
    }

    /// Reports that an endpoint was disabled by the server.
    func disabled(
        _ endpoint: WebhookEndpoint,
        of app: AppID,
        because reason: WebhookEndpoint.DisabledReason,
        _ commit: WebhookCommit
    ) {
        var metadata = metadata(endpoint, of: app, commit)
        metadata["reason"] = "\(reason.rawValue)"
        let id = endpoint.id.rawValue
        logger.withLock { $0 }?.error(
            "A webhook endpoint was disabled: \(reason.text). Then: perennial webhooks change \(id) --enable",
            metadata: metadata
        )
    }

    private func metadata(
        _ endpoint: WebhookEndpoint,
        of app: AppID,
        _ commit: WebhookCommit
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["app": "\(app)", "endpoint": "\(endpoint.id.rawValue)"]
        if let since = commit.health.failingSince { metadata["failing_since"] = "\(since.iso8601Text)" }
        if let failure = commit.failure { metadata["last_failure"] = "\(failure)" }
        return metadata
    }
}

extension WebhookEndpoint.DisabledReason {
    /// The reason, and what to do.
    var text: String {
        switch self {
        case .byOperator: "an operator disabled it"
        case .failing: "it took nothing for 120 hours. Repair the receiver"
        case .gone: "it answered 410. Correct its address"
        case .secretMissing: "it has no secret. Make one with perennial webhooks rotate"
        }
    }
}
