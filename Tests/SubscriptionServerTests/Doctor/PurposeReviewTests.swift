import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import SubscriptionCore
import SubscriptionStorage
import Testing

@testable import SubscriptionServer

/// `perennial doctor` finds a database with another purpose than the settings, and stores that are the same.
@Suite struct `The purpose review of perennial doctor` {
    private static let now = Timestamp(milliseconds: ServerFixture.now)
    private static let storeApp = AppRecord(bundleID: "com.example.local", environment: .sandbox, appleID: nil)

    private func finding(
        on engine: TestEngine,
        purpose: DatabasePurpose?,
        stores: [TestAuthority]? = nil,
        isAnswering: Bool = true,
        servesApple: Bool = true
    ) async throws -> DoctorFinding? {
        let (database, close) = try await engine.open()
        if let purpose { try await database.write { storage throws(StorageError) in try storage.save(purpose) } }
        let claims = stores?.map { authority in
            DatabaseClaim.Store(app: Self.storeApp.id, root: authority.trustedRoot, now: Self.now)
        }
        let review = PurposeReview(
            name: "sqlite:test.db",
            followsStores: stores != nil,
            servesApple: servesApple,
            claim: isAnswering ? DatabaseClaim(stores: claims ?? []) : nil
        )
        let finding = try await database.read { storage throws(StorageError) in try review.finding(storage) }
        #expect(try await database.read { storage throws(StorageError) in try storage.purpose() } == purpose)
        try await close()
        return finding
    }

    @Test(arguments: TestEngine.allCases)
    func `is silent about a database that has the purpose of the settings`(engine: TestEngine) async throws {
        let store = try TestAuthority()
        let own = DatabasePurpose.development(storeRoots: [store.trustedRoot.fingerprint])
        #expect(try await finding(on: engine, purpose: .production) == nil)
        #expect(try await finding(on: engine, purpose: nil) == nil)
        #expect(try await finding(on: engine, purpose: own, stores: [store]) == nil)
        #expect(try await finding(on: engine, purpose: nil, stores: [store]) == nil)
        #expect(try await finding(on: engine, purpose: own, stores: [store], isAnswering: false) == nil)
    }

    @Test(arguments: TestEngine.allCases, [true, false])
    func `finds a database of a local store without the store`(engine: TestEngine, servesApple: Bool) async throws {
        let purpose = DatabasePurpose.development(storeRoots: ["a"])
        let found = try #require(try await finding(on: engine, purpose: purpose, servesApple: servesApple))
        #expect(found.code == "database_of_local_store")
        #expect(found.status == (servesApple ? .problem : .warning))
        #expect(found.remedy?.contains("database.url") == true && found.remedy?.contains("--store") == true)
    }

    @Test(arguments: TestEngine.allCases, [true, false])
    func `finds a database of real apps under a store`(engine: TestEngine, isAnswering: Bool) async throws {
        let found = try await finding(
            on: engine,
            purpose: .production,
            stores: [try TestAuthority()],
            isAnswering: isAnswering
        )
        #expect(found?.code == "database_of_real_apps")
        #expect(found?.status == .problem)
        #expect(found?.remedy?.contains("remove --store") == true)
    }

    @Test(arguments: TestEngine.allCases)
    func `finds a database of another store`(engine: TestEngine) async throws {
        let purpose = DatabasePurpose.development(storeRoots: ["a"])
        let found = try await finding(on: engine, purpose: purpose, stores: [try TestAuthority()])
        #expect(found?.code == "database_of_another_store")
        #expect(found?.remedy?.contains("--data FILE") == true)
    }

    // Stores

    private func store(_ url: String, bundleID: String, _ environment: StoreEnvironment) throws -> DoctorStores.Store {
        let identity = AppIdentity(bundleId: bundleID, appAppleId: nil, environment: .sandbox)
        let credentials = StoreLink.Credentials(
            app: AppRecord(bundleID: bundleID, environment: environment, appleID: nil),
            identity: identity,
            root: try TestAuthority().trustedRoot,
            key: AppStoreKey(bundleID: bundleID, environments: [environment], keys: [])
        )
        return DoctorStores.Store(url: url, credentials: credentials, now: Self.now)
    }

    @Test func `two stores of the same app in the same environment are found`() throws {
        let first = try store("http://a:1", bundleID: "com.example.local", .sandbox)
        let second = try store("http://b:1", bundleID: "com.example.local", .sandbox)
        let stores = DoctorStores([("http://a:1", .success(first)), ("http://b:1", .success(second))])
        let problems = stores.findings.filter { $0.status == .problem }
        #expect(problems.map(\.code) == ["stores_alike"])
        #expect(problems.first?.subject == "http://b:1" && problems.first?.message.contains("http://a:1") == true)
        #expect(stores.stores.map(\.url) == ["http://a:1"])
    }

    @Test func `stores of several apps or environments are right`() throws {
        let first = try store("http://a:1", bundleID: "com.example.local", .sandbox)
        let second = try store("http://b:1", bundleID: "com.example.local", .production)
        let third = try store("http://c:1", bundleID: "com.example.other", .sandbox)
        let stores = DoctorStores([first, second, third].map { ($0.url, .success($0)) })
        #expect(stores.findings.allSatisfy { $0.status == .ok })
        #expect(stores.stores.count == 3 && stores.claim != nil)
    }

    @Test func `an address that is named twice is found even if nothing answers there`() {
        let stores = DoctorStores([
            ("http://a:1", .failure(.storeUnreachable("http://a:1"))),
            ("http://a:1/", .failure(.storeUnreachable("http://a:1/"))),
        ])
        #expect(stores.findings.map(\.code) == ["store_unreachable", "stores_alike"])
        #expect(stores.findings.map(\.status) == [.problem, .problem])
        #expect(stores.claim == nil)
    }
}
