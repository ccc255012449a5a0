public import SubscriptionCore

/// A signed input, stored verbatim.
public struct EvidenceRecord: Hashable, Sendable {
    /// What kind of input it is.
    public enum Kind: String, Hashable, Sendable {
        /// A server notification.
        case notification
        /// A signed transaction from an app or from the App Store's API.
        case transaction
        /// A signed renewal record from the App Store's API.
        case renewal
    }

    /// The app in it.
    public var appID: AppID
    /// The key; a second copy has the same key.
    public var id: EvidenceID
    /// What kind of input it is.
    public var kind: Kind
    /// Apple's notification type, for notifications.
    public var type: String?
    /// Apple's notification subtype, for notifications that have one.
    public var subtype: String?
    /// The purchase in it; nil if there is none.
    public var purchaseID: OriginalTransactionID?
    /// When it was signed.
    public var signedAt: Timestamp
    /// When the server received it.
    public var receivedAt: Timestamp
    /// The compact JWS, byte for byte. Engines store its header, which is mostly certificates, only once.
    public var signedBytes: [UInt8]

    /// Makes a record.
    public init(
        appID: AppID,
        id: EvidenceID,
        kind: Kind,
        signedAt: Timestamp,
        receivedAt: Timestamp,
        signedBytes: [UInt8],
        type: String? = nil,
        subtype: String? = nil,
        purchaseID: OriginalTransactionID? = nil
    ) {
        self.appID = appID
        self.id = id
        self.kind = kind
        self.type = type
        self.subtype = subtype
        self.purchaseID = purchaseID
        self.signedAt = signedAt
        self.receivedAt = receivedAt
        self.signedBytes = signedBytes
    }
}
