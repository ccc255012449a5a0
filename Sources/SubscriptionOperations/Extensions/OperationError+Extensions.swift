import SubscriptionCore

extension OperationError {
    /// What is against an extension, as an error.
    init(_ obstacle: ExtensionObstacle) {
        self.init("extension_\(obstacle.rawValue)", obstacle.text, kind: .conflict)
    }

    /// The result of an earlier extension of the subscription is not known yet.
    static let extensionInDoubt = OperationError(
        "extension_in_doubt",
        "An earlier extension of this subscription has no result yet: Apple is being asked, or its answer was lost and "
            + "the server is finding out whether it was made. Ask again in a minute; after a lost answer it can take "
            + "an hour, or longer while Apple does not answer.",
        kind: .conflict
    )

    /// No purchase has the transaction.
    static let subscriptionUnknown = OperationError(
        "subscription_unknown",
        "This server has no purchase with this id. Check the id, and the environment of the key. To take the purchase "
            + "in: perennial import subscribers, or POST /v1/transactions.",
        kind: .notFound,
        parameter: "id"
    )

    /// The identifier belongs to another extension.
    static let requestIdentifierReused = OperationError(
        "idempotency_key_reused",
        "This Idempotency-Key belongs to another extension. perennial extend one --dry-run, or GET "
            + "/v1/subscriptions/{id}/extensions, lists those that were made. Use a new key only for one that was not.",
        kind: .conflict
    )
}

extension ExtensionObstacle {
    fileprivate var text: String {
        switch self {
        case .notASubscription:
            "The purchase is not an auto-renewable subscription. Only those can be extended. Give a grant instead."
        case .familyShared:
            "It is a family member's copy. Extend the purchaser's subscription: the copies follow it."
        case .assigned: "It is an assigned seat. Extend the purchaser's subscription: the seats follow it."
        case .revoked: "Apple took the period back. There is nothing to extend. To give access, give a grant."
        case .expired:
            "The subscription has ended. Only a running period can be extended. If a renewal may be missing, refresh "
                + "the customer, then ask again. To give access, give a grant."
        case .gracePeriod: "The last charge failed, and the grace period runs. It can be extended after a payment."
        case .billingRetry: "The last charge failed, and Apple retries it. It can be extended after a payment."
        case .renewalAwaited:
            "The period is over, and Apple has not said yet whether it was renewed. Refresh the customer, then ask "
                + "again."
        case .freePeriod:
            "The present period is free. Apple extends paid periods only. To give longer access, give a grant."
        case .limitReached:
            "It was extended \(Self.extensionsMax) times within 365 days. Apple allows no more. To give access, give a "
                + "grant."
        }
    }
}
