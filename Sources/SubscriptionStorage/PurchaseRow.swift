public import SubscriptionCore

/// A purchase as it is stored: its facts, its derived state, and what decides its owner. For checks of derived data.
public struct PurchaseRow: Hashable, Sendable {
    /// The purchase.
    public var id: OriginalTransactionID
    /// The stored facts that can be read.
    public var ledger: PurchaseLedger
    /// The owner and state; nil if only facts are stored, or if one of the two cannot be read.
    public var record: PurchaseRecord?
    /// When the state changes, as the index of due purchases says.
    public var dueAt: Timestamp?
    /// The claims on it, in order of commit.
    public var claims: [ClaimRecord]
    /// The sharers, by identifier.
    public var sharers: [CustomerID]
    /// Whether all stored facts can be read.
    public var hasReadableFacts: Bool
    /// Whether owner, state and the time in the index can be read.
    public var hasReadableRecord: Bool

    /// Makes a row.
    public init(
        id: OriginalTransactionID,
        ledger: PurchaseLedger,
        record: PurchaseRecord?,
        dueAt: Timestamp?,
        claims: [ClaimRecord] = [],
        sharers: [CustomerID] = [],
        hasReadableFacts: Bool = true,
        hasReadableRecord: Bool = true
    ) {
        self.id = id
        self.ledger = ledger
        self.record = record
        self.dueAt = dueAt
        self.claims = claims
        self.sharers = sharers
        self.hasReadableFacts = hasReadableFacts
        self.hasReadableRecord = hasReadableRecord
    }

    /// Whether facts and state can be read.
    public var isReadable: Bool { hasReadableFacts && hasReadableRecord }
}

extension StoredPurchasesReading {
    /// Reads the ledgers one after another.
    public func ledgers(
        of purchases: [OriginalTransactionID],
        app: AppID
    ) throws(StorageError) -> [OriginalTransactionID: PurchaseLedger] {
        var ledgers: [OriginalTransactionID: PurchaseLedger] = [:]
        for purchase in purchases { ledgers[purchase] = try ledger(of: purchase, app: app) }
        return ledgers
    }
}

extension StoredEvidenceWriting {
    /// Does nothing, because an index finds the inputs of a purchase.
    public func relink(_ sequence: Int64, to purchase: OriginalTransactionID, app: AppID) throws(StorageError) {}
}
