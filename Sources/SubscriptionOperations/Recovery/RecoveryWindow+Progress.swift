import AppStoreClient
import AppStoreModel
import SubscriptionCore
import SubscriptionStorage

extension RecoveryWindow {
    /// The number of failures in a row after which a malformed history ends the window.
    private static let malformedMax = 10
    /// The number of times that the history is read again from its start.
    private static let restartsMax = 10
    private static let firstPause: Int64 = 30_000
    /// The longest pause, with the part that spreads the apps.
    private static let longestPause: Int64 = 900_000

    /// Counts a stored part of the history.
    mutating func count(
        _ sent: Int,
        _ verified: RecoveredPart,
        _ outcomes: [Result<FactIntake.Outcome, StorageError>]
    ) {
        counts.sent += sent
        counts.retrying += verified.retrying
        for (code, count) in verified.refused {
            counts.refused += count
            problems[code, default: 0] += count
        }
        for outcome in outcomes {
            switch outcome {
            case .success(let outcome) where outcome.isNew: counts.recovered += 1
            case .success: counts.held += 1
            case .failure(let error):
                counts.missing += 1
                problems[error.code.rawValue, default: 0] += 1
            }
        }
        // This pass finds what earlier passes recovered as held.
        let earlier = min(recoveredBefore, counts.held)
        counts.held -= earlier
        counts.recovered += earlier
        recoveredBefore -= earlier
    }

    /// Ends the window: Apple's history was read to its end.
    mutating func finish(at now: Timestamp) {
        (state, finishedAt, page) = (.finished, now, nil)
        (failures, retryAt, failure) = (0, nil, nil)
        recoveredBefore = 0
    }

    /// Notes that Apple answered with notifications: the failures in a row are over.
    ///
    /// A pass that begins again is no progress, because it may end where the last one ended. So each restart stays
    /// counted, with the last failure, until the window is finished.
    mutating func noteAnswer() {
        (failures, retryAt) = (restarts, nil)
        if restarts == 0 { failure = nil }
    }

    /// Notes a failed query: it is repeated later, from the last cursor if Apple still accepts it.
    mutating func note(_ error: AppStoreClientError, at now: Timestamp, environment: StoreEnvironment) {
        failures += 1
        switch error.code {
        case .cursorExpired, .cursorInvalid, .pagingStuck:
            guard restarts < Self.restartsMax else { return fail(with: error, at: now) }
            restart()
        case .refused where error.apiError?.code == AppStoreServerAPIError.startDateTooFarInPast.code:
            // The server was without Apple for so long that the beginning is not in the history any more.
            let earliest = RecoverySettings.historyStart(of: environment, at: now)
            guard from < earliest, earliest < to else { return fail(with: error, at: now) }
            from = earliest
            restart()
        case .refused where !error.isRetryable, .callNotAvailable, .invalidRequest, .environmentNotConfigured:
            return fail(with: error, at: now)
        case .responseMalformed, .responseTooLarge:
            if failures - restarts >= Self.malformedMax { return fail(with: error, at: now) }
        default: break
        }
        failure = storedFailure(of: error)
        let pause = min(Self.firstPause << Int64(min(failures - 1, 5)), Self.longestPause * 4 / 5)
        // Up to a quarter more, so that several apps do not come back at the same moment.
        let quarters = Int64(id.rawValue.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF })
        retryAt = now.adding(milliseconds: pause + pause * quarters / 1_024)
    }

    private mutating func restart() {
        recoveredBefore += counts.recovered
        (counts, problems, page) = (Counts(), [:], nil)
        restarts += 1
    }

    private mutating func fail(with error: AppStoreClientError, at now: Timestamp) {
        (state, finishedAt, retryAt) = (.failed, now, nil)
        failure = storedFailure(of: error)
        // The last pass did not come to these.
        counts.sent += recoveredBefore
        counts.recovered += recoveredBefore
        recoveredBefore = 0
    }

    /// The failure for a report: why, and what happens next.
    private func storedFailure(of error: AppStoreClientError) -> StoredFailure {
        // A regular comparison that failed is followed by another one.
        let isRepeated = state == .running || reason != .request
        let code = error.recoveryCode
        let next =
            switch code {
            case "app_store_unauthorized", "app_store_refused":
                isRepeated
                    ? "The server asks again by itself; it gets no other answer until the cause is corrected."
                    : "Correct the cause, and request the window again."
            case "history_malformed":
                "\(isRepeated ? "The server asks again by itself." : "Request the window again in some hours.") If it "
                    + "stays so for a day, update the server, or report it."
            default: isRepeated ? "The server asks again by itself." : "Request the window again later."
            }
        return StoredFailure(code: code, message: "\(error.historyReason) \(next)")
    }

    /// The events of a window that ended. A regular comparison without a gap has none.
    func events(at now: Timestamp) -> [SubscriptionEvent] {
        guard state != .running else { return [] }
        if let failure {
            let details = details.merging(["code": failure.code]) { $1 }
            return [SubscriptionEvent(kind: .recoveryFailed, occurredAt: now, details: details)]
        }
        var events: [SubscriptionEvent] = []
        if counts.hasGap {
            events.append(SubscriptionEvent(kind: .recoveryGapFound, occurredAt: now, details: details))
        }
        if counts.hasGap || reason == .request {
            events.append(SubscriptionEvent(kind: .recoveryFinished, occurredAt: now, details: details))
        }
        return events
    }

    private var details: [String: String] {
        [
            "window_id": id.rawValue, "from": "\(from.milliseconds)", "to": "\(to.milliseconds)",
            "sent": "\(counts.sent)", "held": "\(counts.held)", "recovered": "\(counts.recovered)",
            "retrying": "\(counts.retrying)", "refused": "\(counts.refused)", "missing": "\(counts.missing)",
        ]
    }
}
