import AppStoreModel
public import AppStoreTestAuthorities
import LocalAppStore
import PerennialPrimitives
import SubscriptionCore
import SubscriptionOperations
public import SubscriptionStorage

/// One simulation: a local App Store, servers, a database and a network in one process, with one virtual clock.
///
/// Everything random follows from the seed, also the order of concurrent work, so the same options always give the same
/// simulation.
public struct Simulation {
    /// 2026-01-31T09:00:00Z.
    private static let start: Int64 = 1_769_850_000_000
    /// How long everything settles after the last action.
    private static let settling: Int64 = 2 * .day
    /// Access changes by time alone too.
    private static let checkInterval: Int64 = 3 * .hour

    private let world: SimulatedWorld
    private let store: SimulatedAppStore
    private let cluster: SimulatedCluster
    private let shoppers: SimulatedShoppers
    private let simulatedOperator: SimulatedOperator
    private let check: InvariantCheck
    private let database: any SubscriptionDatabase
    private var random: SplitMix64
    private var checkedCommits = 0
    private var checkedAt = Self.start

    /// Makes a simulation.
    ///
    /// - Parameter database: An empty database.
    private init(_ options: SimulationOptions, on database: any SubscriptionDatabase, authority: TestAuthority) throws {
        world = SimulatedWorld(options, start: Self.start)
        store = try SimulatedAppStore(in: world, authority: authority)
        cluster = SimulatedCluster(in: world, store: store, on: database)
        shoppers = SimulatedShoppers(in: world, store: store, cluster: cluster)
        simulatedOperator = SimulatedOperator(in: world, cluster: cluster)
        check = InvariantCheck(in: world, on: database)
        random = SplitMix64(seed: options.seed ^ 0x0de0)
        self.database = database
    }

    /// Runs a simulation on the calling thread, which is blocked meanwhile.
    ///
    /// - Parameters:
    ///   - options: Determine everything.
    ///   - database: An empty database; the caller closes it.
    ///   - authority: Signs for the store.
    /// - Throws: Errors of the database itself. A broken invariant is part of the report.
    public static func run(
        _ options: SimulationOptions,
        on database: any SubscriptionDatabase,
        authority: TestAuthority
    ) throws -> SimulationReport {
        var simulation = try Simulation(options, on: database, authority: authority)
        try simulation.run()
        let report = simulation.report
        simulation.end()
        return report
    }

    private var report: SimulationReport {
        SimulationReport(
            options: world.options,
            failure: world.failure,
            digest: world.trace.digest,
            lines: world.trace.lines,
            actions: shoppers.actions,
            delivered: cluster.acknowledged.notifications.count,
            inputs: check.inputs,
            events: Int(check.events),
            commits: world.commits,
            checks: check.checks,
            faults: world.faults
        )
    }

    private mutating func run() throws {
        try perform { [database] in try await Self.prepare(database) }
        cluster.start()
        let end = Self.start + Int64(world.options.days) * .day
        shoppers.start(until: end)
        simulatedOperator.start(until: end)
        try run(until: end)
        world.calm()
        try run(until: end + .hour)
        try shoppers.launchApps()
        try run(until: end + Self.settling)
        world.endServices()
        try finish()
    }

    private static func prepare(_ database: any SubscriptionDatabase) async throws {
        let app = AppRecord(
            bundleID: SimulatedAppStore.bundleID,
            environment: .production,
            appleID: LocalAppStore.Configuration().appAppleId
        )
        try await database.write { storage throws(StorageError) in try storage.save(app) }
    }

    /// Runs everything that happens until a time, and checks after each commit.
    private mutating func run(until end: Int64) throws {
        while world.failure == nil {
            cluster.deliver()
            try runReady()
            if world.time.now - checkedAt >= Self.checkInterval { try checkNow() }
            let next = [world.time.nextDue, store.nextDue(until: end)].compactMap(\.self).min()
            guard let next, next <= end else { break }
            world.time.advance(to: next)
            try store.step(to: world.time.now)
        }
        guard world.failure == nil else { return }
        world.time.advance(to: end)
        try store.step(to: end)
    }

