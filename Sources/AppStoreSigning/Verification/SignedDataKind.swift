public import AppStoreModel

/// The kinds of signed data that the App Store sends as JWS.
public enum SignedDataKind: String, CaseIterable, Hashable, Sendable {
    /// A notification, `signedPayload` of the App Store's POST.
    case notification
    /// A transaction, `signedTransactionInfo` or StoreKit's `jwsRepresentation`.
    case transaction
    /// Renewal information, `signedRenewalInfo`.
    case renewal
    /// An app transaction, `signedAppTransactionInfo` or StoreKit's `AppTransaction`.
    case appTransaction = "app_transaction"
    /// A realtime request for a retention message.
    case realtimeRequest = "realtime_request"

    /// Determines the kind from fields that only one kind has; `nil` if there are none.
    ///
    /// This is not a check: the selected verifier reads the payload as that kind and refuses others.
    public init?(guessing payload: JSONObject) {
        let marks: [(SignedDataKind, [String])] = [
            (.notification, ["notificationType", "notificationUUID"]),
            (.realtimeRequest, ["requestIdentifier", "userLocale"]),
            (.appTransaction, ["receiptCreationDate", "originalApplicationVersion"]),
            (.renewal, ["autoRenewStatus", "autoRenewProductId"]),
            (.transaction, ["transactionId", "inAppOwnershipType"]),
        ]
        let guess = marks.first { $0.1.contains { payload[$0] != nil } }
        guard let guess else { return nil }
        self = guess.0
    }
}
