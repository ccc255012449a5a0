// Generated from Schema/purchase-data.toml; run `make generate` after a change there.
// swift-format-ignore-file

extension AppStoreServerCall {
    /// The calls of ``Family/purchases``.
    public static let purchases: [AppStoreServerCall] = [
        .getTransactionHistory, .getTransactionHistoryV1, .getTransactionInfo, .getAppTransactionInfo,
        .getAllSubscriptionStatuses, .getCustomerGroups, .getGroupMembers, .setAppAccountToken, .finishTransaction,
        .sendConsumptionInformation, .sendConsumptionInformationV1, .lookUpOrderID, .getRefundHistory,
        .getRefundHistoryV1,
    ]

    /// Get Transaction History.
    ///
    /// - Source: App Store Server API, Get Transaction History.
    public static let getTransactionHistory = AppStoreServerCall(
        identifier: .getTransactionHistory,
        name: "get-transaction-history",
        title: "Get Transaction History",
        family: .purchases,
        method: "GET",
        path: "/inApps/v2/history/{anyTransactionId}",
        queryParameters: [
            "revision", "startDate", "endDate", "productId", "productType", "subscriptionGroupIdentifier",
            "inAppOwnershipType", "revoked", "sort", "excludeRevoked",
        ],
        body: .none,
        types: Types(answer: "HistoryResponse"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get Transaction History V1; deprecated by Apple in 1.12.
    ///
    /// - Source: App Store Server API, Get Transaction History V1.
    public static let getTransactionHistoryV1 = AppStoreServerCall(
        identifier: .getTransactionHistoryV1,
        name: "get-transaction-history-v1",
        title: "Get Transaction History V1",
        family: .purchases,
        method: "GET",
        path: "/inApps/v1/history/{anyTransactionId}",
        queryParameters: [
            "revision", "startDate", "endDate", "productId", "productType", "subscriptionGroupIdentifier",
            "inAppOwnershipType", "revoked", "sort", "excludeRevoked",
        ],
        body: .none,
        types: Types(answer: "HistoryResponse"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get Transaction Info.
    ///
    /// - Source: App Store Server API, Get Transaction Info.
    public static let getTransactionInfo = AppStoreServerCall(
        identifier: .getTransactionInfo,
        name: "get-transaction-info",
        title: "Get Transaction Info",
        family: .purchases,
        method: "GET",
        path: "/inApps/v1/transactions/{transactionId}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "TransactionInfoResponse"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get App Transaction Info.
    ///
    /// - Source: App Store Server API, Get App Transaction Info.
    public static let getAppTransactionInfo = AppStoreServerCall(
        identifier: .getAppTransactionInfo,
        name: "get-app-transaction-info",
        title: "Get App Transaction Info",
        family: .purchases,
        method: "GET",
        path: "/inApps/v1/transactions/appTransactions/{anyTransactionId}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "AppTransactionInfoResponse"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get All Subscription Statuses.
    ///
    /// - Source: App Store Server API, Get All Subscription Statuses.
    public static let getAllSubscriptionStatuses = AppStoreServerCall(
        identifier: .getAllSubscriptionStatuses,
        name: "get-all-subscription-statuses",
        title: "Get All Subscription Statuses",
        family: .purchases,
        method: "GET",
        path: "/inApps/v1/subscriptions/{anyTransactionId}",
        queryParameters: ["status"],
        body: .none,
        types: Types(answer: "StatusResponse"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get Customer Groups.
    ///
    /// - Source: App Store Server API, Get Customer Groups.
    public static let getCustomerGroups = AppStoreServerCall(
        identifier: .getCustomerGroups,
        name: "get-customer-groups",
        title: "Get Customer Groups",
        family: .purchases,
        method: "GET",
        path: "/groups/v1/currentGroups/{anyTransactionId}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "GetCustomerGroupsResponse"),
        productionCallsPerSecond: 50,
        availability: .sandboxOnly,
        isRepeatable: true
    )

    /// Get Group Members.
    ///
    /// - Source: App Store Server API, Get Group Members.
    public static let getGroupMembers = AppStoreServerCall(
        identifier: .getGroupMembers,
        name: "get-group-members",
        title: "Get Group Members",
        family: .purchases,
        method: "GET",
        path: "/groups/v1/group/{groupId}",
        queryParameters: ["paginationToken", "limit"],
        body: .none,
        types: Types(answer: "GetGroupMembersResponse"),
        productionCallsPerSecond: 50,
        availability: .sandboxOnly,
        isRepeatable: true
    )

    /// Set App Account Token.
    ///
    /// - Source: App Store Server API, Set App Account Token.
    public static let setAppAccountToken = AppStoreServerCall(
        identifier: .setAppAccountToken,
        name: "set-app-account-token",
        title: "Set App Account Token",
        family: .purchases,
        method: "PUT",
        path: "/inApps/v1/transactions/{originalTransactionId}/appAccountToken",
        queryParameters: [],
        body: .json,
        types: Types(request: "UpdateAppAccountTokenRequest"),
        productionCallsPerSecond: 20,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Finish Transaction.
    ///
    /// - Source: App Store Server API, Finish Transaction.
    public static let finishTransaction = AppStoreServerCall(
        identifier: .finishTransaction,
        name: "finish-transaction",
        title: "Finish Transaction",
        family: .purchases,
        method: "POST",
        path: "/inApps/v1/transactions/{transactionId}/finish",
        queryParameters: [],
        body: .none,
        types: Types(),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Send Consumption Information.
    ///
    /// - Source: App Store Server API, Send Consumption Information.
    public static let sendConsumptionInformation = AppStoreServerCall(
        identifier: .sendConsumptionInformation,
        name: "send-consumption-information",
        title: "Send Consumption Information",
        family: .purchases,
        method: "PUT",
        path: "/inApps/v2/transactions/consumption/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(request: "ConsumptionRequest"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Send Consumption Information V1.
    ///
    /// - Source: App Store Server API, Send Consumption Information V1.
    public static let sendConsumptionInformationV1 = AppStoreServerCall(
        identifier: .sendConsumptionInformationV1,
        name: "send-consumption-information-v1",
        title: "Send Consumption Information V1",
        family: .purchases,
        method: "PUT",
        path: "/inApps/v1/transactions/consumption/{transactionId}",
        queryParameters: [],
        body: .json,
        types: Types(request: "ConsumptionRequestV1"),
        productionCallsPerSecond: 50,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Look Up Order ID.
    ///
    /// - Source: App Store Server API, Look Up Order ID.
    public static let lookUpOrderID = AppStoreServerCall(
        identifier: .lookUpOrderID,
        name: "look-up-order-id",
        title: "Look Up Order ID",
        family: .purchases,
        method: "GET",
        path: "/inApps/v1/lookup/{orderId}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "OrderLookupResponse"),
        productionCallsPerSecond: 10,
        availability: .productionOnly,
        isRepeatable: true
    )

    /// Get Refund History.
    ///
    /// - Source: App Store Server API, Get Refund History.
    public static let getRefundHistory = AppStoreServerCall(
        identifier: .getRefundHistory,
        name: "get-refund-history",
        title: "Get Refund History",
        family: .purchases,
        method: "GET",
        path: "/inApps/v2/refund/lookup/{anyTransactionId}",
        queryParameters: ["revision"],
        body: .none,
        types: Types(answer: "RefundHistoryResponse"),
        productionCallsPerSecond: 10,
        availability: .everywhere,
        isRepeatable: true
    )

    /// Get Refund History V1; deprecated by Apple in 1.6.
    ///
    /// - Source: App Store Server API, Get Refund History V1.
    public static let getRefundHistoryV1 = AppStoreServerCall(
        identifier: .getRefundHistoryV1,
        name: "get-refund-history-v1",
        title: "Get Refund History V1",
        family: .purchases,
        method: "GET",
        path: "/inApps/v1/refund/lookup/{originalTransactionId}",
        queryParameters: [],
        body: .none,
        types: Types(answer: "RefundLookupResponse"),
        productionCallsPerSecond: 10,
        availability: .everywhere,
        isRepeatable: true
    )
}
