import AppStoreModel

extension LocalAppStore {
    /// What was announced and not signed yet, in order; each can be signed anywhere, in any order.
    ///
    /// Version 1 is not among them: nobody signs it, and it is made when it is settled.
    package var unsignedNotifications: UnsignedNotifications {
        UnsignedNotifications(announcements: announcements.filter { $0.version1 == nil }, signer: notificationSigner)
    }

    private var notificationSigner: NotificationSigner {
        NotificationSigner(
            configuration: configuration,
            publishedAppAppleId: publishedAppAppleId,
            signer: signer
        )
    }

    /// Signs what was announced, in order, and hands it to delivery where there is somebody to deliver to.
    ///
    /// What was announced keeps its version, also when the settings have another one by now.
    ///
    /// - Parameter signed: What was signed already; the rest is signed here.
    mutating func signAnnouncements(but signed: [SignedNotification] = []) throws(StoreError) {
        guard !announcements.isEmpty else { return }
        let signer = notificationSigner
        var payloads: [String: String] = [:]
        for notification in signed { payloads[notification.notificationUUID] = notification.signedPayload }
        var settledCount = 0
        // What could not be signed stays announced, with what follows it.
        defer { announcements.removeFirst(settledCount) }
        for announcement in announcements {
            let payload = payloads[announcement.notificationUUID]
            try settle(record(of: announcement, signedPayload: payload, signer: signer))
            settledCount += 1
        }
    }

    private mutating func settle(_ record: NotificationRecord) {
        let about = record.originalTransactionId.flatMap(ledger.transaction(id:)).map { ledger[$0].account }
        let position = notificationLog.append(record, about: about)
        if notificationURL != nil { deliveries.schedule(position, at: now) }
    }

    private func record(
        of announcement: Announcement,
        signedPayload: String?,
        signer: NotificationSigner
    ) throws(StoreError) -> NotificationRecord {
        if let version1 = announcement.version1 { return try version1Record(announcement, version1) }
        let payload =
            if let signedPayload { signedPayload } else { try signer.signedPayloads(of: [announcement])[0] }
        return NotificationRecord(
            notificationUUID: announcement.notificationUUID,
            notificationType: announcement.type,
            subtype: announcement.subtype,
            originalTransactionId: announcement.transaction?.originalTransactionId,
            signedDate: announcement.signedDate,
            createdAt: max(notificationLog.records.last?.createdAt ?? .min, min(announcement.signedDate, now)),
            status: announcement.status,
            body: .version2(signedPayload: payload),
            attempts: []
        )
    }
}

/// Notifications whose content is fixed, and who signs them.
package struct UnsignedNotifications: Sendable {
    let announcements: [Announcement]
    let signer: NotificationSigner

    /// How many there are.
    package var count: Int { announcements.count }

    /// Whether there are none.
    package var isEmpty: Bool { announcements.isEmpty }

    /// Some of them, by their places from 0.
    package func part(_ positions: Range<Int>) -> UnsignedNotifications {
        UnsignedNotifications(announcements: Array(announcements[positions]), signer: signer)
    }

    /// Signs them; nothing of the store is needed for that.
    ///
    /// - Throws: `signing_failed`.
    package func signed() throws(StoreError) -> [SignedNotification] {
        zip(announcements, try signer.signedPayloads(of: announcements)).map {
            SignedNotification(notificationUUID: $0.notificationUUID, signedPayload: $1)
        }
    }
}

/// A notification that was signed outside the store.
package struct SignedNotification: Sendable {
    let notificationUUID: String
    let signedPayload: String
}
