import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Reviews how far Apple's notification history was compared with the database.
struct RecoveryReview: Sendable {
    /// The number of newest windows that are read: at the default intervals, those of more than 30 days.
    static let windowsMax = 10_000
    /// How long it is reported that Apple's history no longer had a span.
    private static let expiredMilliseconds: Int64 = 30 * 86_400_000
    /// The number of such spans that are named, the newest first.
    private static let expiredMax = 5
    /// The time after which a comparison that is late, or whose queries fail, is a problem.
    private static let failingMilliseconds: Int64 = 86_400_000

    let app: AppID
    let progress: RecoveryProgress
    /// The newest windows first.
    let windows: [RecoveryWindow]
    /// The hours with notifications that arrived from Apple, in order of time.
    let hours: [NotificationHour]
    let settings: RecoverySettings
    /// Whether there is a key for the App Store Server API.
    let hasKey: Bool
    /// Nil if the clock of the app's store is unknown.
    let now: Timestamp?

    private static let remedy = """
        Read GET /v1/recovery/windows and the server's log, correct the cause, and run perennial notifications recover.
        """

    private static let expiredRemedy = """
        Refresh the customers of that time with POST /v1/customers/{app_user_id}/refresh. The status of the other \
        subscriptions is asked for at the end of their periods.
        """

    private static let idleRemedy = "Start perennial serve, which compares it, and read its log."

    /// What is missing, the oldest comparison whose queries fail, the problems of the newest window of each kind and
    /// what was recovered lately, or else one finding about the progress; then what Apple's history no longer has.
    var findings: [DoctorFinding] {
        guard hasKey else {
            return [.skipped(.recovery, app.rawValue, "Lost notifications are not recovered without a key.")]
        }
        let compared = windows.filter { !$0.isExpired }
        let sweep = compared.first(where: \.onlyFailures).flatMap { isComparedAgain($0) ? nil : $0 }
        let newest = [compared.first { !$0.onlyFailures }, sweep].compactMap(\.self)
        let missing = missing(in: compared.first { !$0.onlyFailures })
        let failing = compared.last(where: \.isFailing)
        var findings: [DoctorFinding] = [missing, failing.flatMap(problem)].compactMap(\.self)
        findings += newest.filter { $0.id != failing?.id }.compactMap(problem)
        findings += [neededFinding].compactMap(\.self)
        return (findings.isEmpty ? [progressFinding] : findings) + (expired.map { [$0] } ?? [])
    }

    /// Whether a newer comparison of the whole history covers the span of a sweep. It has found what is still refused.
    /// A sweep that finds nothing is not kept, so the sweep itself may stay the newest one for long.
    private func isComparedAgain(_ sweep: RecoveryWindow) -> Bool {
        windows.prefix { $0.id != sweep.id }.contains { newer in
            !newer.onlyFailures && newer.state == .finished && newer.from <= sweep.from && newer.to >= sweep.to
        }
    }

    /// Notifications that could not be stored, until a comparison has stored them.
    ///
    /// - Parameter newest: The newest comparison of the whole history.
    private func missing(in newest: RecoveryWindow?) -> DoctorFinding? {
        if let from = progress.missingFrom {
            let end = progress.missingUntil.map { " to \($0.dateAndTimeText)" } ?? ""
            return problem(
                "recovery_missing",
                "Notifications in the time from \(from.dateAndTimeText)\(end) could not be stored."
            )
        }
        guard let newest, newest.counts.missing > 0 else { return nil }
        return problem(
            "recovery_missing",
            "\(Self.span(of: newest)) could not store \(Self.text(newest.counts.missing, "notification"))."
        )
    }

    private var expired: DoctorFinding? {
        let spans = windows.filter { window in
            guard window.isExpired else { return false }
            return now.map { $0 <= window.createdAt.adding(milliseconds: Self.expiredMilliseconds) } ?? true
        }
        guard !spans.isEmpty else { return nil }
        var times = spans.prefix(Self.expiredMax).map { span in
            "from \(span.from.dateAndTimeText) to \(span.to.dateAndTimeText)"
        }
        if spans.count > Self.expiredMax { times.append("and \(spans.count - Self.expiredMax) earlier ones") }
        return warning(
            "recovery_history_expired",
            """
            Apple's history no longer had the time \(times.joined(separator: ", ")) when it was asked for. \
            Notifications of then may be lost.
            """,
            remedy: Self.expiredRemedy
        )
    }

    private static func span(of window: RecoveryWindow) -> String {
        "The comparison from \(window.from.dateAndTimeText) to \(window.to.dateAndTimeText)"
    }

    private func problem(_ window: RecoveryWindow) -> DoctorFinding? {
        let span = Self.span(of: window)
        let code = window.failure?.code ?? "unknown"
        if window.state == .failed {
            return problem("recovery_failed", "\(span) failed (\(code)).")
        }
        if window.isFailing {
            let failures = "has failed \(Self.text(window.failures, "time")) in a row (\(code))"
            guard let now, window.createdAt.adding(milliseconds: Self.failingMilliseconds) < now else {
                return warning("recovery_failing", "\(span) \(failures).")
            }
            let start = window.createdAt.dateAndTimeText
            return problem("recovery_failing", "\(span) began at \(start), is not finished, and \(failures).")
        }
        guard window.counts.refused > 0 else { return nil }
        return warning("recovery_refused", "\(span) refused \(Self.text(window.counts.refused, "notification")).")
    }

    /// A number of things, such as "1 time" or "2 times".
    static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private var progressFinding: DoctorFinding {
        let name = app.rawValue
        guard settings.isAutomatic else { return .skipped(.recovery, name, "recovery.enabled is false.") }
        guard let until = progress.comparedUntil else {
            if windows.contains(where: { $0.state == .running }) {
                return .ok(.recovery, name, "The first comparison of Apple's history is running.")
            }
            return warning(
                "recovery_never",
                "Apple's notification history was never compared.",
                remedy: Self.idleRemedy
            )
        }
        if let now, settings.isLate(until, at: now) {
            let message = "Apple's notification history was last compared until \(until.dateAndTimeText)."
            guard settings.isLate(until.adding(milliseconds: Self.failingMilliseconds), at: now) else {
                return warning("recovery_late", message, remedy: Self.idleRemedy)
            }
            return .problem(.recovery, "recovery_late", name, message, remedy: Self.idleRemedy)
        }
        return .ok(.recovery, name, "Apple's notification history was compared until \(until.dateAndTimeText).")
    }

    private func problem(_ code: String, _ message: String) -> DoctorFinding {
        .problem(.recovery, code, app.rawValue, message, remedy: Self.remedy)
    }

    private func warning(_ code: String, _ message: String, remedy: String = remedy) -> DoctorFinding {
        .warning(.recovery, code, app.rawValue, message, remedy: remedy)
    }
}

extension RecoveryWindow {
    /// Whether it reports a span that Apple's history no longer has.
    var isExpired: Bool { failure?.code == Self.expiredCode }

    /// Whether its queries fail.
    fileprivate var isFailing: Bool { state == .running && failures > 0 }
}
