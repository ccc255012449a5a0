import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionOperations
package import SubscriptionStorage

/// Whether the process lives, and whether it can do its work.
package struct HealthController: Sendable {
    private let database: any SubscriptionDatabase
    private let waiting: any Clock<Duration>

    /// Makes the controller.
    package init(database: any SubscriptionDatabase, waiting: any Clock<Duration>) {
        self.database = database
        self.waiting = waiting
    }

    /// Adds the routes, which need no key.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("healthz") { _, _ in Response.status("ok") }
        router.get("readyz", use: ready)
    }

    /// Asks the database; 503 with its code while it does not answer.
    private func ready(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let apps = try await database.promptAnswer(by: waiting) { storage throws(StorageError) in try storage.apps() }
        guard !apps.isEmpty else {
            throw APIError(
                .serviceUnavailable,
                .api,
                "no_app_configured",
                "No app is configured, so every notification is answered 503. Start with --app or --store.",
                isRetryable: true
            )
        }
        return .status("ready")
    }
}

extension Response {
    fileprivate static func status(_ status: String) -> Response {
        var object = JSONObject()
        object["status"] = .string(status)
        return .json(object)
    }
}
