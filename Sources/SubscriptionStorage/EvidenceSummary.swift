public import SubscriptionCore

/// A line in the list of evidence, in order of commit.
public struct EvidenceSummary: Hashable, Sendable {
    /// The sequence number in the app's order of commits.
    public var sequence: Int64
    /// The key of the evidence.
    public var id: EvidenceID
    /// Apple's notification type, for notifications.
    public var type: String?
    /// Apple's notification subtype, for notifications that have one.
    public var subtype: String?
    /// When it was signed.
    public var signedAt: Timestamp
    /// When the server received it.
    public var receivedAt: Timestamp

    /// Makes a line.
    public init(
        sequence: Int64,
        id: EvidenceID,
        type: String?,
        subtype: String?,
        signedAt: Timestamp,
        receivedAt: Timestamp
    ) {
        self.sequence = sequence
        self.id = id
        self.type = type
        self.subtype = subtype
        self.signedAt = signedAt
        self.receivedAt = receivedAt
    }
}
