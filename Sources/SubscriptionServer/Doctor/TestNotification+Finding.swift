import AppStoreClient
import AppStoreModel
import SubscriptionCore

extension TestNotification.Outcome {
    private static let path = "/v1/apple/notifications"

    /// What an outcome means for the operator.
    ///
    /// - Parameter isLocal: Whether a local store sent it.
    func finding(_ app: AppID, isLocal: Bool) -> DoctorFinding {
        let name = app.rawValue
        func problem(_ code: String, _ message: String, _ remedy: String) -> DoctorFinding {
            .problem(.testNotification, code, name, message, remedy: remedy)
        }
        switch self {
        case .stored:
            return .ok(.testNotification, name, "A test notification was sent, received and stored.")
        case .elsewhere:
            return problem(
                "test_notification_elsewhere",
                "The test notification was delivered, but this database does not contain it.",
                "Check that the URL of notifications leads to the server with this database, and read its log."
            )
        case .undelivered(let result):
            return problem(
                "test_notification_undelivered",
                "The test notification was not delivered (\(result.rawValue)).",
                Self.remedy(for: result)
            )
        case .noURL:
            return problem(
                "test_notification_no_url",
                "No URL is set for the notifications of this environment.",
                isLocal
                    ? "Start perennial serve with --store, which sets the URL."
                    : "Set https://HOST\(Self.path) with version 2 in App Store Connect (App Information)."
            )
        case .noAttempt:
            return problem(
                "test_notification_not_sent",
                "No attempt to deliver the test notification was made in time.",
                "Run this command again; if it stays so, check Apple's system status page."
            )
        case .failed(let code):
            return problem(
                "test_notification_refused",
                "No test notification could be requested (\(code)).",
                AppStoreClientError.Code(rawValue: code).mayPass
                    ? "Wait some minutes, and run this command again."
                    : "Correct the findings about app_store and key, and run this command again."
            )
        case .unreadable(let code):
            return problem(
                "test_notification_unknown",
                "The test notification was delivered, but the database could not be read (\(code)).",
                "Correct the findings about the database, and run this command again."
            )
        }
    }

    private static func remedy(for result: SendAttemptResult) -> String {
        switch result {
        case .tlsIssue: "Serve the URL with a certificate of a public authority, its chain, and TLS 1.2 or later."
        case .unsuccessfulHTTPResponseCode:
            "Read the server's log: 4xx means that the app or its Apple ID is not configured or that the URL has "
                + "another path than \(path), 5xx that nothing can be stored or that the proxy has no server behind it."
        case .circularRedirect: "Set the URL that answers without a redirect."
        case .timedOut, .noResponse: "Check that the server runs and that the firewall lets Apple's requests in."
        default: "Check that the server runs, and that the URL is reachable from the internet."
        }
    }
}
