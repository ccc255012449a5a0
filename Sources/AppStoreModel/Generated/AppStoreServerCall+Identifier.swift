// Generated from Schema/*.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// Identifies a call, by Apple's title.
    public enum Identifier: String, Hashable, Sendable, CaseIterable, Codable {
        /// Cancel a Subscription.
        case cancelSubscription
        /// Revoke Subscription.
        case revokeSubscription
        /// Change Subscription Price.
        case changeSubscriptionPrice
        /// Change Subscription Metadata.
        case changeSubscriptionMetadata
        /// Migrate a Subscription.
        case migrateSubscription
        /// Request Transaction Refund.
        case requestTransactionRefund
        /// Send External Purchase Report.
        case sendExternalPurchaseReport
        /// Retrieve External Purchase Report.
        case retrieveExternalPurchaseReport
        /// Get Notification History.
        case getNotificationHistory
        /// Request a Test Notification.
        case requestTestNotification
        /// Get Test Notification Status.
        case getTestNotificationStatus
        /// Get Transaction History.
        case getTransactionHistory
        /// Get Transaction History V1.
        case getTransactionHistoryV1
        /// Get Transaction Info.
        case getTransactionInfo
        /// Get App Transaction Info.
        case getAppTransactionInfo
        /// Get All Subscription Statuses.
        case getAllSubscriptionStatuses
        /// Get Customer Groups.
        case getCustomerGroups
        /// Get Group Members.
        case getGroupMembers
        /// Set App Account Token.
        case setAppAccountToken
        /// Finish Transaction.
        case finishTransaction
        /// Send Consumption Information.
        case sendConsumptionInformation
        /// Send Consumption Information V1.
        case sendConsumptionInformationV1
        /// Look Up Order ID.
        case lookUpOrderID
        /// Get Refund History.
        case getRefundHistory
        /// Get Refund History V1.
        case getRefundHistoryV1
        /// Extend a Subscription Renewal Date.
        case extendSubscriptionRenewalDate
        /// Extend Subscription Renewal Dates for All Active Subscribers.
        case extendSubscriptionRenewalDatesForAllActiveSubscribers
        /// Get Status of Subscription Renewal Date Extensions.
        case getStatusOfSubscriptionRenewalDateExtensions
        /// Upload Image.
        case uploadImage
        /// Delete Image.
        case deleteImage
        /// Get Image List.
        case getImageList
        /// Upload Message.
        case uploadMessage
        /// Delete Message.
        case deleteMessage
        /// Get Message List.
        case getMessageList
        /// Configure Default Message.
        case configureDefaultMessage
        /// Delete Default Message.
        case deleteDefaultMessage
        /// Get Default Message.
        case getDefaultMessage
        /// Configure Realtime URL.
        case configureRealtimeURL
        /// Get Realtime URL.
        case getRealtimeURL
        /// Delete Realtime URL.
        case deleteRealtimeURL
        /// Initiate Performance Test.
        case initiatePerformanceTest
        /// Get Performance Test Results.
        case getPerformanceTestResults

        /// The description of the call.
        public var call: AppStoreServerCall {
            switch self {
            case .cancelSubscription: .cancelSubscription
            case .revokeSubscription: .revokeSubscription
            case .changeSubscriptionPrice: .changeSubscriptionPrice
            case .changeSubscriptionMetadata: .changeSubscriptionMetadata
            case .migrateSubscription: .migrateSubscription
            case .requestTransactionRefund: .requestTransactionRefund
            case .sendExternalPurchaseReport: .sendExternalPurchaseReport
            case .retrieveExternalPurchaseReport: .retrieveExternalPurchaseReport
            case .getNotificationHistory: .getNotificationHistory
            case .requestTestNotification: .requestTestNotification
            case .getTestNotificationStatus: .getTestNotificationStatus
            case .getTransactionHistory: .getTransactionHistory
            case .getTransactionHistoryV1: .getTransactionHistoryV1
            case .getTransactionInfo: .getTransactionInfo
            case .getAppTransactionInfo: .getAppTransactionInfo
            case .getAllSubscriptionStatuses: .getAllSubscriptionStatuses
            case .getCustomerGroups: .getCustomerGroups
            case .getGroupMembers: .getGroupMembers
            case .setAppAccountToken: .setAppAccountToken
            case .finishTransaction: .finishTransaction
            case .sendConsumptionInformation: .sendConsumptionInformation
            case .sendConsumptionInformationV1: .sendConsumptionInformationV1
            case .lookUpOrderID: .lookUpOrderID
            case .getRefundHistory: .getRefundHistory
            case .getRefundHistoryV1: .getRefundHistoryV1
            case .extendSubscriptionRenewalDate: .extendSubscriptionRenewalDate
            case .extendSubscriptionRenewalDatesForAllActiveSubscribers: .extendSubscriptionRenewalDatesForAllActiveSubscribers
            case .getStatusOfSubscriptionRenewalDateExtensions: .getStatusOfSubscriptionRenewalDateExtensions
            case .uploadImage: .uploadImage
            case .deleteImage: .deleteImage
            case .getImageList: .getImageList
            case .uploadMessage: .uploadMessage
            case .deleteMessage: .deleteMessage
            case .getMessageList: .getMessageList
            case .configureDefaultMessage: .configureDefaultMessage
            case .deleteDefaultMessage: .deleteDefaultMessage
            case .getDefaultMessage: .getDefaultMessage
            case .configureRealtimeURL: .configureRealtimeURL
            case .getRealtimeURL: .getRealtimeURL
            case .deleteRealtimeURL: .deleteRealtimeURL
            case .initiatePerformanceTest: .initiatePerformanceTest
            case .getPerformanceTestResults: .getPerformanceTestResults
            }
        }
    }
}
