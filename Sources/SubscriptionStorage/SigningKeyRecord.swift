public import SubscriptionCore

/// A key that signs what the server says of its customers.
public struct SigningKeyRecord: Hashable, Sendable {
    /// The key's name in the header of what it signs (`kid`).
    public var id: String
    /// P-256, 32 bytes; nil once it is retired: then it signs nothing any more.
    public var privateKey: [UInt8]?
    /// P-256, both coordinates of 32 bytes one after the other.
    public var publicKey: [UInt8]
    /// When it was made.
    public var createdAt: Timestamp
    /// When another took its place.
    public var retiredAt: Timestamp?

    /// Makes a record.
    public init(
        id: String,
        privateKey: [UInt8]?,
        publicKey: [UInt8],
        createdAt: Timestamp,
        retiredAt: Timestamp? = nil
    ) {
        self.id = id
        self.privateKey = privateKey
        self.publicKey = publicKey
        self.createdAt = createdAt
        self.retiredAt = retiredAt
    }
}
