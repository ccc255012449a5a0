import AppStoreModel

extension LocalAppStore {
    /// The announced notifications that are not signed yet, in order. They can be signed anywhere and in any order.
    ///
    /// Version 1 is not included: it is unsigned, and its body is created on completion.
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

    /// Signs the announced notifications in order, and passes them to delivery if there is an endpoint.
    ///
    /// An announced notification keeps its version even if the settings change.
    ///
    /// - Parameter signed: The notifications that are already signed; the others are signed here.
    mutating func signAnnouncements(but signed: [SignedNotification] = []) throws(StoreError) {
        guard !announcements.isEmpty else { return }
        let signer = notificationSigner
        var payloads: [String: String] = [:]
        for notification in signed { payloads[notification.notificationUUID] = notification.signedPayload }
        var signedCount = 0
        // A notification that could not be signed stays announced, together with all later ones.
        defer { announcements.removeFirst(signedCount) }
        for announcement in announcements {
            let payload = payloads[announcement.notificationUUID]
            append(try record(of: announcement, signedPayload: payload, signer: signer))
            signedCount += 1
        }
    }

    private mutating func append(_ record: NotificationRecord) {
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

/// Notifications with final content, and their signer.
package struct UnsignedNotifications: Sendable {
    let announcements: [Announcement]
    let signer: NotificationSigner

    /// The number of notifications.
    package var count: Int { announcements.count }

    /// Whether there are none.
    package var isEmpty: Bool { announcements.isEmpty }

    /// A part of them, by positions from 0.
    package func part(_ positions: Range<Int>) -> UnsignedNotifications {
        UnsignedNotifications(announcements: Array(announcements[positions]), signer: signer)
    }

    /// Signs them without access to the store.
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
