import SubscriptionCore
import SubscriptionStorage

/// Everything the reference engine holds.
struct InMemorySnapshot: Sendable {
    var purpose: DatabasePurpose?
    var latestDerivation: Timestamp?
    var contents: [AppID: InMemoryApp] = [:]
    /// Rows of described tables, by table, app and key; those of the database under no app.
    var tables: [String: [AppID?: [[ColumnValue]: [ColumnValue]]]] = [:]
}

/// What the reference engine holds of one app.
struct InMemoryApp: Sendable {
    /// In order of insertion; the place, counted from one, is the sequence.
    var evidence: [EvidenceRecord] = []
    var evidencePlaces: [EvidenceID: Int] = [:]
    /// By type and subtype.
    var unknownNotifications: [[String]: UnknownNotificationCount] = [:]
    var facts: [OriginalTransactionID: InMemoryFacts] = [:]
    var purchases: [OriginalTransactionID: PurchaseRecord] = [:]
    /// In order of insertion.
    var claims: [ClaimRecord] = []
    /// The purchases that are shared with each customer.
    var shares: [CustomerID: Set<OriginalTransactionID>] = [:]
    var customers: [CustomerID: CustomerRecord] = [:]
    var aliases: [CustomerID: AliasRecord] = [:]
    var definitions: [EntitlementID: EntitlementDefinition] = [:]
    var grants: [CustomerID: [GrantID: GrantRecord]] = [:]
    /// In order of insertion; the place, counted from one, is the sequence.
    var events: [EventRecord] = []
}

/// The facts about one purchase, each as it was last saved.
struct InMemoryFacts: Sendable {
    var transactions: [TransactionID: TransactionFact] = [:]
    var renewal: RenewalFact?
    var status: StatusFact?
}
