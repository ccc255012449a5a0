import AppStoreModel

/// Signs notifications: what is in them, and then the whole.
struct NotificationSigner: Sendable {
    /// The version of Apple's notification format.
    private static let notificationVersion = "2.0"

    let configuration: LocalAppStore.Configuration
    /// Apple's number of the app where payloads carry it.
    let publishedAppAppleId: Int64?
    let signer: StoreSigner

    /// Notifications as JWS, with the transaction and the renewal information in each as JWS too.
    ///
    /// First what lies inside all of them is signed together, then they are: the signer gains by many at once.
    ///
    /// - Throws: `signing_failed`.
    func signedPayloads(of announcements: [Announcement]) throws(StoreError) -> [String] {
        var inner = try signer.signed(announcements.flatMap(innerPayloads)).makeIterator()
        return try signer.signed(announcements.map { payload(of: $0, taking: &inner).jsonBytes })
    }

    /// What a notification says that is signed by itself, in the order in which ``payload(of:taking:)`` takes it.
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

    /// What a notification says of a customer's download of the app.
    private func appData(_ signedAppTransactionInfo: String?) -> NotificationAppData {
        NotificationAppData(
            bundleId: configuration.bundleId,
            environment: configuration.environment,
            appAppleId: publishedAppAppleId,
            signedAppTransactionInfo: signedAppTransactionInfo
        )
    }
}
