import AppStoreModel
import HTTPTypes
package import Hummingbird
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Liveness and readiness of the server.
package struct HealthController: Sendable {
    private let readiness: DatabaseProbe<StoredReadiness>
    private let time: any TimeSource
    private let duePurchases: DuePurchases
    private let recovery: Recovery

    /// Makes the controller.
    package init(services: Services) {
        readiness = services.readiness
        time = services.time
        duePurchases = services.duePurchases
        recovery = services.recovery
    }

    /// Adds the routes, which need no key.
    package func addRoutes(to router: Router<ServerRequestContext>) {
        router.get("healthz") { _, _ in Response.status("ok") }
        router.get("readyz", use: ready)
    }

    /// Checks the database; 503 with its code while it does not respond.
    private func ready(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let now = time.now()
        let stored = try await readiness.answer { [recovery] storage throws(StorageError) in
            StoredReadiness(hasApps: try !storage.apps().isEmpty, recovery: try recovery.ages(in: storage, at: now))
        }
        guard stored.hasApps else {
            throw APIError(
                .serviceUnavailable,
                .api,
                "no_app_configured",
                "No app is configured, so every notification is answered 503. Start with --app or --store.",
                isRetryable: true
            )
        }
        return .status("ready", warnings: warnings(about: stored))
    }

    /// Problems for an operator while requests are still answered.
    private func warnings(about stored: StoredReadiness) -> [(code: String, message: String)] {
        var warnings: [(code: String, message: String)] = []
        if let dispute = time.dispute {
            let seconds = abs(dispute.aheadMilliseconds / 1_000)
            let direction = dispute.aheadMilliseconds < 0 ? "behind" : "ahead of"
            let other = dispute.otherClock == .database ? "the database's clock" : "the time that has passed"
            warnings.append(
                (
                    "clock_disputed",
                    "This machine's clock is \(seconds) s \(direction) \(other); no access ends by time. Set the "
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
        let late = stored.recovery.filter(\.isLate)
        if let first = late.first {
            let others = late.count > 1 ? " and of \(late.count - 1) other apps" : ""
            let since = first.comparedUntil.map { "since \($0.dateAndTimeText)" } ?? "since the server started"
            warnings.append(
                (
                    "recovery_late",
                    """
                    Apple's notification history of \(first.app)\(others) was not compared \(since). Read the log and \
                    GET /v1/recovery/windows, or run perennial doctor.
                    """
                )
            )
        }
        return warnings
    }
}

/// What the database says about the server's readiness.
package struct StoredReadiness: Sendable {
    /// Whether an app is configured.
    let hasApps: Bool
    /// How far each app was compared with Apple's history.
    let recovery: [RecoveryAge]
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
