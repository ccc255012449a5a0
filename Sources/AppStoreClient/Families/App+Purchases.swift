public import AppStoreModel

// The calls that change or report a purchase.
extension AppStoreServerAPIClient.App {
    /// Sets or replaces the app account token of a purchase: of its current renewal and later ones, not of past ones.
    ///
    /// - Parameters:
    ///   - originalTransactionId: The purchase, made by the customer: not shared, not assigned.
    ///   - request: The token.
    /// - Rate limit: 20/s in production, 2/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Set App Account Token.
    @discardableResult
    public func setAppAccountToken(
        originalTransactionId: String,
        _ request: UpdateAppAccountTokenRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.setAppAccountToken, path: ["originalTransactionId": originalTransactionId], body: request)
    }

    /// Finishes a transaction, as `finish()` does in an app.
    ///
    /// Repeating it is assumed to have no effect, which Apple does not document; it is retried after an error.
    ///
    /// - Parameter transactionId: A transaction or original transaction; the identifier of an app transaction is
    ///   refused (4000048).
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Finish Transaction.
    @discardableResult
    public func finishTransaction(
        transactionId: String
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.finishTransaction, path: ["transactionId": transactionId])
    }

    /// Sends consumption information, within 12 hours after a `CONSUMPTION_REQUEST` and with the customer's consent.
    ///
    /// Purchases of the Advanced Commerce API are refused: use ``sendConsumptionInformationV1(transactionId:_:)`` for
    /// them.
    ///
    /// - Parameters:
    ///   - transactionId: A transaction or original transaction; the identifier of an app transaction is refused
    ///     (4000048).
    ///   - request: The information.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call, or an error about the percentage,
    ///   whose number Apple does not publish; `transaction_not_found`; and what every call throws.
    /// - Source: App Store Server API, Send Consumption Information.
    @discardableResult
    public func sendConsumptionInformation(
        transactionId: String,
        _ request: ConsumptionRequest
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.sendConsumptionInformation, path: ["transactionId": transactionId], body: request)
    }

    /// Sends consumption information in the older form, which purchases of the Advanced Commerce API still need.
    ///
    /// - Parameters:
    ///   - transactionId: A transaction or original transaction; the identifier of an app transaction is refused
    ///     (4000048).
    ///   - request: The information.
    /// - Rate limit: 50/s in production, 5/s in sandbox.
    /// - Throws: `refused` with one of the `AppStoreServerCall.errors` of the call; `transaction_not_found`; and what
    ///   every call throws.
    /// - Source: App Store Server API, Send Consumption Information V1.
    @discardableResult
    public func sendConsumptionInformationV1(
        transactionId: String,
        _ request: ConsumptionRequestV1
    ) async throws(AppStoreClientError) -> AppStoreAnswer<NoContent> {
        try await send(.sendConsumptionInformationV1, path: ["transactionId": transactionId], body: request)
    }
}
