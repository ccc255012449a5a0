import AppStoreTestAuthorities
import PerennialSimulation
import SubscriptionCore
import SubscriptionStorage
import SubscriptionStorageTesting
import Synchronization
import Testing

/// Simulations of servers with a defect.
@Suite struct `A defect in a simulation` {
    private static let authority = Result { try TestAuthority() }
    private static let seeds: ClosedRange<UInt64> = 1...12

    /// The customers whose access a defect took.
    private final class Victims: Sendable {
        let customers = Mutex<Set<CustomerID>>([])
    }

    private static func options(_ seed: UInt64) -> SimulationOptions {
        SimulationOptions(seed: seed, days: 20, customers: 1, servers: 1, faults: [])
    }

    private static func run(
        _ options: SimulationOptions,
        on database: any SubscriptionDatabase
    ) throws -> SimulationReport {
        try Simulation.run(options, on: database, authority: try authority.get())
    }

    @Test(arguments: Defect.allCases)
    func `is reported by the invariant that it breaks, each time the same`(defect: Defect) throws {
        var failed: SimulationReport?
        for seed in Self.seeds where failed == nil {
            let options = Self.options(seed)
            let report = try Self.run(options, on: defect.database(days: options.days))
            if report.failure != nil { failed = report }
        }
        let report = try #require(failed)
        #expect(report.failure?.invariant == defect.invariant, "\(String(describing: report.failure))")
        let repeated = try Self.run(report.options, on: defect.database(days: report.options.days))
        #expect(repeated.failure == report.failure && repeated.digest == report.digest)
    }

    @Test func `is the only cause: the same simulations without one break nothing`() throws {
        for seed in Self.seeds {
            let report = try Self.run(Self.options(seed), on: InMemoryDatabase())
            #expect(report.failure == nil, "seed \(seed)")
            #expect(report.commits > 20, "seed \(seed)")
        }
    }

    /// If only one customer were checked each time, several would lose access before it is found.
    @Test func `is found in the customer of the commit, among many customers`() throws {
        let app = AppID(bundleID: "com.example.perennial", environment: .production)
        let names = (0..<60).map { CustomerID("a\($0)") }
        let victims = Victims()
        let database = DamagingDatabase(base: InMemoryDatabase()) { storage throws(StorageError) in
            for name in names {
                for var record in try storage.purchases(of: name, app: app) {
                    guard case .subscription(var state)? = record.state, state.givesAccess else { continue }
                    (state.givesAccess, state.nextChangeAt) = (false, nil)
                    record.state = .subscription(state)
                    try storage.save(record, of: app)
                    victims.customers.withLock { _ = $0.insert(name) }
                }
            }
        }
        let options = SimulationOptions(seed: 1, days: 10, customers: names.count, servers: 1, faults: [])
        let failure = try #require(try Self.run(options, on: database).failure)
        #expect(failure.invariant == .accessTaken, "\(failure)")
        let count = victims.customers.withLock { $0.count }
        #expect(count == 1)
    }
}