    /// Runs all jobs that are ready, and checks after each one that committed something. A job that already waits for
    /// its next call of the database ends first: what the check reads must not depend on the duration of that call.
    private mutating func runReady() throws {
        while world.failure == nil, world.executor.runOne(choosingWith: &random) {
            if world.commits != checkedCommits, !world.executor.isOutside { try checkNow() }
        }
    }

    private mutating func checkNow() throws {
        (checkedCommits, checkedAt) = (world.commits, world.time.now)
        try check.check(cluster.acknowledged)
    }

    /// Does work of the simulation until it ends.
    private mutating func perform(_ work: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Awaited<Result<Void, any Error>>()
        let executor = world.executor
        world.spawn {
            do {
                try await executor.outside { try await work() }
                outcome.set(.success(()))
            } catch {
                outcome.set(.failure(error))
            }
        }
        while outcome.get() == nil, world.executor.runOne(choosingWith: &random) {}
        guard let result = outcome.get() else {
            throw SimulationFailure(invariant: .standstill, message: "work of the simulation does not end", day: 0)
        }
        try result.get()
    }

    /// Lets every task end, so that nothing keeps the simulation in memory.
    private mutating func end() {
        world.end()
        repeat {
            while world.executor.runOne(choosingWith: &random) {}
            guard let next = world.time.nextDue else { return }
            world.time.advance(to: next)
        } while true
    }

    /// Compares the end with the store's ledger.
    private mutating func finish() throws {
        guard world.failure == nil else { return }
        try check.check(cluster.acknowledged)
        try compareHistory()
        var revenue: Int64 = 0
        for number in 0..<world.options.customers {
            let report = try store.act { try $0.account("a\(number)") }
            revenue += report.transactions.reduce(0) { $0 + ($1.revocationDate == nil ? $1.price : 0) }
            try compare(report)
        }
        if revenue != check.revenue {
            world.fail(.ledgerRevenueDiffers, "the events sum up to \(check.revenue), the ledger to \(revenue)")
        }
    }

    private mutating func compareHistory() throws {
        let process = ServerProcess("the last server", in: world)
        let server = SimulatedServer(process, in: world, store: store, on: database)
        let counts = Awaited<RecoveryWindow.Counts?>()
        world.spawn {
            let found = await server.compareEverything()
            await server.settle()
            counts.set(found)
        }
        while counts.get() == nil, world.failure == nil {
            try runReady()
            guard counts.get() == nil, let next = world.time.nextDue else { break }
            world.time.advance(to: next)
        }
        try check.check(cluster.acknowledged)
        guard let found = counts.get() ?? nil else {
            return world.fail(.gapAtTheEnd, "the comparison with Apple's history did not finish")
        }
        if found.missing + found.refused > 0 || found.sent != found.held + found.recovered {
            world.fail(.gapAtTheEnd, "\(found)")
        }
    }

    private func compare(_ report: AccountReport) throws {
        guard !report.transactions.isEmpty else { return }
        let view = try check.view(of: report.accountId)
        let expected = report.subscriptions
            .map { SubscriptionComparison($0, of: report, at: world.time.now) }
            .sorted { $0.id < $1.id }
        let found = (view?.subscriptions ?? []).map(SubscriptionComparison.init).sorted { $0.id < $1.id }
        if expected != found {
            world.fail(.ledgerDiffers, "\(report.accountId): the ledger says \(expected), the server \(found)")
        }
        let bought = report.transactions.filter { $0.type != .autoRenewableSubscription }
            .map { "\($0.transactionId) \($0.revocationDate == nil)" }.sorted()
        let held = (view?.purchases ?? []).map { "\($0.id) \($0.givesAccess)" }.sorted()
        if bought != held { world.fail(.ledgerDiffers, "\(report.accountId): bought \(bought), held \(held)") }
    }
}
