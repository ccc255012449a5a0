import AppStoreModel

/// A notification whose content is fixed, but which is not signed yet.
struct Announcement: Sendable, Codable {
    let type: NotificationType
    let subtype: NotificationSubtype?
    let notificationUUID: String
    let signedDate: Int64
    /// Absent for a test.
    let transaction: JWSTransactionDecodedPayload?
    /// Present for subscriptions.
    let renewalInfo: JWSRenewalInfoDecodedPayload?
    /// Present for subscriptions.
    let status: SubscriptionStatus?
    /// Present for version 1, which has nothing of the three above.
    var version1: Version1Announcement?
    /// Why a customer asked for a refund; present only for requests about the consumption.
    var consumptionRequestReason: ConsumptionRequestReason?
    /// Present, in the place of everything about one purchase, for the end of a mass extension.
    var summary: NotificationSummary?
    /// Present, in the place of everything about one purchase, for purchases outside the App Store.
    var externalPurchaseToken: ExternalPurchaseToken?
    /// Present, in the place of everything about one purchase, when the consent to the app's use is withdrawn.
    var appTransaction: JWSAppTransactionDecodedPayload?
    /// Present, in the place of everything about one purchase, when seats are taken back.
    var unclaimInfo: UnclaimInfo?

    /// Whether the notification is about a purchase in the App Store, or a test, so that it has `data`.
    var hasData: Bool {
        summary == nil && externalPurchaseToken == nil && appTransaction == nil && unclaimInfo == nil
    }
}
