import AppStoreTestAuthorities
import PerennialSimulation
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Simulations of servers with a defect.
@Suite struct `A defect in a simulation` {
    private static let authority = Result { try TestAuthority() }
    private static let seeds: ClosedRange<UInt64> = 1...12

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
}
