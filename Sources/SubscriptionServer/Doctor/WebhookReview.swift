import AppStoreModel
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Reviews the webhook endpoints of an app.
struct WebhookReview: Sendable {
    /// What is stored about an endpoint.
    struct Stored: Sendable {
        let endpoint: WebhookEndpoint
        let progress: WebhookProgress
        /// When the next event was recorded that it was not sent yet; nil if there is none.
        let nextAt: Timestamp?
        /// The result of the last attempt that failed, if its event still waits.
        let lastResult: String?
    }

    /// The age of an event from which an endpoint is behind, in milliseconds.
    static let ageMax: Int64 = 600_000
    private static let pageSize = 1_000
    private static let pagesMax = 11

    let app: AppID
    let endpoints: [Stored]
    /// Nil if the clock of the app's store is unknown.
    let now: Timestamp?

    /// A finding for each endpoint that needs attention, or one about all of them; nothing without endpoints.
    var findings: [DoctorFinding] {
        let findings = endpoints.compactMap(finding)
        guard findings.isEmpty, !endpoints.isEmpty else { return findings }
        let disabled = endpoints.count { $0.endpoint.disabledReason != nil }
        let sent = endpoints.count - disabled
        let text = "Webhooks go to \(sent) \(sent == 1 ? "endpoint" : "endpoints")"
        return [.ok(.webhooks, app.rawValue, disabled == 0 ? "\(text)." : "\(text); operators disabled \(disabled).")]
    }

    private func finding(_ stored: Stored) -> DoctorFinding? {
        let id = stored.endpoint.id.rawValue
        let enabling = "Then: perennial webhooks change \(id) --enable. It goes on where it stopped."
        switch stored.endpoint.disabledReason {
        case .byOperator: return nil
        case .failing:
            return problem(
                "Nothing is sent to \(id): it took nothing for 120 hours\(last(stored)).",
                remedy: "Repair the receiver, and try it: perennial webhooks test \(id). \(enabling)"
            )
        case .gone:
            return problem(
                "Nothing is sent to \(id): it answered 410.",
                remedy: "Correct its address: perennial webhooks change \(id) --url URL. \(enabling)"
            )
        case .secretMissing:
            return problem(
                "Nothing is sent to \(id): it has no secret, after an import without keys for example.",
                remedy: "Make one, and give it to the receiver: perennial webhooks rotate \(id). \(enabling)"
            )
        case nil: break
        }
        let health = stored.progress.health
        if health.isOpen {
            let since = health.failingSince.map { " since \($0.dateAndTimeText)" } ?? ""
            return warning(
                "webhook_endpoint_failing",
                "\(id) has taken nothing\(since): \(health.failures) failures in a row\(last(stored)).",
                remedy: "Repair the receiver, and try it: perennial webhooks test \(id). It goes on by itself then."
            )
        }
        if let now, let nextAt = stored.nextAt, nextAt.adding(milliseconds: Self.ageMax) < now {
            return warning(
                "webhook_endpoint_behind",
                "\(id) is behind: the next event for it is of \(nextAt.dateAndTimeText).",
                remedy: "Start perennial serve. If it runs, look for slow answers: perennial webhooks deliveries \(id)."
            )
        }
        return nil
    }

    private func last(_ stored: Stored) -> String { stored.lastResult.map { " (\($0))" } ?? "" }

    private func problem(_ message: String, remedy: String) -> DoctorFinding {
        .problem(.webhooks, "webhook_endpoint_disabled", app.rawValue, message, remedy: remedy)
    }

    private func warning(_ code: String, _ message: String, remedy: String) -> DoctorFinding {
        .warning(.webhooks, code, app.rawValue, message, remedy: remedy)
    }
}

extension WebhookReview {
    /// Reads what is stored about the endpoints of an app.
    ///
    /// - Throws: ``StorageError``.
    static func read(_ app: AppID, _ storage: any StorageReading) throws(StorageError) -> [Stored] {
        var all: [Stored] = []
        for endpoint in try storage.webhookEndpoints(of: app) {
            guard let progress = try storage.webhookProgress(of: endpoint.id, app: app) else { continue }
            let isFailing = progress.health.failures > 0
            let waiting =
                isFailing ? try storage.waitingWebhookDeliveries(to: endpoint.id, app: app, limit: 1).first : nil
            all.append(
                Stored(
                    endpoint: endpoint,
                    progress: progress,
                    nextAt: endpoint.disabledReason == nil && !progress.health.isOpen
                        ? try nextAt(for: endpoint, after: progress.cursor, app: app, storage) : nil,
                    lastResult: waiting?.lastResult
                )
            )
        }
        return all
    }

    private static func nextAt(
        for endpoint: WebhookEndpoint,
        after cursor: Int64,
        app: AppID,
        _ storage: any StorageReading
    ) throws(StorageError) -> Timestamp? {
        // The position of an endpoint may be before many events that it does not want.
        var position = cursor
        for _ in 0..<pagesMax {
            let found = try storage.nextWebhookItem(for: endpoint, after: position, app: app, limit: pageSize)
            if let time = found.recordedAt { return time }
            guard let through = found.readThrough else { return nil }
            position = through
        }
        return nil
    }
}

extension WebhookDelivery {
    /// The HTTP status of the last attempt, or the code of its error.
    fileprivate var lastResult: String? {
        guard let attempt = keptAttempts.last?.objectValue else { return nil }
        if case .integer(let status)? = attempt["status"] { return "last answer: \(status)" }
        return attempt["error"]?.stringValue.map { "last error: \($0)" }
    }
}
