import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

/// Reviews how far Apple's notification history was compared with the database.
struct RecoveryReview: Sendable {
    /// The number of newest windows that are read.
    static let windowsMax = 50

    let app: AppID
    let progress: RecoveryProgress
    /// The newest windows first.
    let windows: [RecoveryWindow]
    let settings: RecoverySettings
    /// Whether there is a key for the App Store Server API.
    let hasKey: Bool
    /// Nil if the clock of the app's store is unknown.
    let now: Timestamp?

    private static let remedy = """
        Read GET /v1/recovery/windows and the server's log, correct the cause, and run perennial notifications recover.
        """

    private static let idleRemedy = "Start perennial serve, which compares it, and read its log."

    /// The problems of the newest window of each kind and what was recovered lately, or one finding about the progress.
    var findings: [DoctorFinding] {
        guard hasKey else {
            return [.skipped(.recovery, app.rawValue, "Lost notifications are not recovered without a key.")]
        }
        let newest = [false, true].compactMap { kind in windows.first { $0.onlyFailures == kind } }
        let findings = newest.compactMap(problem) + [neededFinding].compactMap(\.self)
        return findings.isEmpty ? [progressFinding] : findings
    }

    private func problem(_ window: RecoveryWindow) -> DoctorFinding? {
        let span = "The comparison from \(window.from.dateAndTimeText) to \(window.to.dateAndTimeText)"
        let code = window.failure?.code ?? "unknown"
        if window.state == .failed {
            return problem("recovery_failed", "\(span) failed (\(code)).")
        }
        if window.counts.missing > 0 {
            return problem("recovery_missing", "\(span) could not store \(window.counts.missing) notifications.")
        }
        if window.counts.refused > 0 {
            return warning("recovery_refused", "\(span) refused \(window.counts.refused) notifications.")
        }
        if window.state == .running, window.failures > 0 {
            return warning("recovery_failing", "\(span) has failed \(window.failures) times so far (\(code)).")
        }
        return nil
    }

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
            return warning("recovery_late", message, remedy: Self.idleRemedy)
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
