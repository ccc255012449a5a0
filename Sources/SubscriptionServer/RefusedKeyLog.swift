import AppStoreClient
import AppStoreModel
import Logging
import Synchronization

/// Logs the keys that Apple refuses, each at most once a minute.
final class RefusedKeyLog: Sendable {
    private static let interval = Duration.seconds(60)

    private let logger: Logger
    private let logged = Mutex<[String: ContinuousClock.Instant]>([:])

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Logs a refusal.
    func note(_ key: RefusedKey) {
        let now = ContinuousClock.now
        let isDue = logged.withLock { logged in
            let name = "\(key.bundleId) \(key.keyId ?? "")"
            if let last = logged[name], now - last < Self.interval { return false }
            logged[name] = now
            return true
        }
        guard isDue else { return }
        let rest = key.hasAnotherKey ? "The next key is used" : "No other key is configured"
        logger.log(
            level: key.hasAnotherKey ? .warning : .error,
            "Apple refused a key of the App Store Server API. \(rest). Replace it in app_store if it was revoked",
            metadata: [
                "app": "\(key.bundleId)", "environment": "\(key.environment.rawValue)",
                "key_id": "\(key.keyId ?? "unknown")",
            ]
        )
    }
}
