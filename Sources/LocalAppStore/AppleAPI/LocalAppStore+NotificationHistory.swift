public import AppStoreModel

extension LocalAppStore {
    /// One page of the notifications that the store tried to deliver, oldest first.
    ///
    /// Each is returned as it was sent. Notifications without a URL were never tried and are left out.
    ///
    /// - Parameters:
    ///   - request: The time range, both ends included, and the filters.
    ///   - paginationToken: The token of the previous page of the same request.
    /// - Source: App Store Server API, Get Notification History.
    /// - Throws: One of `AppStoreServerCall.getNotificationHistory.errors`.
    public func notificationHistory(
        _ request: NotificationHistoryRequest,
        paginationToken: String? = nil
    ) throws(AppStoreServerAPIError) -> NotificationHistoryResponse {
        let digest = NotificationHistoryCursor.digest(request.jsonBytes)
        let cursor = try paginationToken.map { token throws(AppStoreServerAPIError) in
            try self.cursor(token, requestDigest: digest)
        }
        let askedAt = cursor?.askedAt ?? now
        try request.checkAsApple(now: askedAt, environment: configuration.environment)
        let account = try (request.transactionId ?? request.originalTransactionId)
            .map { id throws(AppStoreServerAPIError) in try customer(of: id) }
        let made = notificationLog.positions(
            madeIn: request.startDate...min(request.endDate, max(askedAt, request.startDate))
        )
        let found = notificationLog.positions(
            in: made.clamped(to: (cursor?.position ?? 0)..<Int.max),
            about: account,
            limit: NotificationHistoryResponse.notificationsMax + 1,
            where: request.matches
        )
        let page = found.prefix(NotificationHistoryResponse.notificationsMax)
        let next = found.dropFirst(page.count).first.map {
            NotificationHistoryCursor(position: $0, askedAt: askedAt, requestDigest: digest)
        }
        return NotificationHistoryResponse(
            hasMore: next != nil,
            notificationHistory: page.map { notificationLog[$0].historyItem },
            paginationToken: next?.token
        )
    }

    private func cursor(
        _ token: String,
        requestDigest: UInt64
    ) throws(AppStoreServerAPIError) -> NotificationHistoryCursor {
        guard let cursor = NotificationHistoryCursor(token: token) else { throw .invalidPaginationToken }
        let age = now - cursor.askedAt
        guard cursor.requestDigest == requestDigest, (0...NotificationHistoryCursor.lifetime).contains(age) else {
            throw .paginationTokenExpired
        }
        return cursor
    }
}

extension NotificationHistoryRequest {
    /// Reads the body of Get Notification History.
    ///
    /// - Throws: Apple's error for the invalid field.
    public init(appleBody json: JSONObject) throws(AppStoreServerAPIError) {
        try self.init(
            appleBody: json,
            orThrow: { fault in
                switch fault.field {
                case "startDate": .invalidStartDate
                case "endDate": .invalidEndDate
                case "notificationType", "notificationSubtype": .invalidNotificationType
                case "transactionId", "originalTransactionId": .invalidTransactionId
                default: .generalBadRequest
                }
            }
        )
    }

    /// Checks the dates, then the filters.
    fileprivate func checkAsApple(
        now: Int64,
        environment: AppStoreEnvironment
    ) throws(AppStoreServerAPIError) {
        guard startDate >= 0 else { throw .invalidStartDate }
        guard endDate >= 0 else { throw .invalidEndDate }
        guard startDate < endDate else { throw .startDateAfterEndDate }
        let window = environment == .production ? Self.productionWindow : Self.sandboxWindow
        guard startDate >= now - window else { throw .startDateTooFarInPast }
        if let notificationType {
            guard notificationType.isDocumented else { throw .invalidNotificationType }
            guard transactionId == nil, originalTransactionId == nil else { throw .multipleFiltersSupplied }
        }
        if let notificationSubtype {
            guard let notificationType, notificationType.documentedSubtypes.contains(notificationSubtype) else {
                throw .invalidNotificationType
            }
        }
    }

    /// Whether a notification matches the filters; version 1 has no history.
    fileprivate func matches(_ record: NotificationRecord) -> Bool {
        guard record.body.version == .v2, let last = record.attempts.last else { return false }
        if let notificationType, record.notificationType != notificationType { return false }
        if let notificationSubtype, record.subtype != notificationSubtype { return false }
        return onlyFailures != true || last.sendAttemptResult != .success
    }
}

extension NotificationRecord {
    fileprivate var historyItem: NotificationHistoryResponseItem {
        NotificationHistoryResponseItem(
            signedPayload: signedPayload,
            sendAttempts: attempts,
            firstSendAttemptResult: attempts.first?.sendAttemptResult
        )
    }
}
