public import AppStoreModel

extension LocalAppStore {
    /// The status after which a profile stops retrying.
    private static let badRequest = 400

    /// The deliveries that are due now: new notifications and retries.
    ///
    /// In the order in which they became due. A delivery is listed until
    /// ``recordAttempt(notificationUUID:result:httpStatus:)`` records its result.
    public mutating func dueDeliveries() -> [Delivery] {
        guard let url = notificationURL else { return [] }
        takeDueDeliveries()
        return deliveries.outstanding.map { position in
            let record = notificationLog[position]
            return Delivery(
                notificationUUID: record.notificationUUID,
                originalTransactionId: record.originalTransactionId,
                url: url,
                body: record.body,
                attempt: record.attempts.count + 1,
                fault: faultsUnderWay[position]
            )
        }
    }

    /// Records the result of a delivery at the current time, and schedules the next attempt if there is one.
    ///
    /// - Parameters:
    ///   - notificationUUID: A notification from ``dueDeliveries()``.
    ///   - result: `SUCCESS` for an HTTP status from 200 to 206, otherwise the failure.
    ///   - httpStatus: The status of the answer, if there was one.
    /// - Throws: `notification_not_found` if no such delivery is due.
    public mutating func recordAttempt(
        notificationUUID: String,
        result: SendAttemptResult,
        httpStatus: Int? = nil
    ) throws(StoreError) {
        guard let position = notificationLog.position(of: notificationUUID), deliveries.finish(position) else {
            let message = "No delivery of the notification \"\(notificationUUID)\" is under way."
            throw StoreError(.notificationNotFound, message)
        }
        notificationLog.append(SendAttemptItem(attemptDate: now, sendAttemptResult: result), at: position)
        faultsUnderWay[position] = nil
        guard result != .success else { return }
        if httpStatus == Self.badRequest, configuration.profile == .noRetryAfter400 { return }
        let record = notificationLog[position]
        deliveries.retry(position, version: record.body.version, afterAttempts: record.attempts.count, now: now)
    }
}
