public import SubscriptionCore

/// A database that keeps evidence, facts, state and events.
///
/// Bodies are synchronous and touch nothing outside the transaction, so an engine may run one again after a conflict.
/// Engines own their threads; a body never runs on the cooperative pool.
public protocol SubscriptionDatabase: Sendable {
    /// Runs a body on a consistent view that does not change meanwhile.
    ///
    /// - Throws: ``StorageError``; what the body throws passes through.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageReading) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Runs a body in one transaction: all of it is durable when the call returns, or nothing of it happened.
    ///
    /// - Throws: ``StorageError``; what the body throws rolls back and passes through.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StorageWriting) throws(StorageError) -> Result
    ) async throws(StorageError) -> Result

    /// Closes the database; later calls throw ``StorageError/Code/unavailable``.
    func close() async throws(StorageError)

    /// Counts every commit that touches a customer, where this process is the only one that writes; nil where it is not.
    var commits: CustomerCommits? { get }
}

/// What can be read inside a transaction. Every call names the app: nothing is ever read across apps but what is due.
public protocol StorageReading {
    /// All apps, by identifier.
    func apps() throws(StorageError) -> [AppRecord]

    /// The key with this digest.
    func apiKey(digest: [UInt8]) throws(StorageError) -> APIKeyRecord?

    /// All keys of an app, oldest first.
    func apiKeys(of app: AppID) throws(StorageError) -> [APIKeyRecord]

    /// One signed input, with the bytes as they came.
    func evidence(_ id: EvidenceID, of app: AppID) throws(StorageError) -> EvidenceRecord?

