public import AppStoreModel

// The calls that read transactions, subscriptions and refunds.
extension AppStoreServerAPIClient.App {
    /// Gets one page, at most 20, of a customer's transactions of every kind and state, including renewals.
    ///
    /// ``transactionHistory(anyTransactionId:filter:from:)`` reads all pages.
    ///
    /// - Parameters:
    ///   - anyTransactionId: A transaction, original transaction or app transaction of the customer.
    ///   - filter: The filter, equal for every page.
    ///   - revision: The revision of the previous page; nil for the first page.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `cursor_invalid`;
    ///   `transaction_not_found`; and what every call throws.
    /// - Source: App Store Server API, Get Transaction History.
    public func getTransactionHistory(
        anyTransactionId: String,
        filter: TransactionHistoryFilter = .everything,
        revision: String? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<HistoryResponse> {
        try await call(
            .getTransactionHistory,
            path: ["anyTransactionId": anyTransactionId],
            query: filter.queryItems + QueryItem.items("revision", revision)
        )
    }

    /// Gets one page of a customer's transactions without finished consumables.
    ///
    /// Deprecated by Apple in 1.12 in favour of ``getTransactionHistory(anyTransactionId:filter:revision:)``.
    ///
    /// - Parameters:
    ///   - anyTransactionId: A transaction, original transaction or app transaction of the customer.
    ///   - filter: The filter, equal for every page.
    ///   - revision: The revision of the previous page; nil for the first page.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: As ``getTransactionHistory(anyTransactionId:filter:revision:)``.
    /// - Source: App Store Server API, Get Transaction History V1.
    public func getTransactionHistoryV1(
        anyTransactionId: String,
        filter: TransactionHistoryFilter = .everything,
        revision: String? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<HistoryResponse> {
        try await call(
            .getTransactionHistoryV1,
            path: ["anyTransactionId": anyTransactionId],
            query: filter.queryItems + QueryItem.items("revision", revision)
        )
    }

    /// Gets one transaction, of any kind and state.
    ///
    /// A new transaction may be invisible for a moment: see ``RetryPolicy/repeatsUnknownTransaction``.
    ///
    /// - Parameter transactionId: A transaction or original transaction; the identifier of an app transaction is
    ///   refused (4000048).
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Get Transaction Info.
    public func getTransactionInfo(
        transactionId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<TransactionInfoResponse> {
        try await call(.getTransactionInfo, path: ["transactionId": transactionId])
    }

    /// Gets the app transaction of a customer: the download or purchase of the app itself.
    ///
    /// - Parameter anyTransactionId: A transaction, original transaction or app transaction of the customer.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Get App Transaction Info.
    public func getAppTransactionInfo(
        anyTransactionId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<AppTransactionInfoResponse> {
        try await call(.getAppTransactionInfo, path: ["anyTransactionId": anyTransactionId])
    }

    /// Gets the state of all subscriptions of a customer in all groups, by any of its transactions.
    ///
    /// - Parameters:
    ///   - anyTransactionId: A transaction, original transaction or app transaction of the customer.
    ///   - status: Only subscriptions in one of these states; all if empty.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Get All Subscription Statuses.
    public func getAllSubscriptionStatuses(
        anyTransactionId: String,
        status: [SubscriptionStatus] = []
    ) async throws(AppStoreClientError) -> AppStoreAnswer<StatusResponse> {
        try await call(
            .getAllSubscriptionStatuses,
            path: ["anyTransactionId": anyTransactionId],
            query: status.map { QueryItem("status", "\($0.rawValue)") }
        )
    }

    /// Gets the transactions of an order from the customer's receipt e-mail; production only.
    ///
    /// An unknown order is not an error: the answer's `status` reports it as invalid.
    ///
    /// - Parameter orderId: The identifier in the e-mail.
    /// - Rate limit: 10/s in production.
    /// - Throws: `call_not_available` for sandbox; `refused` with one of the `AppStoreServerCall.errors` of the call;
    ///   and what every call throws.
    /// - Source: App Store Server API, Look Up Order ID.
    public func lookUpOrderId(
        orderId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<OrderLookupResponse> {
        try await call(.lookUpOrderID, path: ["orderId": orderId])
    }

    /// Gets one page, at most 20, of a customer's refunded transactions, oldest refund first.
    ///
    /// ``refundHistory(anyTransactionId:from:)`` reads all pages.
    ///
    /// - Parameters:
    ///   - anyTransactionId: A transaction, original transaction or app transaction of the customer.
    ///   - revision: The revision of the previous page, or a stored one; nil for the first page.
    /// - Rate limit: 10/s in production, 1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `cursor_invalid`;
    ///   `transaction_not_found`; and what every call throws.
    /// - Source: App Store Server API, Get Refund History.
    public func getRefundHistory(
        anyTransactionId: String,
        revision: String? = nil
    ) async throws(AppStoreClientError) -> AppStoreAnswer<RefundHistoryResponse> {
        try await call(
            .getRefundHistory,
            path: ["anyTransactionId": anyTransactionId],
            query: QueryItem.items("revision", revision)
        )
    }

    /// Gets the 50 latest refunded transactions of a customer.
    ///
    /// Deprecated by Apple in 1.6 in favour of ``getRefundHistory(anyTransactionId:revision:)``.
    ///
    /// - Parameter originalTransactionId: An original transaction of the customer.
    /// - Rate limit: 10/s in production, 1/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Get Refund History V1.
    public func getRefundHistoryV1(
        originalTransactionId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<RefundLookupResponse> {
        try await call(.getRefundHistoryV1, path: ["originalTransactionId": originalTransactionId])
    }
}
