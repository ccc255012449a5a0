import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore

/// A local store in the test's process. The test moves its clock and receives its notifications.
struct SimulatedStore {
    static let start: Int64 = 1_769_850_000_000  // 2026-01-31T09:00:00Z
    static let day: Int64 = 86_400_000

    let authority: TestAuthority
    let identity: AppIdentity
    private(set) var store: LocalAppStore

    init(seed: UInt64, gracePeriod: StoreSettings.GracePeriod = .sixteenDays) throws {
        authority = try TestAuthority()
        let configuration = LocalAppStore.Configuration(
            environment: .production,
            seed: seed,
            settings: StoreSettings(gracePeriod: gracePeriod)
        )
        identity = AppIdentity(
            bundleId: configuration.bundleId,
            appAppleId: configuration.appAppleId,
            environment: .production
        )
        store = LocalAppStore(
            configuration: configuration,
            catalog: try Catalog.example(),
            signer: authority.signer,
            now: Self.start
        )
        try store.setNotificationEndpoint(url: "http://127.0.0.1:9/")
    }

    /// Performs an action in the store.
    @discardableResult
    mutating func act<Value>(_ body: (inout LocalAppStore) throws -> Value) rethrows -> Value {
        try body(&store)
    }

    /// Moves the clock to the next scheduled action, or to the end. Returns false at the end.
    mutating func step(until end: Int64) throws -> Bool {
        guard let next = store.nextDue(atOrBefore: end) else {
            try store.step(to: end)
            return false
        }
        try store.step(to: next)
        return true
    }

    /// The due notifications. Each is recorded as delivered.
    mutating func deliver() throws -> [[UInt8]] {
        try store.dueDeliveries().map { delivery in
            try store.recordAttempt(notificationUUID: delivery.notificationUUID, result: .success)
            return Array(delivery.signedPayload.utf8)
        }
    }

    /// Runs until a time, and returns everything that was signed.
    mutating func advance(to end: Int64) throws -> [[UInt8]] {
        var signed = try deliver()
        while try step(until: end) { signed += try deliver() }
        return signed + (try deliver())
    }
}
