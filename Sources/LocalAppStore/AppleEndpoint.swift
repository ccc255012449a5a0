/// A call of Apple's server APIs, by Apple's name.
///
/// - Source: App Store Server API, Retention Messaging API, External Purchase Server API, Advanced Commerce API.
public enum AppleEndpoint: String, Hashable, Sendable, CaseIterable, Codable {
    // App Store Server API
    case getTransactionHistory
    case getTransactionHistoryV1
    case getTransactionInfo
    case getAppTransactionInfo
    case getAllSubscriptionStatuses
    case getCustomerGroups
    case getGroupMembers
    case setAppAccountToken
    case finishTransaction
    case sendConsumptionInformation
    case sendConsumptionInformationV1
    case lookUpOrderID
    case getRefundHistory
    case getRefundHistoryV1
    case extendSubscriptionRenewalDate
    case extendSubscriptionRenewalDatesForAllActiveSubscribers
    case getStatusOfSubscriptionRenewalDateExtensions
    case getNotificationHistory
    case requestTestNotification
    case getTestNotificationStatus

    // Retention Messaging API
    case uploadImage
    case deleteImage
    case getImageList
    case uploadMessage
    case deleteMessage
    case getMessageList
    case configureDefaultMessage
    case deleteDefaultMessage
    case getDefaultMessage
    case configureRealtimeURL
    case getRealtimeURL
    case deleteRealtimeURL
    case initiatePerformanceTest
    case getPerformanceTestResults

    // External Purchase Server API
    case sendExternalPurchaseReport
    case retrieveExternalPurchaseReport

    // Advanced Commerce API
    case cancelSubscription
    case revokeSubscription
    case changeSubscriptionPrice
    case changeSubscriptionMetadata
    case migrateSubscription
    case requestTransactionRefund

    /// The calls per second that production allows, measured over an hour; `nil` if Apple publishes no limit.
    ///
    /// - Source: App Store Server API, Identifying rate limits; Retention Messaging and Advanced Commerce likewise.
    public var callsPerSecondInProduction: Int? {
        switch self {
        case .getTransactionHistory, .getTransactionHistoryV1, .getTransactionInfo, .getAppTransactionInfo,
            .getAllSubscriptionStatuses, .getCustomerGroups, .getGroupMembers, .finishTransaction,
            .sendConsumptionInformation, .sendConsumptionInformationV1, .getNotificationHistory,
            .changeSubscriptionPrice, .changeSubscriptionMetadata, .migrateSubscription:
            50
        case .setAppAccountToken, .extendSubscriptionRenewalDate: 20
        case .lookUpOrderID, .getRefundHistory, .getRefundHistoryV1, .configureDefaultMessage: 10
        case .cancelSubscription, .revokeSubscription, .requestTransactionRefund: 5
        case .extendSubscriptionRenewalDatesForAllActiveSubscribers, .getStatusOfSubscriptionRenewalDateExtensions,
            .requestTestNotification, .getTestNotificationStatus, .uploadImage, .deleteImage, .getImageList,
            .uploadMessage, .deleteMessage, .getMessageList, .deleteDefaultMessage, .getDefaultMessage,
            .configureRealtimeURL, .getRealtimeURL, .deleteRealtimeURL, .initiatePerformanceTest,
            .getPerformanceTestResults:
            1
        case .sendExternalPurchaseReport, .retrieveExternalPurchaseReport: nil
        }
    }
}
