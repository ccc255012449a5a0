public import AppStoreModel

/// What kinds of signed data the App Store makes as JWS.
public enum SignedDataKind: String, CaseIterable, Hashable, Sendable {
    /// A notification, `signedPayload` of what the App Store posts.
    case notification
    /// A transaction, `signedTransactionInfo` or StoreKit's `jwsRepresentation`.
    case transaction
    /// Renewal information, `signedRenewalInfo`.
    case renewal
    /// An app transaction, `signedAppTransactionInfo` or StoreKit's `AppTransaction`.
    case appTransaction = "app_transaction"
    /// A retention message that the App Store asks for in real time.
    case realtimeRequest = "realtime_request"

    /// Guesses the kind from the fields that only one kind has; `nil` when none of them is there.
    ///
    /// A guess is no check: the verifier that it leads to reads the payload as that kind and refuses what it is not.
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
