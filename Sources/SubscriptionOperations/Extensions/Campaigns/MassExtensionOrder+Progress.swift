import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension MassExtensionOrder {
    private static let firstCheck: Int64 = 60_000
    private static let longestPause: Int64 = 3_600_000
    /// How long Apple may carry an order out. Apple speaks of hours or days.
    private static let patience: Int64 = 7 * 86_400_000
    /// How long after its end the announcements of an order may arrive.
    ///
    /// - Units: milliseconds.
    static let announcedWithin: Int64 = 3_600_000
    /// How long after its end Apple may sign an announcement of the order about a member that no longer waits for it.
    /// Later ones are about other extensions.
    ///
    /// - Units: milliseconds.
    static let extendedWithin: Int64 = 3 * 86_400_000
    /// How long after its summary Apple may say that an order is complete, before the summary alone counts.
    private static let statusWithin: Int64 = 3_600_000

    /// Whether so much time has passed that nothing more is expected of Apple.
    ///
    /// - Parameter start: When Apple accepted the order, or when its campaign was started or cancelled.
    static func isLate(_ start: Timestamp?, at now: Timestamp) -> Bool {
        start.map { now > $0.adding(milliseconds: patience) } ?? false
    }

    /// The code of an order of which Apple's summary and its status have different counts.
    static let countsDiffer = "extension_order_counts_differ"

    /// The code of an order of which Apple did not say within a week what became of it.
    static let unfinished = "extension_order_unfinished"

    /// Whether Apple may carry it out or may have done so, although the server may not know yet that Apple has it.
    var mayBeCarriedOut: Bool {
        wasAccepted || askedAt != nil && (state == .waiting || failure?.code == Self.unfinished)
    }

    /// Apple accepted it.
    mutating func noteAccepted(at now: Timestamp) {
        (state, acceptedAt) = (.accepted, now)
        forgetUnansweredQuery()
        checkAt = now.adding(milliseconds: Self.firstCheck)
    }

    /// Apple refused it.
    mutating func noteRefused(_ error: OperationError, at now: Timestamp) {
        (state, completedAt, checkAt) = (.ended, now, nil)
        failure = StoredFailure(code: error.code, message: error.message)
    }

    /// Apple's status of it.
    mutating func noteStatus(_ status: MassExtendRenewalDateStatusResponse, at now: Timestamp) {
        checks += 1
        forgetUnansweredQuery()
        guard status.complete else { return checkLater(at: now) }
        (state, checkAt) = (.complete, nil)
        completedAt = status.completeDate.map { Timestamp(milliseconds: $0) } ?? now
        noteCounts(succeeded: status.succeededCount.map { Int($0) }, failed: status.failedCount.map { Int($0) })
    }

    /// Apple did not say how far it is. An hour after its summary, the summary counts.
    ///
    /// - Parameter error: Why it did not. It is shown until Apple answers.
    mutating func noteNoStatus(because error: OperationError, at now: Timestamp) {
        checks += 1
        forgetUnansweredQuery()
        if state == .accepted, let summaryAt, summaryAt.adding(milliseconds: Self.statusWithin) <= now {
            (state, completedAt, checkAt) = (.complete, summaryAt, nil)
        } else {
            failure = failure ?? StoredFailure(code: error.code, message: error.message)
            checkLater(at: now)
        }
    }

    /// Removes the error of a query. Counts that differ stay an error.
    private mutating func forgetUnansweredQuery() {
        if failure?.code != Self.countsDiffer { failure = nil }
    }

    /// Apple's summary, which comes when it is complete. Its status confirms that. Apple has the order then, although
    /// its answer may have been lost.
    mutating func noteSummary(succeeded: Int?, failed: Int?, at time: Timestamp) {
        summaryAt = time
        noteCounts(succeeded: succeeded, failed: failed)
        if state == .waiting { (state, acceptedAt) = (.accepted, time) }
        if state == .accepted { checkAt = time }
    }

    /// Apple's counts. It says them twice, in its summary and in its status; the later ones are kept.
    private mutating func noteCounts(succeeded: Int?, failed: Int?) {
        let before = (succeeded: self.succeeded, failed: self.failed)
        self.succeeded = succeeded ?? before.succeeded
        self.failed = failed ?? before.failed
        guard let first = before.succeeded, let firstFailed = before.failed, let last = self.succeeded,
            let lastFailed = self.failed, (first, firstFailed) != (last, lastFailed), failure?.code != Self.countsDiffer
        else { return }
        failure = StoredFailure(
            code: Self.countsDiffer,
            message: "Apple's summary and its status of the order for \(productID.rawValue) differ: first \(first) "
                + "extended and \(firstFailed) not, then \(last) and \(lastFailed)."
        )
    }

    /// Whether it may have extended all its members, although the ends of their periods did not move: only in the
    /// sandbox, where an extension may have no length.
    func mayHaveExtendedInPlace(_ members: Int, in environment: StoreEnvironment?) -> Bool {
        environment == .sandbox && state == .complete && failed == 0 && (succeeded.map { $0 >= members } ?? false)
    }

    private mutating func checkLater(at now: Timestamp) {
        if Self.isLate(acceptedAt, at: now) {
            (state, completedAt, checkAt) = (.ended, now, nil)
            failure = StoredFailure(
                code: Self.unfinished,
                message: "Apple did not say within a week that the order is complete, and may still carry it out."
            )
        } else {
            checkAt = now.adding(milliseconds: min(Self.firstCheck << Int64(min(checks, 6)), Self.longestPause))
        }
    }
}
