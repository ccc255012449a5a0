import AppStoreModel

/// Signs notifications: first their content, then the whole.
struct NotificationSigner: Sendable {
    /// The version of Apple's notification format.
    private static let notificationVersion = "2.0"

    let configuration: LocalAppStore.Configuration
    /// Apple's identifier of the app in payloads.
    let publishedAppAppleId: Int64?
    let signer: StoreSigner

    /// Notifications as JWS with the signed transaction and renewal information.
    ///
    /// The inner payloads are signed in one batch, then the notifications, because the signer is faster with batches.
    ///
    /// - Throws: `signing_failed`.
    func signedPayloads(of announcements: [Announcement]) throws(StoreError) -> [String] {
        var inner = try signer.signed(announcements.flatMap(innerPayloads)).makeIterator()
        return try signer.signed(announcements.map { payload(of: $0, taking: &inner).jsonBytes })
    }

    /// The parts of a notification that are signed separately, in the order in which ``payload(of:taking:)`` consumes
    /// them.
    private func innerPayloads(of announcement: Announcement) -> [[UInt8]] {
        [
            announcement.transaction?.jsonBytes, announcement.renewalInfo?.jsonBytes,
            announcement.appTransaction?.jsonBytes,
        ].compactMap(\.self)
    }

    private func payload(
        of announcement: Announcement,
        taking signed: inout IndexingIterator<[String]>
    ) -> ResponseBodyV2DecodedPayload {
        var data = NotificationData(bundleId: configuration.bundleId, environment: configuration.environment)
        data.appAppleId = publishedAppAppleId
        data.status = announcement.status
        data.consumptionRequestReason = announcement.consumptionRequestReason
        if announcement.transaction != nil {
            data.bundleVersion = configuration.bundleVersion
            data.signedTransactionInfo = signed.next()
        }
        if announcement.renewalInfo != nil { data.signedRenewalInfo = signed.next() }
        return ResponseBodyV2DecodedPayload(
            notificationType: announcement.type,
            notificationUUID: announcement.notificationUUID,
            version: Self.notificationVersion,
            signedDate: announcement.signedDate,
            subtype: announcement.subtype,
            data: announcement.hasData ? data : nil,
            summary: announcement.summary,
            externalPurchaseToken: announcement.externalPurchaseToken,
            appData: announcement.appTransaction == nil ? nil : appData(signed.next()),
            unclaimInfo: announcement.unclaimInfo
        )
    }

    /// The app transaction data in a notification.
    private func appData(_ signedAppTransactionInfo: String?) -> NotificationAppData {
        NotificationAppData(
            bundleId: configuration.bundleId,
            environment: configuration.environment,
            appAppleId: publishedAppAppleId,
            signedAppTransactionInfo: signedAppTransactionInfo
        )
    }
}
