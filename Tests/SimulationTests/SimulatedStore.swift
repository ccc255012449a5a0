import AppStoreModel
import AppStoreSigning
import AppStoreTestAuthorities
import LocalAppStore

/// A local store in the test's own process, whose clock the test moves, and which tells what it signed.
struct SimulatedStore {
    static let start: Int64 = 1_769_850_000_000  // 2026-01-31T09:00:00Z
    static let day: Int64 = 86_400_000

    let authority: TestAuthority
    let identity: AppIdentity
    private(set) var store: LocalAppStore
    private var told = 0

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

    /// Does something at the store.
    @discardableResult
    mutating func act<Value>(_ body: (inout LocalAppStore) throws -> Value) rethrows -> Value {
        try body(&store)
    }

    /// Moves the clock to the next instant at which something happens, or to the end; false when the end is reached.
    mutating func step(until end: Int64) throws -> Bool {
        guard let instant = store.nextDue(atOrBefore: end) else {
            try store.step(to: end)
            return false
        }
        try store.step(to: instant)
        return true
    }

    /// The notifications due now, each counted as delivered.
    mutating func deliver() throws -> [[UInt8]] {
        try store.dueDeliveries().map { delivery in
            try store.recordAttempt(notificationUUID: delivery.notificationUUID, result: .success)
            return Array(delivery.signedPayload.utf8)
        }
    }

    /// Runs to an instant, and gives everything that was signed on the way.
    mutating func advance(to end: Int64) throws -> [[UInt8]] {
        var signed = try deliver()
        while try step(until: end) { signed += try deliver() }
        return signed + (try deliver())
    }
}
