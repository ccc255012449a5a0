import AppStoreTestAuthorities
import PerennialSimulation
import SubscriptionStorage
import SubscriptionStorageTesting
import Testing

/// Whole simulations: store, servers, database and network under one clock, with faults.
@Suite struct `A simulated month` {
    private static let authority = Result { try TestAuthority() }

    @Test(arguments: OracleSeeds.all)
    func `breaks no invariant`(seed: UInt64) async throws {
        let report = try Self.run(SimulationOptions(seed: seed), on: InMemoryDatabase())
        #expect(report.failure == nil, "perennial simulate \(report.options.arguments)")
        #expect(report.inputs > 0 && report.checks > 100)
    }

    /// Each of these seeds found an error of the simulation's own checks, the first three with an earlier order of
    /// random choices: a period that was charged early, a clock that is ahead, a refund after the next charge, and the
    /// refund of a new purchase that is known before the refund of the purchase before it.
    @Test(arguments: [243, 564, 659, 29_439] as [UInt64])
    func `breaks no invariant with the seeds that found an error before`(seed: UInt64) async throws {
        let report = try Self.run(SimulationOptions(seed: seed), on: InMemoryDatabase())
        #expect(report.failure == nil, "perennial simulate \(report.options.arguments)")
    }

    @Test func `is the same each time and on each engine`() async throws {
        var lines: Set<[String]> = []
        for engine in [Engine.reference, .reference, .sqlite, .postgresql] {
            let report = try await engine.withDatabase { database in
                try Self.run(SimulationOptions(seed: 7), on: database)
            }
            #expect(report.failure == nil, "\(engine)")
            lines.insert(report.lines)
        }
        #expect(lines.count == 1)
    }

    @Test func `has every kind of fault`() async throws {
        var happened: Set<SimulationOptions.Fault> = []
        for seed: UInt64 in 1...6 {
            happened.formUnion(try Self.run(SimulationOptions(seed: seed), on: InMemoryDatabase()).faults.keys)
        }
        #expect(happened == Set(SimulationOptions.Fault.allCases))
    }

    @Test func `has every failure of Apple's API, and goes on after each`() throws {
        var missing: Set = ["is overloaded", "is unauthorized", "is malformed", "refuses a page token"]
        // With thirty customers, a day usually has more than one page of notifications.
        for seed: UInt64 in 1...30 where !missing.isEmpty {
            let options = SimulationOptions(seed: seed, days: 10, customers: 30, faults: [.api])
            let report = try Self.run(options, on: InMemoryDatabase())
            #expect(report.failure == nil, "perennial simulate \(report.options.arguments)")
            missing = missing.filter { text in !report.lines.contains { $0.contains("Apple's API \(text)") } }
        }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func `without a kind of fault has none of it`() async throws {
        let options = SimulationOptions(seed: 3, days: 10, faults: [.loss])
        #expect(Set(try Self.run(options, on: InMemoryDatabase()).faults.keys) == [.loss])
    }

    @Test func `finds a database that loses commits, and the smallest simulation that shows it`() async throws {
        let run = { (options: SimulationOptions) in
            try Self.run(options, on: LosingDatabase(InMemoryDatabase(), every: 40))
        }
        var found: SimulationReport?
        for seed: UInt64 in 1...20 where found == nil {
            let report = try run(SimulationOptions(seed: seed))
            if report.failure != nil { found = report }
        }
        let report = try #require(found)
        let smallest = try await SimulationShrinking.shrink(report, run: run)
        #expect(smallest.failure?.invariant == report.failure?.invariant)
        let (small, large) = (smallest.options, report.options)
        #expect(small != large && small.seed == large.seed)
        #expect(small.days <= large.days && small.customers <= large.customers && small.servers <= large.servers)
        #expect(small.faults.isSubset(of: large.faults))
        let repeated = try run(smallest.options)
        #expect(repeated.failure == smallest.failure && repeated.digest == smallest.digest)
    }

    private static func run(
        _ options: SimulationOptions,
        on database: any SubscriptionDatabase
    ) throws -> SimulationReport {
        try Simulation.run(options, on: database, authority: try authority.get())
    }
}
