public import AppStoreModel

/// Verified signed data of any kind, for callers that learn the kind from their input.
public enum VerifiedSignedData: Hashable, Sendable {
    /// A notification with what is inside.
    case notification(VerifiedNotification)
    /// A transaction.
    case transaction(JWSTransactionDecodedPayload)
    /// Renewal information.
    case renewal(JWSRenewalInfoDecodedPayload)
    /// An app transaction.
    case appTransaction(JWSAppTransactionDecodedPayload)
    /// A request for a retention message.
    case realtimeRequest(DecodedRealtimeRequestBody)

    /// Which kind it is.
    public var kind: SignedDataKind {
        switch self {
        case .notification: .notification
        case .transaction: .transaction
        case .renewal: .renewal
        case .appTransaction: .appTransaction
        case .realtimeRequest: .realtimeRequest
        }
    }

    /// The payload as JSON, with the fields that this version does not know.
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
