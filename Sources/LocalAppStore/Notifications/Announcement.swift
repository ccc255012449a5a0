import AppStoreModel

/// A notification with final content that is not signed yet.
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
    /// Present for version 1, which has none of the three above.
    var version1: Version1Announcement?
    /// Why a customer asked for a refund; only for consumption requests.
    var consumptionRequestReason: ConsumptionRequestReason?
    /// Present at the end of a mass extension, instead of purchase data.
    var summary: NotificationSummary?
    /// Present for external purchases, instead of purchase data.
    var externalPurchaseToken: ExternalPurchaseToken?
    /// Present when parental consent is withdrawn, instead of purchase data.
    var appTransaction: JWSAppTransactionDecodedPayload?
    /// Present when seats are withdrawn, instead of purchase data.
    var unclaimInfo: UnclaimInfo?

    /// Whether the notification has `data`: it is about a purchase in the App Store, or a test.
    var hasData: Bool {
        summary == nil && externalPurchaseToken == nil && appTransaction == nil && unclaimInfo == nil
    }
}
