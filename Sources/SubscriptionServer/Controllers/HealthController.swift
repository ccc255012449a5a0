import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionOperations
import SubscriptionStorage

/// Whether the process lives, and whether it can do its work.
package struct HealthController: Sendable {
    private let readiness: DatabaseProbe<Bool>

    /// Makes the controller.
    ///
    /// - Parameter readiness: Asks the database whether an app is configured.
    package init(readiness: DatabaseProbe<Bool>) {
        self.readiness = readiness
    }

    /// Adds the routes, which need no key.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("healthz") { _, _ in Response.status("ok") }
        router.get("readyz", use: ready)
    }

    /// Asks the database; 503 with its code while it does not answer.
    private func ready(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let hasApps = try await readiness.answer { storage throws(StorageError) in try !storage.apps().isEmpty }
        guard hasApps else {
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
