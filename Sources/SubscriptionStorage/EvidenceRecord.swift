public import SubscriptionCore

/// A signed input, kept verbatim.
public struct EvidenceRecord: Hashable, Sendable {
    /// What kind of input it is.
    public enum Kind: String, Hashable, Sendable {
        /// A server notification.
        case notification
        /// A signed transaction that an app sent, or that the App Store's API gave.
        case transaction
        /// A signed renewal record that the App Store's API gave.
        case renewal
    }

    /// The app it speaks of.
    public var appID: AppID
    /// The key under which a second copy is recognised.
    public var id: EvidenceID
    /// What kind of input it is.
    public var kind: Kind
    /// Apple's notification type, for notifications.
    public var type: String?
    /// Apple's notification subtype, for notifications that have one.
    public var subtype: String?
    /// The purchase it speaks of; nil where it speaks of none.
    public var purchaseID: OriginalTransactionID?
    /// When it was signed.
    public var signedAt: Timestamp
    /// When the server took it.
    public var receivedAt: Timestamp
    /// The compact JWS, byte for byte as it came. Engines store its header, most of which is certificates, once.
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
