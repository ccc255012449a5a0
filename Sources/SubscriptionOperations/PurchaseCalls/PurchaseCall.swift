import AppStoreClient
import AppStoreModel
import SubscriptionCore

/// Makes a call of the App Store Server API that changes one purchase and may be made twice without harm.
///
/// So a lost answer is an error that asks for the same request again, and nothing needs to be found out.
struct PurchaseCall: Sendable {
    private let access: AppStoreAccess
    private let lookups: AppStoreLookups

    /// - Parameter access: The clients of the App Store Server API, with the limits of concurrent calls and their time.
    init(access: AppStoreAccess) {
        self.access = access
        lookups = AppStoreLookups(access.limits)
    }

    /// The client of the app's calls.
    ///
    /// - Throws: ``OperationError`` `app_store_api_not_configured`.
    func api(of app: AppID) throws(OperationError) -> AppStoreServerAPIClient.App { try access.entry(of: app).api }

    /// Makes the call. It returns when Apple has confirmed it.
    ///
    /// - Throws: ``OperationError``: `purchase_family_shared`, `purchase_assigned`, `transaction_not_found` or
    ///   `app_store_refused` if Apple refused it; `app_store_busy`, `app_store_rate_limited`, `app_store_unauthorized`
    ///   or `app_store_unavailable` if Apple did not make it; `app_store_answer_lost` if the result is not known.
    func make(
        for app: AppID,
        _ call: @escaping @Sendable () async throws(AppStoreClientError) -> Void
    ) async throws(OperationError) {
        let result: Result<Void, OperationError>
        do throws(OperationError) {
            result = try await lookups.run(for: app) {
                () async throws(OperationError) -> Result<Void, OperationError> in
                do throws(AppStoreClientError) {
                    try await call()
                    return .success(())
                } catch {
                    return .failure(OperationError(purchaseCall: error))
                }
            }
        } catch  where error.code == "app_store_unavailable" {
            // The deadline has passed, and Apple may have got the call.
            throw .appStoreAnswerLost
        }
        try result.get()
    }
}

extension OperationError {
    fileprivate init(purchaseCall error: AppStoreClientError) {
        switch error.apiError?.code {
        case AppStoreServerAPIError.familyTransactionNotSupported.code:
            self = .purchaseFamilyShared
            return
        case AppStoreServerAPIError.invalidAssignedTransactionNotSupported.code:
            self = .purchaseAssigned
            return
        default: break
        }
        switch error.code {
        case .refused, .transactionNotFound, .unauthorized, .keyMissing, .tokenNotMade, .environmentNotConfigured,
            .rateLimited, .rateLimitedByClient:
            self.init(error, parameter: "id")
        default: self = .appStoreAnswerLost
        }
    }

    private static let purchaseFamilyShared = OperationError(
        "purchase_family_shared",
        "It is a family member's copy of a purchase, which Apple does not change. Use the purchase of the person who "
            + "paid.",
        kind: .conflict,
        parameter: "id"
    )

    private static let purchaseAssigned = OperationError(
        "purchase_assigned",
        "It is an assigned seat, which Apple does not change. Use the purchase of the person who paid.",
        kind: .conflict,
        parameter: "id"
    )

    /// The result of a call that may be made again is not known.
    fileprivate static let appStoreAnswerLost = OperationError(
        "app_store_answer_lost",
        "Apple gave no usable answer, so it is unknown whether it was done. Send the request again: twice has the same "
            + "effect as once.",
        kind: .unavailable
    )
}
