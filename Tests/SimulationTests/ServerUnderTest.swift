import AppStoreSigning
import AppStoreTestAuthorities
import Foundation
import PostgreSQLTesting
import SubscriptionCore
import SubscriptionOperations
import SubscriptionStorage
import SubscriptionStoragePostgreSQL
import SubscriptionStorageSQLite
import SubscriptionStorageTesting
import Testing

/// The engines that every simulation runs on.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case reference, sqlite, postgresql

    var testDescription: String { rawValue }

    /// An empty database, and the folder of its files.
    func open() async throws -> (database: any SubscriptionDatabase, folder: URL?) {
        switch self {
        case .reference: return (InMemoryDatabase(), nil)
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appending(path: "perennial-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return (try SQLiteDatabase.open(path: folder.appending(path: "perennial.db").path), folder)
        case .postgresql:
            let server = try PostgreSQLTestServer.shared()
            // Nobody gives up waiting for a lock because the machine stood still.
            let options = PostgreSQLOptions(lockTimeoutMilliseconds: 60_000)
            let url = server.url(schema: try server.makeSchema())
            return (try await PostgreSQLDatabase.open(url: url, options: options), nil)
        }
    }

    /// Does work with an empty database, then closes it and removes its files.
    func withDatabase<Value>(_ work: (any SubscriptionDatabase) async throws -> Value) async throws -> Value {
        let (database, folder) = try await open()
        let value = try await work(database)
        try await database.close()
        if let folder { try FileManager.default.removeItem(at: folder) }
        return value
    }
}

/// The subscription server without HTTP: an engine, a clock, and the use cases.
struct ServerUnderTest {
    let database: any SubscriptionDatabase
    let time: FollowedTimeSource
    let ingestion: Ingestion
    let reading: CustomerReading
    let timeline: CustomerTimeline
    let duePurchases: DuePurchases
    let app: AppID
    private let folder: URL?

    init(_ engine: Engine, trusting store: SimulatedStore, at now: Int64) async throws {
        (database, folder) = try await engine.open()
        time = FollowedTimeSource(Timestamp(milliseconds: now))
        let policy = AccessPolicy()
        let verifier = SignedDataVerifier(roots: [store.authority.trustedRoot], apps: [store.identity])
        ingestion = Ingestion(database: database, verifier: verifier, policy: policy, time: time)
        reading = CustomerReading(database: database, policy: policy, time: time)
        timeline = CustomerTimeline(database: database, policy: policy, time: time)
        duePurchases = DuePurchases(database: database, policy: policy)
        app = AppID(bundleID: store.identity.bundleId, environment: .production)
    }

    /// Processes notifications in this order.
    func take(_ notifications: some Sequence<[UInt8]>) async throws {
        for notification in notifications { _ = try await ingestion.takeNotification(notification) }
    }

    /// The derived state of a purchase and its customer, without change counters.
    func state(of purchase: OriginalTransactionID, customer: CustomerID) async throws -> DerivedState {
        let view = try await reading.customer(customer, of: app)
        var evaluatedAgain = try await reading.customer(customer, of: app, asOf: view.evaluatedAt)
        // Only the stored view has a revision.
        #expect(evaluatedAgain.revision == nil)
        evaluatedAgain.revision = view.revision
        #expect(evaluatedAgain == view, "the view evaluated again from the stored inputs is the same")
        let entries = try await timeline.entries(of: customer, app: app)
        let app = app
        return try await database.read { storage throws(StorageError) in
            DerivedState(
                facts: try storage.ledger(of: purchase, app: app),
                stored: try storage.purchase(purchase, of: app)?.state,
                owner: try storage.purchase(purchase, of: app)?.customerID,
                subscriptions: view.subscriptions,
                purchases: view.purchases,
                entitlements: view.entitlements,
                eligibility: view.introductoryEligibility,
                timeline: entries,
                refunds: try storage.refunds(of: purchase, app: app)
            )
        }
    }

    /// Closes the engine and removes its files.
    func close() async throws {
        try await database.close()
        if let folder { try FileManager.default.removeItem(at: folder) }
    }
}

/// The state that must not depend on the arrival of the facts.
struct DerivedState: Hashable, Sendable {
    let facts: PurchaseLedger
    let stored: PurchaseState?
    let owner: CustomerID?
    let subscriptions: [SubscriptionState]
    let purchases: [OneTimePurchaseState]
    let entitlements: [Entitlement]
    let eligibility: [SubscriptionGroupID: Bool]
    let timeline: [TimelineEntry]
    let refunds: PurchaseRefunds
}
