import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionOperations
import SubscriptionStorage

/// Liveness and readiness of the server.
package struct HealthController: Sendable {
    private let readiness: DatabaseProbe<Bool>
    private let time: any TimeSource
    private let duePurchases: DuePurchases

    /// Makes the controller.
    package init(services: Services) {
        readiness = services.readiness
        time = services.time
        duePurchases = services.duePurchases
    }

    /// Adds the routes, which need no key.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("healthz") { _, _ in Response.status("ok") }
        router.get("readyz", use: ready)
    }

    /// Checks the database; 503 with its code while it does not respond.
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
        return .status("ready", warnings: warnings)
    }

    /// Problems for an operator while requests are still answered.
    private var warnings: [(code: String, message: String)] {
        var warnings: [(code: String, message: String)] = []
        if let dispute = time.dispute {
            let seconds = dispute.aheadMilliseconds / 1_000
            let other = dispute.witness == .database ? "the database's clock" : "the time that has passed"
            warnings.append(
                (
                    "clock_disputed",
                    "This machine's clock is \(seconds) s ahead of \(other); no access ends by time. Set the "
                        + "clock right. "
                        + "After a jump that was right, restart the server."
                )
            )
        }
        if duePurchases.setAsideCount > 0 {
            warnings.append(
                (
                    "due_work_set_aside",
                    """
                    \(duePurchases.setAsideCount) purchases or grants fail again and again when their end is \
                    due. Read the log.
                    """
                )
            )
        }
        return warnings
    }
}

extension Response {
    fileprivate static func status(_ status: String, warnings: [(code: String, message: String)] = []) -> Response {
        var object = JSONObject()
        object["status"] = .string(status)
        if !warnings.isEmpty {
            object["warnings"] = .array(
                warnings.map { warning in
                    var object = JSONObject()
                    object["code"] = .string(warning.code)
                    object["message"] = .string(warning.message)
                    return .object(object)
                }
            )
        }
        return .json(object)
    }
}
