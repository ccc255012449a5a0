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
    ///   - jobs: The number of simulations at the same time.
    ///   - report: Called for each result, in any order.
    /// - Returns: The failure with the lowest seed among those that ran; nil if every simulation succeeded.
    func run(
        _ all: [SimulationOptions],
        jobs: Int,
        report: (SimulationReport) -> Void
    ) async throws -> SimulationReport? {
        try await withThrowingTaskGroup(of: SimulationReport.self) { group in
            var waiting = all[...]
            for options in waiting.prefix(jobs) { group.addTask { try await run(options) } }
            waiting = waiting.dropFirst(jobs)
            var failed: SimulationReport?
            while let result = try await group.next() {
                report(result)
                if result.failure != nil, result.options.seed < failed?.options.seed ?? .max { failed = result }
                guard failed == nil, let options = waiting.popFirst() else { continue }
                group.addTask { try await run(options) }
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
        let database = try await DatabaseAddress.open("sqlite:\(folder.path)/perennial.db")
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
