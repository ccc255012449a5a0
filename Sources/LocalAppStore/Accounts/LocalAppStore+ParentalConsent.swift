import AppStoreModel

extension LocalAppStore {
    /// Withdraws parental consent to a child's use of the app, and announces it.
    ///
    /// The account keeps its purchases. Purchases are still possible, because Apple does not document otherwise.
    ///
    /// - Source: App Store Server Notifications, RESCIND_CONSENT.
    /// - Throws: `account_not_found`, `consent_rescinded`, `signing_failed`.
    public mutating func rescindConsent(accountId: String) throws(StoreError) {
        let account = try accountIndex(accountId)
        guard ledger.rescindedConsents.insert(account).inserted else {
            let message = "The consent to the app's use by \"\(accountId)\" was withdrawn before."
            throw StoreError(.consentRescinded, message)
        }
        // Version 1 of notifications has no such type.
        guard !isSilent, settings.notificationVersion == .v2 else { return }
        var announcement = Announcement(
            type: .rescindConsent,
            subtype: nil,
            notificationUUID: identifiers.nextUUID(),
            signedDate: now,
            transaction: nil,
            renewalInfo: nil,
            status: nil
        )
        announcement.appTransaction = appTransactionPayload(of: account)
        announcements.append(announcement)
        try settle()
    }

    /// The app transaction data of a customer.
    func appTransactionPayload(of account: LedgerIndex<Account>) -> JWSAppTransactionDecodedPayload {
        JWSAppTransactionDecodedPayload(
            bundleId: configuration.bundleId,
            originalApplicationVersion: configuration.bundleVersion,
            originalPurchaseDate: ledger[account].createdAt,
            receiptCreationDate: now,
            receiptType: configuration.environment,
            appAppleId: publishedAppAppleId,
            appTransactionId: ledger[account].appTransactionId,
            originalPlatform: .iOS,
            storeType: .consumer
        )
    }
}
