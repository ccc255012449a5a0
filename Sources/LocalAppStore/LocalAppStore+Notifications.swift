public import AppStoreModel
import AppStoreSigning

extension LocalAppStore {
    /// The version of Apple's notification format.
    private static let notificationVersion = "2.0"

    /// Fixes the content of a notification about a transaction as things stand now.
    mutating func announce(
        _ type: NotificationType,
        _ subtype: NotificationSubtype? = nil,
        transaction index: LedgerIndex<Transaction>,
        consumptionRequestReason: ConsumptionRequestReason? = nil
    ) {
        defer { passOnToFamily(type, subtype, transaction: index) }
        let subscription = ledger[index].subscription
        guard !isSilent, settings.notificationVersion == .v2 else {
            if let subscription { ledger[subscription].signatures.contentChanged() }
            if !isSilent { announceVersion1(type, subtype, transaction: index) }
            return
        }
        let date: Int64
        if let subscription {
            date = ledger[subscription].signatures.dateForNewContent(now: now)
        } else {
            date = ledger[index].signatures.dateForNewContent(now: now)
        }
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

    /// Signs what was announced, in order, and hands it to delivery where there is somebody to deliver to.
    mutating func signAnnouncements() throws(StoreError) {
        while let announcement = announcements.first {
            guard isSent(announcement) else {
                announcements.removeFirst()
                continue
            }
            let record =
                if let version1 = announcement.version1 {
                    try version1Record(announcement, version1)
                } else {
                    try signed(announcement)
                }
            announcements.removeFirst()
            let about = record.originalTransactionId.flatMap(ledger.transaction(id:)).map { ledger[$0].account }
            let place = notificationLog.append(record, about: about)
            if notificationURL != nil { deliveries.schedule(place, at: now) }
        }
    }

    /// Whether the version of the settings has the notification; tests are version 2 whatever the settings say.
    private func isSent(_ announcement: Announcement) -> Bool {
        announcement.version1 != nil || announcement.type == .test || settings.notificationVersion == .v2
    }

    private func signed(_ announcement: Announcement) throws(StoreError) -> NotificationRecord {
        var data = NotificationData(bundleId: configuration.bundleId, environment: configuration.environment)
        data.appAppleId = publishedAppAppleId
        data.status = announcement.status
        data.consumptionRequestReason = announcement.consumptionRequestReason
        if let transaction = announcement.transaction {
            data.bundleVersion = configuration.bundleVersion
            data.signedTransactionInfo = try sign(transaction.jsonBytes)
        }
        if let renewalInfo = announcement.renewalInfo { data.signedRenewalInfo = try sign(renewalInfo.jsonBytes) }
        let payload = ResponseBodyV2DecodedPayload(
            notificationType: announcement.type,
            notificationUUID: announcement.notificationUUID,
            version: Self.notificationVersion,
            signedDate: announcement.signedDate,
            subtype: announcement.subtype,
            data: announcement.hasData ? data : nil,
            summary: announcement.summary,
            externalPurchaseToken: announcement.externalPurchaseToken
        )
        return NotificationRecord(
            notificationUUID: announcement.notificationUUID,
            notificationType: announcement.type,
            subtype: announcement.subtype,
            originalTransactionId: announcement.transaction?.originalTransactionId,
            signedDate: announcement.signedDate,
            createdAt: max(notificationLog.records.last?.createdAt ?? .min, min(announcement.signedDate, now)),
            status: announcement.status,
            body: .version2(signedPayload: try sign(payload.jsonBytes)),
            attempts: []
        )
    }

    /// The notifications made so far, oldest first, a page at a time.
    ///
    /// - Parameters:
    ///   - cursor: The `nextCursor` of the page before; `nil` for the first page.
    ///   - limit: The most notifications of the page, 1 to 1,000.
    /// - Throws: `cursor_invalid`, `limit_invalid`.
    public func notifications(after cursor: String? = nil, limit: Int = 100) throws(StoreError) -> NotificationPage {
        let page = try ListPage(of: notificationLog.records.count, after: cursor, limit: limit)
        return NotificationPage(
            notifications: Array(notificationLog.records[page.range]),
            nextCursor: page.nextCursor
        )
    }

    /// Sends a test notification and names it by a token.
    ///
    /// - Throws: 4040007 when no URL is set.
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

    /// What became of a test notification.
    ///
    /// - Throws: 4000020 when the token is no token; 4040008 when it is unknown or nothing has been tried yet.
    public func testNotificationStatus(
        token: String
    ) throws(AppStoreServerAPIError) -> CheckTestNotificationResponse {
        guard isUUID(token) else { throw .invalidTestNotificationToken }
        guard let place = notificationLog.place(of: token.lowercased()),
            notificationLog[place].notificationType == .test,
            let first = notificationLog[place].attempts.first
        else { throw .testNotificationNotFound }
        return CheckTestNotificationResponse(
            signedPayload: notificationLog[place].signedPayload,
            sendAttempts: notificationLog[place].attempts,
            firstSendAttemptResult: first.sendAttemptResult
        )
    }
}
