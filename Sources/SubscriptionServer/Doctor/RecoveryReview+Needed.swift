import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage

extension RecoveryReview {
    /// How long recovered notifications are reported.
    private static let neededMilliseconds: Int64 = 7 * 86_400_000

    private static let neededRemedy = """
        Check the URL in App Store Connect, the log of the proxy and the server's log, and run this command with a \
        test notification. This warning ends 7 days after the last recovered notification.
        """

    /// A warning if notifications were recovered lately, although the server ran: Apple could not deliver them, or the
    /// server could not store them.
    ///
    /// What was sent while the server was stopped, and what an operator requested, is no sign of a fault. A window that
    /// begins before the start of the server has both, so it counts only if notifications do not arrive as usual.
    var neededFinding: DoctorFinding? {
        guard let now else { return nil }
        let start = now.adding(milliseconds: -Self.neededMilliseconds)
        let serverStarts = windows.filter { $0.reason == .start && !$0.isExpired }.map(\.createdAt)
        let found = windows.filter { window in
            guard window.reason.isWhileServing, window.createdAt >= start, window.recovered > 0 else { return false }
            guard let serverStart = serverStarts.filter({ $0 <= window.createdAt }).max(), window.from <= serverStart
            else { return true }
            return !arriveAsUsual(since: serverStart, at: now)
        }
        guard let from = found.map(\.from).min() else { return nil }
        let count = found.reduce(0) { $0 + $1.recovered }
        let (were, them) = count == 1 ? ("was", "it") : ("were", "them")
        return .warning(
            .recovery,
            "recovery_needed",
            app.rawValue,
            """
            Since \(from.dateAndTimeText), \(Self.text(count, "notification")) \(were) not accepted when Apple sent \
            \(them), and \(were) recovered.
            """,
            remedy: Self.neededRemedy
        )
    }

    /// Whether notifications have arrived from Apple since a time, and are not unusually quiet now.
    private func arriveAsUsual(since time: Timestamp, at now: Timestamp) -> Bool {
        let hour = NotificationHour.start(of: time)
        guard progress.quietSince == nil, hours.contains(where: { $0.startsAt >= hour }) else { return false }
        return QuietRule(settings).quietTime(hours, at: now) == nil
    }
}

extension RecoveryWindow {
    /// What all passes recovered; a window that ended has it in one count.
    fileprivate var recovered: Int { counts.recovered + recoveredBefore }
}

extension RecoveryWindow.Reason {
    /// Whether a server that runs makes such a window on its own.
    fileprivate var isWhileServing: Bool {
        switch self {
        case .sweep, .outage, .schedule: true
        case .start, .request: false
        }
    }
}
