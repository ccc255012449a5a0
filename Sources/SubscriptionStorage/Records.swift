public import SubscriptionCore

/// An app in one environment that the server takes notifications for.
public struct AppRecord: Hashable, Sendable {
    /// The distribution key.
    public var id: AppID
    /// The bundle identifier.
    public var bundleID: String
    /// The environment.
    public var environment: StoreEnvironment
    /// Apple's number of the app; required in production.
    public var appleID: Int64?

    /// Makes a record; the identifier follows from bundle and environment.
    public init(bundleID: String, environment: StoreEnvironment, appleID: Int64?) {
        self.id = AppID(bundleID: bundleID, environment: environment)
        self.bundleID = bundleID
        self.environment = environment
        self.appleID = appleID
    }
}

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

    /// Makes a record.
    public init(digest: [UInt8], appID: AppID, kind: Kind, hint: String, createdAt: Timestamp) {
        self.digest = digest
        self.appID = appID
        self.kind = kind
        self.hint = hint
        self.createdAt = createdAt
    }
}

/// A signed input, kept verbatim.
public struct EvidenceRecord: Hashable, Sendable {
    /// What kind of input it is.
    public enum Kind: String, Hashable, Sendable {
        /// A server notification.
        case notification
        /// A signed transaction that an app sent.
        case transaction
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
        subtype: String? = nil
    ) {
        self.appID = appID
        self.id = id
        self.kind = kind
        self.type = type
        self.subtype = subtype
        self.signedAt = signedAt
        self.receivedAt = receivedAt
        self.signedBytes = signedBytes
    }
}

/// A line in the list of evidence, in the order in which it was committed.
public struct EvidenceSummary: Hashable, Sendable {
    /// The place in the app's order of commits.
    public var sequence: Int64
    /// The key of the evidence.
    public var id: EvidenceID
    /// Apple's notification type, for notifications.
    public var type: String?
    /// Apple's notification subtype, for notifications that have one.
    public var subtype: String?
    /// When it was signed.
    public var signedAt: Timestamp
    /// When the server took it.
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

/// How a purchase came to its customer; a stronger claim replaces a weaker one.
public enum OwnershipClaim: String, Hashable, Sendable, Comparable {
    /// The account token given at purchase names the customer.
    case accountToken = "account_token"
    /// The app submitted the purchase for the customer.
    case submitted

    /// Weaker before stronger.
    public static func < (left: OwnershipClaim, right: OwnershipClaim) -> Bool {
        left == .accountToken && right == .submitted
    }
}

/// Whose purchase it is, and where it stood when it was last looked at.
public struct PurchaseRecord: Hashable, Sendable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The customer; nil while nobody claimed it.
    public var customerID: CustomerID?
    /// How the customer came to it; nil while nobody claimed it.
    public var claim: OwnershipClaim?
    /// The derived state; nil while no transaction is known.
    public var state: PurchaseState?
    /// The instant at which the state was derived.
    public var evaluatedAt: Timestamp

    /// Makes a record.
    public init(
        id: OriginalTransactionID,
        customerID: CustomerID? = nil,
        claim: OwnershipClaim? = nil,
        state: PurchaseState? = nil,
        evaluatedAt: Timestamp
    ) {
        self.id = id
        self.customerID = customerID
        self.claim = claim
        self.state = state
        self.evaluatedAt = evaluatedAt
    }
}

/// A customer.
public struct CustomerRecord: Hashable, Sendable {
    /// The developer's identifier.
    public var id: CustomerID
    /// When the server first heard of the customer.
    public var firstSeenAt: Timestamp
    /// Grows by one with each change of what the customer has.
    public var stateVersion: Int64

    /// Makes a record.
    public init(id: CustomerID, firstSeenAt: Timestamp, stateVersion: Int64) {
        self.id = id
        self.firstSeenAt = firstSeenAt
        self.stateVersion = stateVersion
    }
}

/// An event in the app's order of commits.
public struct EventRecord: Hashable, Sendable {
    /// The place in the app's order of commits.
    public var sequence: Int64
    /// The customer it happened to; nil while nobody claimed the purchase.
    public var customerID: CustomerID?
    /// The customer's state version after the change.
    public var stateVersion: Int64?
    /// When it was recorded.
    public var recordedAt: Timestamp
    /// What happened.
    public var event: SubscriptionEvent

    /// Makes a record.
    public init(
        sequence: Int64,
        customerID: CustomerID?,
        stateVersion: Int64?,
        recordedAt: Timestamp,
        event: SubscriptionEvent
    ) {
        self.sequence = sequence
        self.customerID = customerID
        self.stateVersion = stateVersion
        self.recordedAt = recordedAt
        self.event = event
    }
}

/// A purchase whose state the clock changes.
public struct DuePurchase: Hashable, Sendable {
    /// The app.
    public var appID: AppID
    /// The purchase.
    public var id: OriginalTransactionID
    /// When its state changes.
    public var dueAt: Timestamp

    /// Makes an entry.
    public init(appID: AppID, id: OriginalTransactionID, dueAt: Timestamp) {
        self.appID = appID
        self.id = id
        self.dueAt = dueAt
    }
}
