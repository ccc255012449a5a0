import SubscriptionCore
import SubscriptionStorage

/// The contents of the reference engine.
struct InMemorySnapshot: Sendable {
    var purpose: DatabasePurpose?
    var latestDerivation: Timestamp?
    var contents: [AppID: InMemoryApp] = [:]
    /// Rows of described tables, by table, app and key; the app is nil for tables of the database.
    var tables: [String: [AppID?: [[ColumnValue]: [ColumnValue]]]] = [:]
}

/// The contents of one app.
struct InMemoryApp: Sendable {
    /// In order of insertion; the one-based index is the sequence number.
    var evidence: [EvidenceRecord] = []
    var evidenceIndexes: [EvidenceID: Int] = [:]
    /// By type and subtype.
    var unknownNotifications: [[String]: UnknownNotificationCount] = [:]
    var facts: [OriginalTransactionID: InMemoryFacts] = [:]
    /// The index of transactions that are not the first of their purchase.
    var transactionIDs: [TransactionID: Set<OriginalTransactionID>] = [:]
    var purchases: [OriginalTransactionID: PurchaseRecord] = [:]
    /// In order of insertion.
    var claims: [ClaimRecord] = []
    /// The purchases that are shared with each customer.
    var shares: [CustomerID: Set<OriginalTransactionID>] = [:]
    var customers: [CustomerID: CustomerRecord] = [:]
    var aliases: [CustomerID: AliasRecord] = [:]
    var definitions: [EntitlementID: EntitlementDefinition] = [:]
    var grants: [CustomerID: [GrantID: GrantRecord]] = [:]
    /// In order of insertion; the one-based index is the sequence number.
    var events: [EventRecord] = []
}

/// The last saved facts about one purchase.
struct InMemoryFacts: Sendable {
    var transactions: [TransactionID: TransactionFact] = [:]
    var renewal: RenewalFact?
    var status: StatusFact?
}
