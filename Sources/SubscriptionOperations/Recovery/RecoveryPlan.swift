import SubscriptionCore
import SubscriptionStorage

/// Decides which window an app needs next. It has no clock and no storage.
struct RecoveryPlan: Hashable, Sendable {
    /// A window to make.
    struct Window: Hashable, Sendable {
        var from: Timestamp
        var to: Timestamp
        var onlyFailures: Bool
        var reason: RecoveryWindow.Reason
    }

    /// How far the app's notifications have been compared.
    var progress: RecoveryProgress
    /// Whether this server has compared the app since it started.
    var hasStarted: Bool
    /// Whether a sweep has found something since the last comparison.
    var hasFailures: Bool
    var settings: RecoverySettings
    var environment: StoreEnvironment

    /// The next window; nil if nothing is due.
    func window(at now: Timestamp) -> Window? {
        guard settings.isAutomatic else { return nil }
        if !hasStarted { return comparison(at: now, because: .start) }
        guard let compared = progress.comparedUntil, let swept = progress.sweptUntil else {
            return comparison(at: now, because: .schedule)
        }
        // A clock that was set back would otherwise stop the comparisons.
        if compared > now || swept > now { return comparison(at: now, because: .schedule) }
        if hasFailures, isDue(compared, RecoverySettings.outageMilliseconds, at: now) {
            return comparison(at: now, because: .outage)
        }
        if isDue(compared, settings.comparisonMilliseconds, at: now) {
            return comparison(at: now, because: .schedule)
        }
        guard isDue(swept, settings.sweepMilliseconds, at: now) else { return nil }
        let start = swept.adding(milliseconds: -settings.overlapMilliseconds)
        return window(from: start, to: now, onlyFailures: true, because: .sweep, at: now)
    }

    private func isDue(_ last: Timestamp, _ milliseconds: Int64, at now: Timestamp) -> Bool {
        last.adding(milliseconds: milliseconds) <= now
    }

    private func comparison(at now: Timestamp, because reason: RecoveryWindow.Reason) -> Window? {
        let first = now.adding(milliseconds: -settings.firstMilliseconds)
        var from = min(progress.comparedUntil ?? first, now).adding(milliseconds: -settings.overlapMilliseconds)
        // The comparisons after failed deliveries are too frequent to read a long time again.
        if reason != .outage, let missing = progress.missingFrom { from = min(from, missing) }
        // While the server runs, the newest notifications may still be on their way to it.
        let margin = reason == .start ? 0 : settings.settlingMilliseconds
        let end = now.adding(milliseconds: -margin)
        return window(from: from, to: end, onlyFailures: false, because: reason, at: now)
    }

    private func window(
        from: Timestamp,
        to: Timestamp,
        onlyFailures: Bool,
        because reason: RecoveryWindow.Reason,
        at now: Timestamp
    ) -> Window? {
        let start = max(from, earliest(at: now))
        guard start < to else { return nil }
        return Window(from: start, to: to, onlyFailures: onlyFailures, reason: reason)
    }

    /// The earliest time that Apple's history may be asked for, with a minute for the clocks.
    func earliest(at now: Timestamp) -> Timestamp {
        now.adding(milliseconds: 60_000 - RecoverySettings.historyMilliseconds(of: environment))
    }
}
