import SubscriptionCore
import SubscriptionStorage

/// Everything the reference engine holds.
struct InMemorySnapshot: Sendable {
    var purpose: DatabasePurpose?
    var latestDerivation: Timestamp?
    var apps: [AppID: AppRecord] = [:]
    /// In order of insertion.
    var apiKeys: [APIKeyRecord] = []
    var signingKeys: [String: SigningKeyRecord] = [:]
    var contents: [AppID: InMemoryApp] = [:]
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
    /// The newest claims that were refused, by customer.
    var refusedClaims: [OriginalTransactionID: [CustomerID: RefusedClaim]] = [:]
    var settings = AppSettings()
    /// The purchases that are shared with each customer.
    var shares: [CustomerID: Set<OriginalTransactionID>] = [:]
    var customers: [CustomerID: CustomerRecord] = [:]
    var aliases: [CustomerID: AliasRecord] = [:]
    /// By the identifier under which they were sent.
    var receipts: [CustomerID: [EvidenceID: ReceiptRecord]] = [:]
    var definitions: [EntitlementID: EntitlementDefinition] = [:]
    var soldProducts: [ProductID: SoldProduct] = [:]
    var listedProducts: [ProductID: ListedProduct] = [:]
    var grants: [CustomerID: [GrantID: GrantRecord]] = [:]
    var transfers: [TransferID: TransferRecord] = [:]
    var requests: [String: IdempotencyRecord] = [:]
    /// In order of insertion; the place, counted from one, is the sequence.
    var events: [EventRecord] = []
}

/// The facts about one purchase, each as it was last saved.
struct InMemoryFacts: Sendable {
    var transactions: [TransactionID: TransactionFact] = [:]
    var renewal: RenewalFact?
    var status: StatusFact?
}
