import AppStoreTestAuthorities
import Foundation
import PerennialSimulation
import SubscriptionServer
import SubscriptionStorage

/// Runs simulations, each on a SQLite database of its own in a temporary folder.
struct SimulationRunner: Sendable {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    /// Runs simulations until one fails.
    ///
    /// - Parameters:
    ///   - first: The first simulation. The others have the seeds that follow.
    ///   - seeds: The number of simulations.
    ///   - jobs: The number of simulations at the same time.
    ///   - report: Called for each result, in any order.
    /// - Returns: The failure with the lowest seed among those that ran; nil if every simulation succeeded.
    func run(
        from first: SimulationOptions,
        seeds: Int,
        jobs: Int,
        report: (SimulationReport) -> Void
    ) async throws -> SimulationReport? {
        try await withThrowingTaskGroup(of: SimulationReport.self) { group in
            var started = 0
            func startNext() {
                guard started < seeds else { return }
                var options = first
                options.seed &+= UInt64(started)
                started += 1
                group.addTask { [options] in try await run(options) }
            }
            for _ in 0..<jobs { startNext() }
            var failed: SimulationReport?
            while let result = try await group.next() {
                report(result)
                if result.failure != nil, result.options.seed < failed?.options.seed ?? .max { failed = result }
                if failed == nil { startNext() }
            }
            return failed
        }
    }

    /// Runs one simulation.
    func run(_ options: SimulationOptions) async throws -> SimulationReport {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("perennial-simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try await DatabaseAddress.open(
            "sqlite:\(folder.path)/perennial.db",
            options: DatabaseOptions(sqlite: DatabaseOptions.SQLite(readsOnCaller: true))
        )
        do {
            let report = try await run(options, on: database)
            try await database.close()
            return report
        } catch {
            try await database.close()
            throw error
        }
    }

    /// A simulation blocks its thread, so it does not run on one of the cooperative pool.
    private func run(_ options: SimulationOptions, on database: any SubscriptionDatabase) async throws
        -> SimulationReport
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try Simulation.run(options, on: database, authority: authority) }
                )
            }
        }
    }
}
