import AppStoreModel
import AppStoreSigning
import LocalAppStore
import Testing

/// Two virtual years of one store.
struct TwoYearsRun: Sendable, CustomTestStringConvertible {
    /// The name of its recording.
    let name: String
    let seed: UInt64
    let environment: AppStoreEnvironment
    var profile: StoreProfile?
    var settings = StoreSettings(gracePeriod: .threeDays)

    static let months = 24
    static let actionsPerMonth = 20

    var testDescription: String { name }

    /// The environments and profiles whose rules differ. In the profile `production`, renewals are a day early.
    static let all = [
        TwoYearsRun(name: "production", seed: 1, environment: .production, profile: .production),
        earlyRenewals,
        TwoYearsRun(
            name: "sandbox",
            seed: 3,
            environment: .sandbox,
            settings: StoreSettings(gracePeriod: .twentyEightDays, defaultStorefront: "FRA")
        ),
        TwoYearsRun(name: "sandbox-accelerated", seed: 4, environment: .sandbox, profile: .sandbox),
        TwoYearsRun(name: "sandbox-extensions", seed: 5, environment: .sandbox, profile: .sandboxExtensionRoundsToZero),
        TwoYearsRun(name: "late-66-minutes", seed: 6, environment: .production, profile: .late66Minutes),
        TwoYearsRun(name: "no-retry-after-400", seed: 7, environment: .production, profile: .noRetryAfter400),
    ]

    /// Renewals up to 18 hours before the end of a period, and the other value of each setting.
    private static let earlyRenewals: TwoYearsRun = {
        var settings = StoreSettings(
            gracePeriod: .sixteenDays,
            gracePeriodScope: .paidToPaidOnly,
            rateLimits: .off,
            massExtensionDelay: .hours(30)
        )
        settings.renewalLeadMilliseconds = 18 * hourLength
        settings.massExtensionDuration = .hours(5)
        settings.extensionLimit = .subscription
        settings.delaysOriginalPurchaseDate = false
        return TwoYearsRun(
            name: "early-renewals",
            seed: 2,
            environment: .production,
            profile: .production,
            settings: settings
        )
    }()

    /// A store without accounts at the start of the run.
    func makeStore(_ keys: TwoYearsKeys) throws -> LocalAppStore {
        let configuration = LocalAppStore.Configuration(
            environment: environment,
            seed: seed,
            settings: settings,
            profile: profile
        )
        var store = LocalAppStore(
            configuration: configuration,
            catalog: try TwoYearsCatalog.catalog(),
            signer: keys.signer,
            receipts: keys.receipts,
            now: try start
        )
        store.acceptSignatures(by: [keys.developer.publicKey])
        return store
    }

    /// When a month ends, in milliseconds since 1970; in the accelerated sandbox it takes five minutes.
    func end(ofMonth month: Int) throws -> Int64 {
        let start = try self.start
        if profile == .sandbox { return start + Int64(month) * 5 * 60_000 }
        return CalendarPeriod(iso8601: "P\(month)M")?.added(to: start) ?? start
    }

    /// A month's last day, which shorter months do not have.
    private var start: Int64 { get throws { try at("2026-01-31") } }
}