    /// Evidence of a kind after a place in the order of commits, at most `limit`.
    func evidence(
        _ kind: EvidenceRecord.Kind,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [EvidenceSummary]

    /// The evidence about a purchase after a place in the order of commits, at most `limit`.
    func evidence(
        about purchase: OriginalTransactionID,
        of app: AppID,
        after sequence: Int64,
        limit: Int
    ) throws(StorageError) -> [PlacedEvidence]

    /// How often each type of notification came that was not known, by type and subtype.
    func unknownNotifications(of app: AppID) throws(StorageError) -> [UnknownNotificationCount]

    /// Everything known of a purchase; an empty ledger where nothing is.
    func ledger(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> PurchaseLedger

    /// Whose purchase it is, and its state.
    func purchase(_ id: OriginalTransactionID, of app: AppID) throws(StorageError) -> PurchaseRecord?

    /// Who claimed a purchase, in order of commit.
    func claims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [ClaimRecord]

    /// The newest claims on purchases that were refused, in order of time.
    func refusedClaims(on purchases: [OriginalTransactionID], app: AppID) throws(StorageError) -> [RefusedClaim]

    /// The claims by customers that were refused, in order of time.
    func refusedClaims(by customers: [CustomerID], app: AppID) throws(StorageError) -> [RefusedClaim]

    /// With whom a purchase is shared, by identifier.
    func sharers(of purchase: OriginalTransactionID, app: AppID) throws(StorageError) -> [CustomerID]

    /// A customer's claims, in order of time.
    func claims(by customer: CustomerID, app: AppID) throws(StorageError) -> [ClaimRecord]

    /// Events about a customer behind a place in the order of commits, up to another place.
    func events(
        about customer: CustomerID,
        of app: AppID,
        after sequence: Int64,
        through end: Int64
    ) throws(StorageError) -> [EventRecord]

    /// The place of the last event; 0 where there is none.
    func lastEvent(of app: AppID) throws(StorageError) -> Int64

    /// The keys that sign what the server says, of all apps, oldest first.
    func signingKeys() throws(StorageError) -> [SigningKeyRecord]

    /// What the developer decided about an app; the defaults where nothing was.
    func settings(of app: AppID) throws(StorageError) -> AppSettings

    /// A customer's purchases, and those that are shared with the customer, by identifier.
    func purchases(of customer: CustomerID, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// The purchases that an account of the store made in an app, by identifier.
    func purchases(ofAppTransaction id: String, app: AppID) throws(StorageError) -> [PurchaseRecord]

    /// A customer.
    func customer(_ id: CustomerID, of app: AppID) throws(StorageError) -> CustomerRecord?

    /// A customer with all that answers are made of, read at once; nil where the customer is not known.
    func holdings(of customer: CustomerID, app: AppID) throws(StorageError) -> CustomerHoldings?

    /// Whom an identifier stands for; nil where it is nobody's alias.
    func alias(_ id: CustomerID, of app: AppID) throws(StorageError) -> AliasRecord?

    /// Whom several identifiers stand for, those that are somebody's aliases; read at once.
    func aliases(_ ids: Set<CustomerID>, of app: AppID) throws(StorageError) -> [AliasRecord]

    /// Customers by identifier after the given one, or from the first on; at most `limit`.
    func customers(of app: AppID, after id: CustomerID?, limit: Int) throws(StorageError) -> [CustomerRecord]

    /// Which products give which entitlement, by identifier.
    func entitlementDefinitions(of app: AppID) throws(StorageError) -> [EntitlementDefinition]

    /// Every product of which a transaction is known, by identifier.
    func soldProducts(of app: AppID) throws(StorageError) -> [SoldProduct]

    /// The products that the developer says the app sells, by identifier.
    func listedProducts(of app: AppID) throws(StorageError) -> [ListedProduct]

    /// The purchases that a transaction belongs to, where it is not the first of a purchase, by identifier. The first has its
    /// purchase's identifier.
    func purchases(with transaction: TransactionID, app: AppID) throws(StorageError) -> [OriginalTransactionID]

    /// The receipts that were sent for a customer under an identifier, in order of time.
    func receipts(of customer: CustomerID, app: AppID) throws(StorageError) -> [ReceiptRecord]

    /// Purchases of all apps whose state changes at or before an instant, earliest first, at most `limit`.
    func duePurchases(until instant: Timestamp, limit: Int) throws(StorageError) -> [DuePurchase]

    /// Purchases of an app whose state was derived at an instant later than the given one, by identifier after the given one,
    /// at most `limit`. It looks at every purchase of the app.
    func purchases(
        derivedAfter instant: Timestamp,
        of app: AppID,
        after id: OriginalTransactionID?,
        limit: Int
    ) throws(StorageError) -> [OriginalTransactionID]

    /// Grants of all apps that were recorded as ended, though nobody took them back and they end after an instant, earliest end
    /// first, at most `limit`. It looks at every grant.
    func grants(endedBefore instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant]

    /// The time by the database server's own clock; nil where the engine has none but this machine's.
    func databaseTime() throws(StorageError) -> Timestamp?

    /// The latest instant at which a server's clock derived states, to the minute; nil where it was never noted.
    func latestDerivation() throws(StorageError) -> Timestamp?

    /// What the database is for; nil where that was not said yet.
    func purpose() throws(StorageError) -> DatabasePurpose?

    /// A customer's grants, ended ones too, by identifier.
    func grants(of customer: CustomerID, app: AppID) throws(StorageError) -> [GrantRecord]

    /// Grants of all apps that end at or before an instant and were active when last recorded, earliest first, at most
    /// `limit`.
    func dueGrants(until instant: Timestamp, limit: Int) throws(StorageError) -> [DueGrant]

    /// What is known of a request by its caller's key.
    func idempotencyRecord(_ key: String, of app: AppID) throws(StorageError) -> IdempotencyRecord?

    /// A move of purchases between customers.
    func transfer(_ id: TransferID, of app: AppID) throws(StorageError) -> TransferRecord?

    /// Moves of purchases to or from a customer, in order of time.
    func transfers(of customer: CustomerID, app: AppID) throws(StorageError) -> [TransferRecord]

    /// Events after a place in the order of commits, at most `limit`.
    func events(of app: AppID, after sequence: Int64, limit: Int) throws(StorageError) -> [EventRecord]
}

/// What can be changed inside a transaction.
public protocol StorageWriting: StorageReading {
    /// Says what the body goes on to touch, so that an engine can hold all of it in one order, and read it at once.
    ///
    /// It changes nothing that the body sees. What was not expected is found all the same, at a cost.
    func expect(_ work: [ExpectedWork]) throws(StorageError)

    /// Says what the database is for, or replaces what was said.
    func save(_ purpose: DatabasePurpose) throws(StorageError)

    /// Notes an instant at which states are derived; an earlier one than the noted changes nothing.
    func noteDerivation(at instant: Timestamp) throws(StorageError)

    /// Puts the latest derivation back to an earlier instant; changes nothing where another one was noted meanwhile.
    func lowerLatestDerivation(from noted: Timestamp, to instant: Timestamp) throws(StorageError)

    /// Adds an app, or changes Apple's number of it.
    func save(_ app: AppRecord) throws(StorageError)

    /// Adds a key; one with the same digest stays as it is.
    func insert(_ key: APIKeyRecord) throws(StorageError)

    /// Takes a key back; where the app has none with that digest, nothing changes.
    func removeAPIKey(digest: [UInt8], of app: AppID) throws(StorageError)

    /// Keeps a signed input. Returns false, and changes nothing, where its identifier is held already.
    func insert(_ evidence: EvidenceRecord) throws(StorageError) -> Bool

    /// Counts a notification of a type that is not known, once per call.
    func countUnknownNotification(_ evidence: EvidenceRecord) throws(StorageError)

    /// Stores a fact in place of what was held about the same thing. The caller has joined it: see ``PurchaseLedger``.
    func save(_ fact: Fact, of app: AppID) throws(StorageError)

    /// Keeps a receipt; the same one of the same customer a second time changes nothing.
    func insert(_ receipt: ReceiptRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer's receipts.
    func removeReceipts(of customer: CustomerID, app: AppID) throws(StorageError)

    /// Keeps a claim; the same purchase, customer and evidence a second time changes nothing.
    func insert(_ claim: ClaimRecord, of app: AppID) throws(StorageError)

    /// Keeps a claim behind the others, also where the same is held.
    func append(_ claim: ClaimRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer's claims.
    func removeClaims(by customer: CustomerID, app: AppID) throws(StorageError)

    /// Adds a claim that was refused, or replaces the one of the same customer on the same purchase.
    func save(_ refused: RefusedClaim, of app: AppID) throws(StorageError)

    /// Forgets that a claim was refused.
    func removeRefusedClaim(
        on purchase: OriginalTransactionID,
        by customer: CustomerID,
        app: AppID
    ) throws(StorageError)

    /// Forgets the claims on a purchase.
    func removeClaims(on purchase: OriginalTransactionID, app: AppID) throws(StorageError)

    /// Replaces an event at its place.
    func save(_ event: EventRecord, of app: AppID) throws(StorageError)

    /// Adds or replaces a key that signs what the server says.
    func save(_ key: SigningKeyRecord) throws(StorageError)

    /// Replaces what the developer decided about an app.
    func save(_ settings: AppSettings, of app: AppID) throws(StorageError)

    /// Lets a customer have a purchase that is another's, too.
    func share(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError)

    /// Ends that a purchase is shared with a customer.
    func unshare(_ purchase: OriginalTransactionID, with customer: CustomerID, app: AppID) throws(StorageError)

    /// Adds or replaces a purchase's owner and state.
    func save(_ purchase: PurchaseRecord, of app: AppID) throws(StorageError)

    /// Adds or replaces a customer.
    func save(_ customer: CustomerRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer, but nothing that is the customer's.
    func removeCustomer(_ id: CustomerID, of app: AppID) throws(StorageError)

    /// Adds or replaces an alias.
    func save(_ alias: AliasRecord, of app: AppID) throws(StorageError)

    /// Forgets an alias.
    func removeAlias(_ id: CustomerID, of app: AppID) throws(StorageError)

    /// Adds or replaces a grant.
    func save(_ grant: GrantRecord, of app: AppID) throws(StorageError)

    /// Forgets a customer's grants.
    func removeGrants(of customer: CustomerID, app: AppID) throws(StorageError)

    /// Adds or replaces a move of purchases between customers.
    func save(_ transfer: TransferRecord, of app: AppID) throws(StorageError)

    /// Adds or replaces what is known of a request.
    func save(_ record: IdempotencyRecord, of app: AppID) throws(StorageError)

    /// Forgets a request.
    func removeIdempotencyRecord(_ key: String, of app: AppID) throws(StorageError)

    /// Forgets requests that were begun before an instant, oldest first, at most `limit`.
    func removeIdempotencyRecords(before instant: Timestamp, limit: Int, of app: AppID) throws(StorageError)

    /// Forgets the requests whose answers name a customer.
    func removeIdempotencyRecords(about customer: CustomerID, of app: AppID) throws(StorageError)

    /// Adds or replaces the products of an entitlement.
    func save(_ definition: EntitlementDefinition, of app: AppID) throws(StorageError)

    /// Notes that a product was sold; one that is noted stays as it is.
    func noteSale(of product: SoldProduct, app: AppID) throws(StorageError)

    /// Replaces the products that the developer says the app sells; no two have one identifier.
    func replaceListedProducts(_ products: [ListedProduct], of app: AppID) throws(StorageError)

    /// Appends events in order, at the end of the app's events.
    func append(
        _ events: [SubscriptionEvent],
        customer: CustomerRecord?,
        recordedAt: Timestamp,
        app: AppID
    ) throws(StorageError)
}
