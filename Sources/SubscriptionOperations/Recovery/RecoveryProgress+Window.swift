import SubscriptionCore
package import SubscriptionStorage

/// A span of time that nobody can compare any more, because Apple's history no longer has it.
struct ExpiredSpan: Hashable, Sendable {
    var from: Timestamp
    var to: Timestamp
}

extension RecoveryProgress {
    /// Notes what a window has compared, if it continues what was compared before, and what it could not store.
    ///
    /// - Parameter historyStart: The start of Apple's history.
    /// - Returns: The span that had to be compared and that Apple's history no longer has; nil if there is none.
    mutating func note(_ window: RecoveryWindow, at now: Timestamp, historyStart: Timestamp) -> ExpiredSpan? {
        if window.counts.missing > 0 {
            missingFrom = min(missingFrom ?? window.from, window.from)
            missingUntil = max(missingUntil ?? window.to, window.to)
        }
        guard window.state == .finished else { return nil }
        if window.onlyFailures {
            if window.reason == .sweep { sweptUntil = window.to }
            return nil
        }
        var starts = [clearMissing(after: window, at: now, historyStart: historyStart)]
        if window.reason != .request { starts.append(comparedUntil) }
        let continues = comparedUntil.map { window.from <= $0 && window.to > $0 } ?? false
        if window.reason != .request || continues { (comparedUntil, sweptUntil) = (window.to, window.to) }
        let start = starts.compactMap { $0 }.filter { $0 < window.from }.min()
        return start.map { ExpiredSpan(from: $0, to: window.from) }
    }

    /// Clears the time of the missing notifications if a window stored everything that Apple still has of it.
    ///
    /// - Returns: The start of that time; nil if it is not cleared.
    private mutating func clearMissing(
        after window: RecoveryWindow,
        at now: Timestamp,
        historyStart: Timestamp
    ) -> Timestamp? {
        guard let from = missingFrom, let until = missingUntil, window.counts.missing == 0 else { return nil }
        // If the end has not come yet, it is from a clock that was ahead.
        guard window.from <= max(from, historyStart), window.to >= until || until > now else { return nil }
        (missingFrom, missingUntil) = (nil, nil)
        return from
    }
}

extension RecoveryWindow {
    /// The code of a window whose span Apple's history no longer has.
    package static let expiredCode = "history_expired"

    /// The report of a span that Apple's history no longer has, beside the window that begins after it.
    static func expired(_ span: ExpiredSpan, before window: RecoveryWindow, at now: Timestamp) -> RecoveryWindow {
        var expired = RecoveryWindow(
            id: .make(),
            createdAt: now,
            from: span.from,
            to: span.to,
            onlyFailures: window.onlyFailures,
            reason: window.reason
        )
        (expired.state, expired.finishedAt) = (.failed, now)
        expired.failure = StoredFailure(
            code: expiredCode,
            message: "Apple's notification history no longer has this time. Refresh the customers of that time."
        )
        return expired
    }
}
