import AppStoreModel

/// The state of the subscription that a notification's type and subtype imply.
///
/// - Source: App Store Server Notifications, notificationType and subtype.
struct NotificationScenario {
    let type: NotificationType
    let subtype: NotificationSubtype?

    /// The status when the notification is signed.
    var status: SubscriptionStatus {
        switch (type, subtype) {
        case (.expired, _): .expired
        case (.didFailToRenew, .gracePeriod?): .billingGracePeriod
        case (.didFailToRenew, _), (.gracePeriodExpired, _): .billingRetry
        case (.refund, .seats?): .active
        case (.refund, _), (.revoke, _): .revoked
        default: .active
        }
    }

    /// Whether the paid period has ended.
    var isOver: Bool {
        [.expired, .didFailToRenew, .gracePeriodExpired].contains(type)
    }

    /// Whether the transaction is not the first of the subscription.
    var isRenewal: Bool {
        type == .didRenew || (type == .subscribed && subtype == .resubscribe)
    }

    /// The age of a generated subscription.
    ///
    /// - Units: milliseconds.
    var age: Int64 {
        if isRenewal || isOver { return .defaultPeriod }
        return type == .subscribed ? 0 : .defaultPeriod / 2
    }

    /// The product of a generated purchase.
    var defaultProduct: (id: String, type: ProductType) {
        switch type {
        case .oneTimeCharge: ("lifetime", .nonConsumable)
        case .consumptionRequest: ("coins.100", .consumable)
        default: ("pro.monthly", .autoRenewableSubscription)
        }
    }

    /// Applies the event to the transaction.
    ///
    /// - Parameters:
    ///   - transaction: The transaction to change.
    ///   - date: When the event happens, in milliseconds since 1970.
    func apply(to transaction: inout JWSTransactionDecodedPayload, at date: Int64) {
        switch (type, subtype) {
        case (.refund, .seats?):
            break
        case (.refund, _):
            transaction.revoke(.fullRefund, at: date)
        case (.revoke, _):
            if transaction.inAppOwnershipType == .purchased { transaction.inAppOwnershipType = .familyShared }
            let kind: RevocationType =
                transaction.inAppOwnershipType == .assigned ? .assignmentRevoke : .familyRevoke
            transaction.revoke(kind, at: date)
        case (.refundReversed, _):
            transaction.unrevoke()
        case (.subscribed, .resubscribe?):
            transaction.transactionReason = .purchase
        default:
            break
        }
    }

    /// Applies the event to a subscription's transaction and renewal information.
    ///
    /// - Parameters:
    ///   - transaction: The transaction to change.
    ///   - renewalInfo: The renewal information to change.
    ///   - date: When the event happens, in milliseconds since 1970.
    func apply(
        to transaction: inout JWSTransactionDecodedPayload,
        _ renewalInfo: inout JWSRenewalInfoDecodedPayload,
        at date: Int64
    ) {
        apply(to: &transaction, at: date)
        switch (type, subtype) {
        case (.didChangeRenewalPref, .downgrade?), (.offerRedeemed, .downgrade?):
            renewalInfo.autoRenewProductId = transaction.productId == "basic.monthly" ? "pro.monthly" : "basic.monthly"
        case (.didChangeRenewalStatus, .autoRenewDisabled?):
            renewalInfo.autoRenewStatus = .off
        case (.didFailToRenew, .gracePeriod?):
            renewalInfo.failToCharge()
            renewalInfo.gracePeriodExpiresDate = transaction.expiresDate?.adding(16 * 86_400_000)
        case (.didFailToRenew, _), (.gracePeriodExpired, _):
            renewalInfo.failToCharge()
        case (.expired, _):
            expire(&renewalInfo)
        case (.priceIncrease, _):
            renewalInfo.priceIncreaseStatus = subtype == .pending ? .pending : .accepted
            renewalInfo.renewalPrice = renewalInfo.renewalPrice?.adding(2000)
        case (.refund, let kind) where kind != .seats:
            renewalInfo.autoRenewStatus = .off
        case (.revoke, _):
            renewalInfo.autoRenewStatus = .off
        default:
            break
        }
    }

    private func expire(_ renewalInfo: inout JWSRenewalInfoDecodedPayload) {
        renewalInfo.autoRenewStatus = .off
        switch subtype {
        case .voluntary?:
            renewalInfo.expirationIntent = .customerCancelled
        case .billingRetry?:
            renewalInfo.expirationIntent = .billingError
        case .priceIncrease?:
            renewalInfo.expirationIntent = .priceIncreaseNotConsented
            renewalInfo.priceIncreaseStatus = .pending
        case .productNotForSale?:
            renewalInfo.expirationIntent = .productUnavailable
        default:
            renewalInfo.expirationIntent = .other
        }
    }
}

extension JWSRenewalInfoDecodedPayload {
    fileprivate mutating func failToCharge() {
        isInBillingRetryPeriod = true
        expirationIntent = .billingError
    }
}
