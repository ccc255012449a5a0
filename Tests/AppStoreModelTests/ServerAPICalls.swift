import AppStoreModel

/// The calls of Apple's server APIs with their bodies and answers, in a fixed order.
struct ServerAPICall {
    /// The position in that order.
    let number: Int
    /// Apple's name.
    let name: String
    /// The request body; nil if there is none, or it is not JSON.
    let request: (any JSONRepresentable.Type)?
    /// The body of a successful answer; nil if it is empty.
    let answer: (any JSONRepresentable.Type)?

    init(
        _ number: Int,
        _ name: String,
        request: (any JSONRepresentable.Type)? = nil,
        answer: (any JSONRepresentable.Type)? = nil
    ) {
        self.number = number
        self.name = name
        self.request = request
        self.answer = answer
    }

    static let all = purchases + notifications + retentionMessaging + externalPurchase + advancedCommerce

    private static let purchases = [
        ServerAPICall(1, "Get Transaction History", answer: HistoryResponse.self),
        ServerAPICall(2, "Get Transaction History V1", answer: HistoryResponse.self),
        ServerAPICall(3, "Get Transaction Info", answer: TransactionInfoResponse.self),
        ServerAPICall(4, "Get App Transaction Info", answer: AppTransactionInfoResponse.self),
        ServerAPICall(5, "Get All Subscription Statuses", answer: StatusResponse.self),
        ServerAPICall(6, "Get Customer Groups", answer: GetCustomerGroupsResponse.self),
        ServerAPICall(7, "Get Group Members", answer: GetGroupMembersResponse.self),
        ServerAPICall(8, "Set App Account Token", request: UpdateAppAccountTokenRequest.self),
        ServerAPICall(9, "Finish Transaction"),
        ServerAPICall(10, "Send Consumption Information", request: ConsumptionRequest.self),
        ServerAPICall(11, "Send Consumption Information V1", request: ConsumptionRequestV1.self),
        ServerAPICall(12, "Look Up Order ID", answer: OrderLookupResponse.self),
        ServerAPICall(13, "Get Refund History", answer: RefundHistoryResponse.self),
        ServerAPICall(14, "Get Refund History V1", answer: RefundLookupResponse.self),
    ]

    private static let notifications = [
        ServerAPICall(
            15,
            "Extend a Subscription Renewal Date",
            request: ExtendRenewalDateRequest.self,
            answer: ExtendRenewalDateResponse.self
        ),
        ServerAPICall(
            16,
            "Extend Subscription Renewal Dates for All Active Subscribers",
            request: MassExtendRenewalDateRequest.self,
            answer: MassExtendRenewalDateResponse.self
        ),
        ServerAPICall(
            17,
            "Get Status of Subscription Renewal Date Extensions",
            answer: MassExtendRenewalDateStatusResponse.self
        ),
        ServerAPICall(
            18,
            "Get Notification History",
            request: NotificationHistoryRequest.self,
            answer: NotificationHistoryResponse.self
        ),
        ServerAPICall(19, "Request a Test Notification", answer: SendTestNotificationResponse.self),
        ServerAPICall(20, "Get Test Notification Status", answer: CheckTestNotificationResponse.self),
    ]

    private static let retentionMessaging = [
        ServerAPICall(21, "Upload Image"),
        ServerAPICall(22, "Delete Image"),
        ServerAPICall(23, "Get Image List", answer: GetImageListResponse.self),
        ServerAPICall(24, "Upload Message", request: UploadMessageRequestBody.self),
        ServerAPICall(25, "Delete Message"),
        ServerAPICall(26, "Get Message List", answer: GetMessageListResponse.self),
        ServerAPICall(27, "Configure Default Message", request: DefaultConfigurationRequest.self),
        ServerAPICall(28, "Delete Default Message"),
        ServerAPICall(29, "Get Default Message", answer: DefaultConfigurationResponse.self),
        ServerAPICall(30, "Configure Realtime URL", request: RealtimeUrlRequest.self),
        ServerAPICall(31, "Get Realtime URL", answer: RealtimeUrlResponse.self),
        ServerAPICall(32, "Delete Realtime URL"),
        ServerAPICall(
            33,
            "Initiate Performance Test",
            request: PerformanceTestRequest.self,
            answer: PerformanceTestResponse.self
        ),
        ServerAPICall(34, "Get Performance Test Results", answer: PerformanceTestResultResponse.self),
    ]

    private static let externalPurchase = [
        ServerAPICall(
            35,
            "Send External Purchase Report",
            request: ExternalPurchaseReport.self,
            answer: SendReportSuccessResponse.self
        ),
        ServerAPICall(36, "Retrieve External Purchase Report", answer: RetrieveReportSuccessResponse.self),
    ]

    private static let advancedCommerce = [
        ServerAPICall(
            37,
            "Cancel a Subscription",
            request: AdvancedCommerceSubscriptionCancelRequest.self,
            answer: AdvancedCommerceSubscriptionCancelResponse.self
        ),
        ServerAPICall(
            38,
            "Revoke Subscription",
            request: AdvancedCommerceSubscriptionRevokeRequest.self,
            answer: AdvancedCommerceSubscriptionRevokeResponse.self
        ),
        ServerAPICall(
            39,
            "Change Subscription Price",
            request: AdvancedCommerceSubscriptionPriceChangeRequest.self,
            answer: AdvancedCommerceSubscriptionPriceChangeResponse.self
        ),
        ServerAPICall(
            40,
            "Change Subscription Metadata",
            request: AdvancedCommerceSubscriptionChangeMetadataRequest.self,
            answer: AdvancedCommerceSubscriptionChangeMetadataResponse.self
        ),
        ServerAPICall(
            41,
            "Migrate a Subscription",
            request: AdvancedCommerceSubscriptionMigrateRequest.self,
            answer: AdvancedCommerceSubscriptionMigrateResponse.self
        ),
        ServerAPICall(
            42,
            "Request Transaction Refund",
            request: AdvancedCommerceRequestRefundRequest.self,
            answer: AdvancedCommerceRequestRefundResponse.self
        ),
    ]
}
