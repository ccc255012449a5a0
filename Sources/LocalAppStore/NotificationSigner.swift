import AppStoreModel

/// Signs notifications: what is in them, and then the whole.
struct NotificationSigner: Sendable {
    /// The version of Apple's notification format.
    private static let notificationVersion = "2.0"

    let configuration: LocalAppStore.Configuration
    /// Apple's number of the app where payloads carry it.
    let publishedAppAppleId: Int64?
    let signer: StoreSigner

    /// The notification as JWS, with the transaction and the renewal information in it, each as JWS too.
    ///
    /// - Throws: `signing_failed`.
    func signedPayload(of announcement: Announcement) throws(StoreError) -> String {
        var data = NotificationData(bundleId: configuration.bundleId, environment: configuration.environment)
        data.appAppleId = publishedAppAppleId
        data.status = announcement.status
        data.consumptionRequestReason = announcement.consumptionRequestReason
        if let transaction = announcement.transaction {
            data.bundleVersion = configuration.bundleVersion
            data.signedTransactionInfo = try signer.signed(transaction.jsonBytes)
        }
        if let renewalInfo = announcement.renewalInfo {
            data.signedRenewalInfo = try signer.signed(renewalInfo.jsonBytes)
        }
        let payload = ResponseBodyV2DecodedPayload(
            notificationType: announcement.type,
            notificationUUID: announcement.notificationUUID,
            version: Self.notificationVersion,
            signedDate: announcement.signedDate,
            subtype: announcement.subtype,
            data: announcement.hasData ? data : nil,
            summary: announcement.summary,
            externalPurchaseToken: announcement.externalPurchaseToken,
            appData: try announcement.appTransaction.map { content throws(StoreError) in try appData(content) },
            unclaimInfo: announcement.unclaimInfo
        )
        return try signer.signed(payload.jsonBytes)
    }

    /// What a notification says of a customer's download of the app.
    private func appData(_ payload: JWSAppTransactionDecodedPayload) throws(StoreError) -> NotificationAppData {
        NotificationAppData(
            bundleId: configuration.bundleId,
            environment: configuration.environment,
            appAppleId: publishedAppAppleId,
            signedAppTransactionInfo: try signer.signed(payload.jsonBytes)
        )
    }
}
