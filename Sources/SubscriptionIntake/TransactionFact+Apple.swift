import AppStoreModel
import SubscriptionCore

extension TransactionFact {
    init(_ payload: JWSTransactionDecodedPayload, evidence: EvidenceID) {
        self.init(
            id: TransactionID(payload.transactionId),
            originalID: OriginalTransactionID(payload.originalTransactionId),
            productID: ProductID(payload.productId),
            kind: ProductKind(apple: payload.type),
            purchasedAt: Timestamp(milliseconds: payload.purchaseDate),
            originallyPurchasedAt: Timestamp(milliseconds: payload.originalPurchaseDate),
            signedAt: Timestamp(milliseconds: payload.signedDate),
            evidence: evidence,
            groupID: payload.subscriptionGroupIdentifier.map { SubscriptionGroupID($0) },
            expiresAt: payload.expiresDate.map(Timestamp.init(milliseconds:)),
            quantity: Int(payload.quantity),
            ownership: Ownership(apple: payload.inAppOwnershipType),
            isRenewal: payload.transactionReason == .renewal,
            isUpgraded: payload.isUpgraded ?? false,
            revocation: Revocation(payload),
            offer: Offer(
                type: payload.offerType,
                discountType: payload.offerDiscountType,
                identifier: payload.offerIdentifier,
                period: payload.offerPeriod
            ),
            price: Money(milliunits: payload.totalPrice, currency: payload.currency),
            storefront: payload.storefront,
            accountToken: payload.appAccountToken?.lowercased(),
            appTransactionID: payload.appTransactionId,
            chargeID: payload.webOrderLineItemId.flatMap { $0.isEmpty ? nil : $0 }
        )
    }
}

extension ProductKind {
    fileprivate init(apple type: ProductType) {
        switch type {
        case .autoRenewableSubscription: self = .autoRenewable
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        case .nonRenewingSubscription: self = .nonRenewing
        default: self = .unknown
        }
    }
}

extension Ownership {
    fileprivate init(apple type: InAppOwnershipType) {
        switch type {
        case .purchased: self = .purchased
        case .familyShared: self = .familyShared
        case .assigned: self = .assigned
        default: self = .other
        }
    }
}

extension Revocation {
    /// Reads the fields of a refund or of the end of sharing; nil if the transaction was not revoked.
    fileprivate init?(_ payload: JWSTransactionDecodedPayload) {
        guard let date = payload.revocationDate else { return nil }
        let kind: Kind =
            switch payload.revocationType {
            case .proratedRefund: .proratedRefund
            case .familyRevoke, .assignmentRevoke: .sharingEnded
            // Before December 2025 there was no type: what was shared ends, what was bought is refunded.
            default: payload.inAppOwnershipType == .purchased ? .refund : .sharingEnded
            }
        self.init(
            at: Timestamp(milliseconds: date),
            kind: kind,
            reason: payload.revocationReason.map { Int($0.rawValue) },
            percentage: payload.revocationPercentage.map(Int.init)
        )
    }
}
