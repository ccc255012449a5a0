public import AppStoreModel
import PerennialPrimitives

extension LocalAppStore {
    /// Creates a notification about a transaction from the current state, and passes the event on to family members and
    /// members with seats.
    mutating func announce(
        _ type: NotificationType,
        _ subtype: NotificationSubtype? = nil,
        transaction index: LedgerIndex<Transaction>,
        consumptionRequestReason: ConsumptionRequestReason? = nil
    ) {
        addAnnouncement(type, subtype, transaction: index, consumptionRequestReason: consumptionRequestReason)
        for action in sharing(of: type, subtype, transaction: index) { apply(action) }
    }

    private mutating func addAnnouncement(
        _ type: NotificationType,
        _ subtype: NotificationSubtype?,
        transaction index: LedgerIndex<Transaction>,
        consumptionRequestReason: ConsumptionRequestReason?
    ) {
        guard !isSilent, settings.notificationVersion == .v2 else {
            ledger.contentChanged(of: index)
            if !isSilent { announceVersion1(type, subtype, transaction: index) }
            return
        }
        let date = ledger.signatureDate(of: index, isNew: true, now: now)
        let subscription = ledger[index].subscription
        announcements.append(
            Announcement(
                type: type,
                subtype: subtype,
                notificationUUID: identifiers.nextUUID(),
                signedDate: date,
                transaction: transactionPayload(of: index, signedDate: date),
                renewalInfo: subscription.map { renewalPayload(of: $0, signedDate: date) },
                status: subscription.map { ledger[$0].status },
                consumptionRequestReason: consumptionRequestReason
            )
        )
    }

    /// One page of all notifications, oldest first.
    ///
    /// - Parameters:
    ///   - cursor: The `nextCursor` of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of notifications, 1 to 1,000.
    /// - Throws: `cursor_invalid`, `limit_invalid`.
    public func notifications(after cursor: String? = nil, limit: Int = 100) throws(StoreError) -> NotificationPage {
        let page = try ListPage(of: notificationLog.records.count, after: cursor, limit: limit)
        return NotificationPage(
            notifications: Array(notificationLog.records[page.range]),
            nextCursor: page.nextCursor
        )
    }

    /// Sends a test notification and returns its token.
    ///
    /// - Throws: 4040007 if no URL is set.
    public mutating func requestTestNotification() throws(AppStoreServerAPIError) -> SendTestNotificationResponse {
        guard notificationURL != nil else { throw .serverNotificationURLNotFound }
        let token = identifiers.nextUUID()
        announcements.append(
            Announcement(
                type: .test,
                subtype: nil,
                notificationUUID: token,
                signedDate: now,
                transaction: nil,
                renewalInfo: nil,
                status: nil
            )
        )
        do { try settle() } catch { throw .generalInternal }
        return SendTestNotificationResponse(testNotificationToken: token)
    }

    /// The status of a test notification.
    ///
    /// - Throws: 4000020 for an invalid token; 4040008 for an unknown one, or before the first attempt.
    public func testNotificationStatus(
        token: String
    ) throws(AppStoreServerAPIError) -> CheckTestNotificationResponse {
        guard token.isUUID else { throw .invalidTestNotificationToken }
        guard let position = notificationLog.position(of: token.lowercased()),
            notificationLog[position].notificationType == .test,
            let first = notificationLog[position].attempts.first
        else { throw .testNotificationNotFound }
        return CheckTestNotificationResponse(
            signedPayload: notificationLog[position].signedPayload,
            sendAttempts: notificationLog[position].attempts,
            firstSendAttemptResult: first.sendAttemptResult
        )
    }
}
