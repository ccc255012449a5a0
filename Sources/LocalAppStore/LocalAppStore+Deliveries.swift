public import AppStoreModel

extension LocalAppStore {
    /// The status that a profile takes for the last word.
    private static let badRequest = 400

    /// What is to be sent at the present instant: new notifications, and retries whose time has come.
    ///
    /// In the order in which it became due. A delivery is listed again until
    /// ``recordAttempt(notificationUUID:result:httpStatus:)`` says how it went.
    public mutating func dueDeliveries() -> [Delivery] {
        guard let url = notificationURL else { return [] }
        takeDueDeliveries()
        return deliveries.outstanding.map { place in
            let record = notificationLog[place]
            return Delivery(
                notificationUUID: record.notificationUUID,
                originalTransactionId: record.originalTransactionId,
                url: url,
                body: record.body,
                attempt: record.attempts.count + 1,
                fault: faultsUnderWay[place]
            )
        }
    }

    /// Records how a delivery went at the present instant, and schedules the next attempt where there is one.
    ///
    /// - Parameters:
    ///   - notificationUUID: One that ``dueDeliveries()`` listed.
    ///   - result: `SUCCESS` for an HTTP status from 200 to 206, otherwise what went wrong.
    ///   - httpStatus: The status of the answer, where there was one.
    /// - Throws: `notification_not_found` when no such delivery is due.
    public mutating func recordAttempt(
        notificationUUID: String,
        result: SendAttemptResult,
        httpStatus: Int? = nil
    ) throws(StoreError) {
        guard let place = notificationLog.place(of: notificationUUID), deliveries.finish(place) else {
            let message = "No delivery of the notification \"\(notificationUUID)\" is under way."
            throw StoreError(.notificationNotFound, kind: .notFound, message: message)
        }
        notificationLog.append(SendAttemptItem(attemptDate: now, sendAttemptResult: result), at: place)
        faultsUnderWay[place] = nil
        guard result != .success else { return }
        if httpStatus == Self.badRequest, configuration.profile == .noRetryAfter400 { return }
        let record = notificationLog[place]
        deliveries.retry(place, version: record.body.version, afterAttempts: record.attempts.count, now: now)
    }
}
