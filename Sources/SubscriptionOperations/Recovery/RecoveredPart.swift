import AppStoreModel
import AppStoreSigning
import SubscriptionCore
import SubscriptionIntake
import SubscriptionStorage

/// A part of Apple's history after verification, ready to be stored.
struct RecoveredPart: Sendable {
    /// The verified notifications.
    private(set) var inputs: [VerifiedInput] = []
    /// The number of refused notifications, by code.
    private(set) var refused: [String: Int] = [:]
    /// The number of notifications that Apple has not delivered and will send again.
    private(set) var retrying = 0

    /// Verifies the notifications of a part, in two halves at the same time.
    static func verifying(
        _ items: [NotificationHistoryResponseItem],
        of app: AppRecord,
        verifier: SignedDataVerifier,
        metrics: IntakeMetrics,
        time: any TimeSource
    ) async -> RecoveredPart {
        let half = items.count / 2
        @Sendable func verified(_ items: ArraySlice<NotificationHistoryResponseItem>) -> RecoveredPart {
            RecoveredPart(items, of: app, verifier: verifier, metrics: metrics, time: time)
        }
        async let first = verified(items[..<half])
        async let second = verified(items[half...])
        var part = await first
        part.append(await second)
        return part
    }

    private init(
        _ items: ArraySlice<NotificationHistoryResponseItem>,
        of app: AppRecord,
        verifier: SignedDataVerifier,
        metrics: IntakeMetrics,
        time: any TimeSource
    ) {
        let now = time.now()
        let payloads = items.map { Array($0.signedPayload.utf8) }
        for (item, (bytes, verification)) in zip(items, zip(payloads, verifier.verifyNotifications(payloads))) {
            if item.isRetried(in: app.environment, at: now) { retrying += 1 }
            do throws(OperationError) {
                let counted = metrics.counted(verification, of: .notification)
                let input = try VerifiedInput.notification(counted, signedBytes: bytes, time: time).get()
                if input.app == app.id {
                    inputs.append(input)
                } else {
                    refused["notification_of_another_app", default: 0] += 1
                }
            } catch {
                refused[error.code, default: 0] += 1
            }
        }
    }

    private mutating func append(_ other: RecoveredPart) {
        inputs += other.inputs
        refused.merge(other.refused) { $0 + $1 }
        retrying += other.retrying
    }
}

extension NotificationHistoryResponseItem {
    /// The number of attempts that Apple makes in production: the first and five retries.
    private static let attemptsMax = 6
    /// From the first attempt to the last retry: 1, 12, 24, 48 and 72 hours after one another.
    private static let retriesMilliseconds: Int64 = 157 * 3_600_000

    /// Whether Apple has not delivered it and will send it again.
    ///
    /// - Source: App Store Server Notifications, Responding to App Store Server Notifications.
    func isRetried(in environment: StoreEnvironment, at now: Timestamp) -> Bool {
        guard environment == .production, let attempts = sendAttempts, let first = attempts.first,
            let last = attempts.last, last.sendAttemptResult != .success, attempts.count < Self.attemptsMax
        else { return false }
        return now.milliseconds <= first.attemptDate + Self.retriesMilliseconds
    }
}
