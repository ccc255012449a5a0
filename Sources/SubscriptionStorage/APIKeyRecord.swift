public import SubscriptionCore

/// A bearer key of the server's own API. Only its digest is kept.
public struct APIKeyRecord: Hashable, Sendable {
    /// Who may use it for what.
    public enum Kind: String, Hashable, Sendable {
        /// In apps: own transactions, own customer.
        case publishable = "pk"
        /// On servers: everything of the app.
        case secret = "sk"
    }

    /// SHA-256 of the key's text.
    public var digest: [UInt8]
    /// The app it belongs to.
    public var appID: AppID
    /// Who may use it for what.
    public var kind: Kind
    /// The last characters of the key, to recognise it by.
    public var hint: String
    /// When it was made.
    public var createdAt: Timestamp
    /// What it is for, in the words of whoever made it.
    public var label: String?

    /// Makes a record.
    public init(digest: [UInt8], appID: AppID, kind: Kind, hint: String, createdAt: Timestamp, label: String? = nil) {
        self.digest = digest
        self.appID = appID
        self.kind = kind
        self.hint = hint
        self.createdAt = createdAt
        self.label = label
    }
}
