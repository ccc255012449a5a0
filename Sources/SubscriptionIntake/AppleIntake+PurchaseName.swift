public import AppStoreModel
public import SubscriptionCore

extension AppleIntake {
    /// The notification's name for the purchase of its transaction; nil if it reports something else.
    ///
    /// - Parameters:
    ///   - notification: The envelope.
    ///   - transaction: Its `signedTransactionInfo`, decoded.
    public static func purchaseName(
        of notification: ResponseBodyV2DecodedPayload,
        transaction: JWSTransactionDecodedPayload?
    ) -> PurchaseName? {
        guard let transaction, let kind = kind(of: notification) else { return nil }
        return PurchaseName(transactionID: TransactionID(transaction.transactionId), kind: kind)
    }

    private static func kind(of notification: ResponseBodyV2DecodedPayload) -> SubscriptionEvent.Kind? {
        switch (notification.notificationType, notification.subtype) {
        case (.didRenew, .billingRecovery): .recovered
        case (.didRenew, _): .renewed
        case (.didChangeRenewalPref, .upgrade), (.offerRedeemed, .upgrade): .upgraded
        case (.subscribed, .resubscribe), (.offerRedeemed, .resubscribe): .resubscribed
        case (.subscribed, .initialBuy), (.offerRedeemed, .initialBuy): .started
        default: nil
        }
    }
}
