import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import SubscriptionCore
import SubscriptionOperations
import SubscriptionServer
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// The databases that a server may use with and without a local store.
@Suite struct `The purpose of a database` {
    private static let now = Timestamp(milliseconds: ServerFixture.now)
    private static let storeApp = AppRecord(bundleID: "com.example.local", environment: .sandbox, appleID: nil)

    private func take(_ database: any SubscriptionDatabase, as claim: DatabaseClaim) async throws -> StartError? {
        try await database.write { storage throws(StorageError) in
            let refusal = try claim.take(storage)
            if refusal == nil { try storage.save(Self.storeApp) }
            return refusal
        }
    }

    private func purpose(of database: any SubscriptionDatabase) async throws -> DatabasePurpose? {
        try await database.read { storage throws(StorageError) in try storage.purpose() }
    }

    private func store(_ authority: TestAuthority, now: Timestamp = now) -> DatabaseClaim {
        DatabaseClaim(stores: [.init(app: Self.storeApp.id, root: authority.trustedRoot, now: now)])
    }

    @Test func `is recorded by the first server that opens a new database`() async throws {
        let authority = try TestAuthority()
        let (real, local) = (InMemoryDatabase(), InMemoryDatabase())
        #expect(try await take(real, as: DatabaseClaim(stores: [])) == nil)
        #expect(try await purpose(of: real) == .production)
        #expect(try await take(local, as: store(authority)) == nil)
        #expect(try await purpose(of: local) == .development(storeRoots: [authority.trustedRoot.fingerprint]))
        #expect(try await take(local, as: store(authority)) == nil, "the same store again")
    }

    @Test func `excludes a local store from a production database, with a remedy`() async throws {
        let database = InMemoryDatabase()
        _ = try await take(database, as: DatabaseClaim(stores: []))
        let refusal = try #require(try await take(database, as: store(try TestAuthority())))
        #expect(refusal.code == "database_of_real_apps")
        #expect(refusal.message.contains("--database"))
    }

    @Test func `excludes a local store from the database of another store, with a remedy`() async throws {
        let database = InMemoryDatabase()
        _ = try await take(database, as: store(try TestAuthority()))
        let refusal = try #require(try await take(database, as: store(try TestAuthority())))
        #expect(refusal.code == "database_of_another_store")
        #expect(refusal.message.contains("--database") && refusal.message.contains("--data FILE"))
    }

    @Test func `is production for an unmarked database that contains data`() async throws {
        let server = try await ServerFixture()
        #expect(try await take(server.database, as: store(try TestAuthority()))?.code == "database_of_real_apps")

        let used = InMemoryDatabase()
        try await used.write { storage throws(StorageError) in
            try storage.save(Self.storeApp)
            try storage.save(
                CustomerRecord(id: CustomerID("u_1"), firstSeenAt: Self.now, stateVersion: 1),
                of: Self.storeApp.id
            )
        }
        #expect(try await take(used, as: store(try TestAuthority()))?.code == "database_of_real_apps")
        #expect(try await take(used, as: DatabaseClaim(stores: [])) == nil)
        #expect(try await purpose(of: used) == .production)
    }

    @Test func `excludes a store whose clock is behind the database's, with a remedy`() async throws {
        let (authority, database) = (try TestAuthority(), InMemoryDatabase())
        #expect(try await take(database, as: store(authority)) == nil)
        let month = Self.now.adding(milliseconds: 30 * 86_400_000)
        try await database.write { storage throws(StorageError) in
            let record = PurchaseRecord(id: OriginalTransactionID("1"), evaluatedAt: month)
            try storage.save(record, of: Self.storeApp.id)
        }
        let refusal = try #require(try await take(database, as: store(authority)))
        #expect(refusal.code == "database_ahead_of_store")
        #expect(refusal.message.contains("--data FILE") && refusal.message.contains("2026-03-04"))
        #expect(try await take(database, as: store(authority, now: month)) == nil)
        #expect(try await take(database, as: store(authority, now: month.adding(milliseconds: -30_000))) == nil)
    }
}
