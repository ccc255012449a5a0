public import AppStoreModel
public import SubscriptionCore

extension AppleIntake {
    /// The event of a notification that is not a fact about a purchase: requests, refusals, reports, tokens.
    ///
    /// Nil if the facts contain everything, or if the type is unknown.
    ///
    /// - Parameters:
    ///   - notification: The envelope.
    ///   - transaction: Its `signedTransactionInfo`, decoded.
    ///   - renewalInfo: Its `signedRenewalInfo`, decoded.
    ///   - appTransaction: Its `signedAppTransactionInfo`, decoded.
    public static func announcement(
        of notification: ResponseBodyV2DecodedPayload,
        transaction: JWSTransactionDecodedPayload?,
        renewalInfo: JWSRenewalInfoDecodedPayload?,
        appTransaction: JWSAppTransactionDecodedPayload?
    ) -> SubscriptionEvent? {
        guard let (kind, details) = content(of: notification, transaction, renewalInfo, appTransaction) else {
            return nil
        }
        let known = details.compactMapValues(\.self)
        return SubscriptionEvent(
            kind: kind,
            occurredAt: Timestamp(milliseconds: notification.signedDate),
            purchaseID: transaction.map { OriginalTransactionID($0.originalTransactionId) },
            productID: (transaction?.productId ?? notification.summary?.productId).map { ProductID($0) },
            transactionID: transaction.map { TransactionID($0.transactionId) },
            details: known.isEmpty ? nil : known
        )
    }

    /// Whether this version knows the notification's type and subtype; its facts are processed either way.
    public static func isKnown(_ notification: ResponseBodyV2DecodedPayload) -> Bool {
        isKnown(notification.notificationType, notification.subtype)
    }

    /// Whether this version knows a notification's type and subtype.
    public static func isKnown(_ type: NotificationType, _ subtype: NotificationSubtype?) -> Bool {
        guard NotificationType.documented.contains(type) else { return false }
        return subtype.map(NotificationSubtype.documented.contains) ?? true
    }

    private typealias Content = (kind: SubscriptionEvent.Kind, details: [String: String?])

    private static func content(
        of notification: ResponseBodyV2DecodedPayload,
        _ transaction: JWSTransactionDecodedPayload?,
        _ renewalInfo: JWSRenewalInfoDecodedPayload?,
        _ appTransaction: JWSAppTransactionDecodedPayload?
    ) -> Content? {
        let isSubscription = transaction.map { $0.type == .autoRenewableSubscription } ?? true
        switch notification.notificationType {
        case .consumptionRequest:
            let reason = notification.data?.consumptionRequestReason?.rawValue.lowercased()
            return (isSubscription ? .refundRequested : .purchaseRefundRequested, ["reason": reason])
        case .refundDeclined: return (isSubscription ? .refundDeclined : .purchaseRefundDeclined, [:])
        case .offerRedeemed:
            // An offer that begins at the next renewal is in the renewal record; the running period may have had
            // another.
            let next = notification.subtype == .upgrade ? nil : renewalInfo?.offerIdentifier
            return (.offerRedeemed, ["offer_id": next ?? transaction?.offerIdentifier])
        case .metadataUpdate: return (.metadataChanged, [:])
        case .priceChange: return (.priceChanged, prices(transaction, renewalInfo))
        case .migration, .migrate:
            return (.migrated, ["previous_purchase_id": transaction?.previousOriginalTransactionId])
        case .rescindConsent: return (.consentWithdrawn, ["app_transaction_id": appTransaction?.appTransactionId])
        case .renewalExtension: return extensionContent(of: notification)
        case .externalPurchaseToken: return tokenContent(of: notification)
        case .didChangeRenewalStatus: return commitmentContent(of: renewalInfo)
        case .refund, .didChangeRenewalPref, .unclaimSeats:
            return seatContent(of: notification, transaction, renewalInfo)
        default: return nil
        }
    }

    /// The price of the current period and of the next, each for all seats.
    private static func prices(
        _ transaction: JWSTransactionDecodedPayload?,
        _ renewalInfo: JWSRenewalInfoDecodedPayload?
    ) -> [String: String?] {
        [
            "old_price": transaction?.totalPrice.map(String.init),
            "new_price": renewalInfo?.totalRenewalPrice.map(String.init),
            "currency": renewalInfo?.currency ?? transaction?.currency,
        ]
    }

    private static func extensionContent(of notification: ResponseBodyV2DecodedPayload) -> Content? {
        if notification.subtype == .failure { return (.extensionFailed, [:]) }
        guard let summary = notification.summary else { return nil }
        return (
            .extensionsFinished,
            [
                "request_id": summary.requestIdentifier, "succeeded_count": summary.succeededCount.map(String.init),
                "failed_count": summary.failedCount.map(String.init),
                "storefronts": summary.storefrontCountryCodes?.joined(separator: " "),
            ]
        )
    }

    private static func tokenContent(of notification: ResponseBodyV2DecodedPayload) -> Content? {
        guard let token = notification.externalPurchaseToken else { return nil }
        let kind: SubscriptionEvent.Kind
        switch notification.subtype {
        case .created: kind = .externalTokenCreated
        case .activeTokenReminder: kind = .externalTokenReminder
        case .unreported: kind = .externalTokenUnreported
        default: return nil
        }
        return (
            kind,
            [
                "external_purchase_id": token.externalPurchaseId, "token_type": token.tokenType?.rawValue.lowercased(),
                "created_at": token.tokenCreationDate.map(String.init),
                "expires_at": token.tokenExpirationDate.map(String.init),
            ]
        )
    }

    /// Cancelling a plan with a commitment ends it after the commitment; its monthly renewals continue.
    private static func commitmentContent(of renewalInfo: JWSRenewalInfoDecodedPayload?) -> Content? {
        guard let commitment = renewalInfo?.commitmentInfo, let status = commitment.commitmentAutoRenewStatus else {
            return nil
        }
        return (
            status == .on ? .commitmentRenewalOn : .commitmentRenewalOff,
            [
                "commitment_renews_at": commitment.commitmentRenewalDate.map(String.init),
                "next_product_id": commitment.commitmentAutoRenewProductId,
            ]
        )
    }

    private static func seatContent(
        of notification: ResponseBodyV2DecodedPayload,
        _ transaction: JWSTransactionDecodedPayload?,
        _ renewalInfo: JWSRenewalInfoDecodedPayload?
    ) -> Content? {
        let quantity = transaction.map { String($0.quantity) }
        let next = renewalInfo?.renewalQuantity.map(String.init)
        switch (notification.notificationType, notification.subtype) {
        case (.refund, .seats):
            let revoked = transaction?.multiSeatInfo?.revokedSeatQuantity.map(String.init)
            return (.seatsRefunded, ["quantity": quantity, "revoked_quantity": revoked])
        case (.didChangeRenewalPref, .increaseQuantity):
            return (.seatsChanged, ["quantity": quantity, "next_quantity": next])
        case (.didChangeRenewalPref, .decreaseQuantity):
            // Nothing was bought: only the number of seats that renew changes.
            return (.seatsChanged, ["next_quantity": next])
        case (.unclaimSeats, _):
            return (.seatsReleased, ["seat_ids": notification.unclaimInfo?.unclaimSeatIds?.joined(separator: " ")])
        default: return nil
        }
    }
}
