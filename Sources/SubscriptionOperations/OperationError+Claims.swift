import SubscriptionCore
import SubscriptionStorage

extension OperationError {
    /// A customer submitted a purchase and did not get it.
    init(_ reason: ClaimRefusal) {
        switch reason {
        case .submittedBefore, .transferred: self = .ownedByAnotherCustomer
        case .accountToken: self = .tokenNamesAnotherCustomer
        case .sharedWithTooMany: self = .sharedWithTooMany
        }
    }

    private static let ownedByAnotherCustomer = OperationError(
        "purchase_owned_by_another_customer",
        "Another customer submitted this purchase before, or an operator gave it to one. Ask the person to sign "
            + "in with "
            + "that account. If both are one person, link them with a secret key: POST "
            + "/v1/customers/{app_user_id}/aliases. "
            + "To move the purchase: POST /v1/transfers.",
        kind: .conflict,
        parameter: "app_user_id"
    )

    private static let tokenNamesAnotherCustomer = OperationError(
        "account_token_names_another_customer",
        "The appAccountToken in the signed transaction names another customer, and a publishable key cannot "
            + "overrule it. If "
            + "both are one person, link them with a secret key: POST /v1/customers/{app_user_id}/aliases. To move the "
            + "purchase: POST /v1/transfers. If your tokens are not customers, set ownership.account_token to hint.",
        kind: .conflict,
        parameter: "app_user_id"
    )

    private static let sharedWithTooMany = OperationError(
        "purchase_shared_with_too_many",
        "The purchase is shared with \(ClaimedOwnership.sharersMax) customers beside its owner, as many as are "
            + "allowed. "
            + "To move it: POST /v1/transfers.",
        kind: .conflict,
        parameter: "app_user_id"
    )
}
