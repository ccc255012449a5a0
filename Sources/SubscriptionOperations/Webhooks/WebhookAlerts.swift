import SubscriptionCore
import SubscriptionStorage

extension SubscriptionEvent.Kind {
    /// The name of the group of alerts among the types that an endpoint chooses.
    static let alertGroup = "alerts"

    /// Whether it tells an operator that something is wrong, or right again.
    var isAlert: Bool {
        switch self {
        case .webhookEndpointDisabled, .recoveryGapFound, .recoveryFailed, .notificationsQuiet, .notificationsResumed,
            .clockDisputed, .clockAgreed:
            true
        default: false
        }
    }
}

extension EventRecord {
    /// One sentence for people, with what to do. It names no customer, because chats keep it.
    func sentence(of app: AppID) -> String {
        let (details, kind) = (event.details ?? [:], event.kind)
        func detail(_ name: String) -> String { details[name] ?? "?" }
        func time(_ name: String) -> String {
            details[name].flatMap(Int64.init).map { Timestamp(milliseconds: $0).dateAndTimeText } ?? "?"
        }
        switch kind {
        case .webhookEndpointDisabled:
            let reason = details["reason"].flatMap(WebhookEndpoint.DisabledReason.init)?.text ?? "?"
            let id = detail("endpoint_id")
            let enabling = "perennial webhooks change \(id) --enable"
            return "\(app): webhook endpoint \(id) was disabled: \(reason). Then: \(enabling)"
        case .recoveryGapFound:
            return """
                \(app): Apple sent \(detail("sent")) notifications from \(time("from")) to \(time("to")), \
                and the server held \(detail("held")) of them. Recovered: \(detail("recovered")), \
                refused: \(detail("refused")), missing: \(detail("missing")). \
                Check whether Apple's notifications reach the server.
                """
        case .recoveryFailed:
            return """
                \(app): Apple's notifications from \(time("from")) to \(time("to")) were not compared \
                (\(detail("code"))). Read GET /v1/recovery/windows and the server's log.
                """
        case .notificationsQuiet:
            let arrived = details["arrived"].flatMap(Int.init) ?? 0
            let finding =
                arrived == 0
                ? "no notification of Apple has arrived since \(time("since"))"
                : "notifications of Apple since \(time("since")): \(arrived); at least \(detail("usual")) are usual"
            return """
                \(app): \(finding). Check the address of the server in App Store Connect, and run perennial doctor.
                """
        case .notificationsResumed: return "\(app): notifications of Apple arrive again."
        case .clockDisputed:
            return """
                \(app): the server's clock is \(detail("ahead_seconds")) seconds ahead of another clock \
                (\(detail("witness"))). No access ends by time until they agree. Set the clock right.
                """
        case .clockAgreed: return "\(app): the server's clock agrees with the others again."
        default: return "\(app): \(kind.rawValue) (\(publicID(of: app)))"
        }
    }
}
