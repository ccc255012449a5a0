public import AppStoreModel

/// Verified signed data of any kind, for callers that do not know the kind in advance.
public enum VerifiedSignedData: Hashable, Sendable {
    /// A notification with its inner data.
    case notification(VerifiedNotification)
    /// A transaction.
    case transaction(JWSTransactionDecodedPayload)
    /// Renewal information.
    case renewal(JWSRenewalInfoDecodedPayload)
    /// An app transaction.
    case appTransaction(JWSAppTransactionDecodedPayload)
    /// A request for a retention message.
    case realtimeRequest(DecodedRealtimeRequestBody)

    /// The kind.
    public var kind: SignedDataKind {
        switch self {
        case .notification: .notification
        case .transaction: .transaction
        case .renewal: .renewal
        case .appTransaction: .appTransaction
        case .realtimeRequest: .realtimeRequest
        }
    }

    /// The payload as JSON, including unknown fields.
    public var json: JSONObject {
        switch self {
        case .notification(let notification): notification.payload.json
        case .transaction(let payload): payload.json
        case .renewal(let payload): payload.json
        case .appTransaction(let payload): payload.json
        case .realtimeRequest(let payload): payload.json
        }
    }
}
